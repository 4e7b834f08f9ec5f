// The yardstick: three bordered panes and a status line at 120x40, drawn by Node alone, only the cells that differ.
// Every key counts `k=` up and moves the selection. STREAM=n adds n rows a second to the middle pane.
const columns = 120;
const rows = 40;
const body = rows - 4;
const words = 'the agent edits a file and runs tests before it reports a result to the lead session'.split(
	' ',
);
const looks = ['\u001B[0m', '\u001B[0;36m', '\u001B[0;36;7m'];
const [plain, cyan, inverse] = [0, 1, 2];
let keys = 0;
let added = 0;
const message = n => `${String(n).padStart(5)} ${words.slice(n % 7, (n % 7) + 8).join(' ')}`;
const stream = Array.from({length: body}, () => message(added++));
// A cell is its character code and its look in one number.
let shown = new Uint32Array(columns * rows);
let next = new Uint32Array(columns * rows);

function put(x, y, text, look, width) {
	const end = Math.min(text.length, width);
	for (let i = 0; i < end; i++) next[y * columns + x + i] = (text.charCodeAt(i) << 2) | look;
}

function pane(x, width, lines, selected = -1) {
	const side = '─'.repeat(width - 2);
	put(x, 0, `╭${side}╮`, plain, width);
	put(x, body + 1, `╰${side}╯`, plain, width);
	for (let y = 0; y < body; y++) {
		put(x, y + 1, '│', plain, 1);
		put(x + width - 1, y + 1, '│', plain, 1);
		put(x + 1, y + 1, lines(y), y === selected ? inverse : cyan, width - 2);
	}
}

function draw() {
	next.fill(32 << 2);
	pane(0, 30, y => `session ${y} worker`, keys % body);
	pane(30, 60, y => stream[y]);
	pane(90, 30, y => `detail ${y} value ${y * 7}`);
	put(0, rows - 1, `READY k=${keys}; items=${added}`, plain, columns);
	let out = '';
	let look = -1;
	let at = -1;
	for (let cell = 0; cell < next.length; cell++) {
		const value = next[cell];
		if (value === shown[cell]) continue;
		if (at !== cell || cell % columns === 0)
			out += `\u001B[${Math.floor(cell / columns) + 1};${(cell % columns) + 1}H`;
		if ((value & 3) !== look) {
			look = value & 3;
			out += looks[look];
		}
		out += String.fromCharCode(value >> 2);
		at = cell + 1;
	}
	[shown, next] = [next, shown];
	if (out) process.stdout.write(`\u001B[?2026h${out}\u001B[0m\u001B[?2026l`);
}

process.stdout.write('\u001B[?1049h\u001B[?25l');
draw();
process.stdin.setRawMode?.(true);
process.stdin.on('data', data => {
	if (data.includes(3)) {
		process.stdout.write('\u001B[?25h\u001B[?1049l', () => process.exit(0));
		return;
	}
	keys += data.length;
	draw();
});
const rate = Number(process.env.STREAM ?? 0);
if (rate)
	setInterval(() => {
		stream.push(message(added++));
		stream.shift();
		draw();
	}, 1000 / rate);
