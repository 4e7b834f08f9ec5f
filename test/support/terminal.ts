import {spawnSync} from 'node:child_process';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {onTestFailed, TestRunner} from 'vitest';
import {patience} from './eventually.ts';
import {keySequence} from './key-sequence.ts';

/** A program in a real pty whose screen is a headless xterm: press, type, see. */
export type Terminal = {
	readonly pid: number;
	/** Everything the program wrote, raw. */
	readonly output: () => string;
	/** Keys by name: `enter`, `esc`, `tab`, `up`, `ctrl+j`, `shift+tab`, or single characters; one write each. */
	/** Waits until a text on the screen looks so. */
	seeLook(text: string, isSo: (look: Look) => boolean): Promise<void>;
	/** Waits until the cursor stands in a row that shows it, and can be seen. */
	seeCursorAt(what: RegExp): Promise<void>;
	press(...keys: string[]): void;
	/** Text as it would be typed, one write. */
	type(text: string): void;
	paste(text: string): void;
	/** Waits until the screen shows it; rejects with a picture of the screen. */
	see(what: string | RegExp, options?: Wait): Promise<void>;
	/** Waits until the screen doesn't show it any more. */
	gone(what: string | RegExp, options?: Wait): Promise<void>;
	screen(): string;
	row(index: number): string;
	modes(): Modes;
	/** How the first cell of a text on the screen looks: SGR color as `#rrggbb`, `P` and a palette index, or `own`. */
	look(text: string): Look;
	/** The background, from now on, and the program is told so where it asked (mode 2031). */
	setBackground(color: string): void;
	resize(columns: number, rows: number): void;
	/** Waits until it has ended; rejects with a picture of the screen. */
	exit(): Promise<Exit>;
	hasEnded(): boolean;
	kill(signal?: string): void;
};

/** For a shell's last line: waits until its last words were read. Keys that nobody took may stand before the word. */
export const untilRead = 'while read -r word; do case $word in *read) break;; esac; done';

type Wait = {within?: number};

type Exit = {code: number; signal?: number};

export type Modes = {
	alternateScreen: boolean;
	bracketedPaste: boolean;
	mouse: boolean;
	focusReports: boolean;
	applicationCursorKeys: boolean;
	cursorHidden: boolean;
	/** Depth of the kitty keyboard stack: pushes minus pops. */
	kittyKeyboard: number;
};

export type Look = {readonly color: string; readonly background: string; readonly isInverse: boolean};

export type TerminalOptions = {
	command: string;
	args?: readonly string[];
	env?: NodeJS.ProcessEnv;
	/** Over what a terminal gives its programs: what is about the terminal itself. */
	terminalEnv?: NodeJS.ProcessEnv;
	cwd?: string;
	columns?: number;
	rows?: number;
	/** What is answered when the background is asked for (OSC 11), such as `rgb:ffff/ffff/ffff`; absent: nothing. */
	background?: string;
	/**
	 * What a shell writes last before it waits (`untilRead`). What is written as a pty's last process goes can be lost with
	 * the pty, so the shell is let go only once this was read.
	 */
	lastWords?: RegExp;
};

export function openTerminal({
	command,
	args = [],
	env,
	terminalEnv,
	cwd,
	columns = 120,
	rows = 40,
	background,
	lastWords,
}: TerminalOptions): Terminal {
	const screen = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 1000});
	const watchers = new Set<() => void>();
	let ground = background;
	let output = '';
	let isGone = false;
	/** How it ended, once all that it wrote is on the screen. */
	let ended: Exit | undefined;
	let isReleased = lastWords === undefined;
	const pty = spawn(command, [...args], {
		name: 'xterm-256color',
		cols: columns,
		rows,
		cwd,
		env: {...terminalEnvironment(env ?? process.env), ...terminalEnv},
	});
	/** The picture before the frame that is being drawn (mode 2026): no terminal shows half a frame. */
	let held: readonly string[] | undefined;
	screen.parser.registerCsiHandler({prefix: '?', final: 'h'}, ([mode]) => {
		if (mode === 2026) held = drawnRows();
		return false;
	});
	screen.parser.registerCsiHandler({prefix: '?', final: 'l'}, ([mode]) => {
		if (mode === 2026) held = undefined;
		return false;
	});
	const tell = () => {
		for (const watcher of watchers) watcher();
	};
	pty.onData(data => {
		output += data;
		screen.write(data, tell);
		if (!isReleased && lastWords?.test(output)) {
			isReleased = true;
			pty.write('read\n');
		}
	});
	// The terminal's own answers (device attributes, cursor position) go back to the program.
	screen.onData(reply => {
		if (!isGone) pty.write(reply);
	});
	screen.parser.registerOscHandler(11, question => {
		if (question !== '?' || ground === undefined || isGone) return false;
		pty.write(`\u001B]11;${ground}\u001B\\`);
		return true;
	});
	pty.onExit(({exitCode, signal}) => {
		isGone = true;
		// What it wrote last may still wait to be drawn.
		screen.write('', () => {
			held = undefined;
			ended = signal ? {code: exitCode, signal} : {code: exitCode};
			tell();
		});
	});
	const drawnRows = (): readonly string[] => {
		const buffer = screen.buffer.active;
		return Array.from(
			{length: screen.rows},
			(_, y) => buffer.getLine(buffer.viewportY + y)?.translateToString(true) ?? '',
		);
	};
	const rowsOf = () => held ?? drawnRows();
	const lookOf = (text: string): Look => {
		const y = rowsOf().findIndex(row => row.includes(text));
		const row = rowsOf()[y];
		if (row === undefined) throw new Error(`The screen doesn't show ${text}:\n${rowsOf().join('\n')}`);
		const buffer = screen.buffer.active;
		// Rows of these tests hold no wide characters before what is looked at.
		const cell = buffer.getLine(buffer.viewportY + y)?.getCell(row.indexOf(text));
		if (!cell) throw new Error(`There is no cell at ${text}`);
		const color = (isRgb: boolean, isPalette: boolean, value: number) =>
			isRgb ? `#${value.toString(16).padStart(6, '0')}` : isPalette ? `P${value}` : 'own';
		return {
			color: color(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
			background: color(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
			isInverse: cell.isInverse() !== 0,
		};
	};
	const isCursorHidden = () => output.lastIndexOf('\u001B[?25l') > output.lastIndexOf('\u001B[?25h');
	const picture = () => rowsOf().join('\n');
	const holds = (what: string | RegExp) =>
		typeof what === 'string' ? picture().includes(what) : what.test(picture());

	function until(isTrue: () => boolean, what: string, {within = patience}: Wait = {}): Promise<void> {
		return new Promise((resolve, reject) => {
			const done = (error?: Error) => {
				clearTimeout(timer);
				watchers.delete(check);
				if (error) reject(error);
				else resolve();
			};
			const fail = (why: string) =>
				done(new Error(`${why} ${what}. The screen:\n${picture()}\n${processes(pty.pid)}`));
			const check = () => {
				if (isTrue()) done();
				else if (ended) fail('The program ended before');
			};
			const timer = setTimeout(() => fail(`${within} ms went by before`), within);
			watchers.add(check);
			check();
		});
	}

	// Whatever the test waited for when its time was over. Hooks and the soak have no test.
	if (process.env.VITEST && TestRunner.getCurrentTest())
		onTestFailed(() => {
			if (!ended)
				process.stderr.write(
					`${[command, ...args].join(' ')} goes on. The screen:\n${picture().trimEnd()}\n`,
				);
		});

	return {
		pid: pty.pid,
		output: () => output,
		press(...keys) {
			for (const key of keys) pty.write(keySequence(key));
		},
		type: text => pty.write(text),
		paste: text => pty.write(`\u001B[200~${text}\u001B[201~`),
		see: (what, options) => until(() => holds(what), `the screen showed ${String(what)}`, options),
		gone: (what, options) => until(() => !holds(what), `the screen lost ${String(what)}`, options),
		seeLook: (text, isSo) =>
			until(() => !held && picture().includes(text) && isSo(lookOf(text)), `${text} looked as it should`),
		seeCursorAt: what =>
			until(
				() => !held && !isCursorHidden() && what.test(rowsOf()[screen.buffer.active.cursorY] ?? ''),
				`the cursor stood at ${what}`,
			),
		screen: picture,
		row: index => rowsOf()[index] ?? '',
		modes: () => ({
			alternateScreen: screen.buffer.active.type === 'alternate',
			bracketedPaste: screen.modes.bracketedPasteMode,
			mouse: screen.modes.mouseTrackingMode !== 'none',
			focusReports: screen.modes.sendFocusMode,
			applicationCursorKeys: screen.modes.applicationCursorKeysMode,
			cursorHidden: isCursorHidden(),
			kittyKeyboard: count(output, /\u001B\[>\d+u/g) - count(output, /\u001B\[<\d*u/g),
		}),
		look: lookOf,
		setBackground(color) {
			ground = color;
			if (output.lastIndexOf('\u001B[?2031h') > output.lastIndexOf('\u001B[?2031l'))
				pty.write('\u001B[?997;2n');
		},
		resize(toColumns, toRows) {
			screen.resize(toColumns, toRows);
			pty.resize(toColumns, toRows);
		},
		async exit() {
			await until(() => ended !== undefined, 'the program ended');
			return ended as Exit;
		},
		hasEnded: () => ended !== undefined,
		kill: signal => pty.kill(signal),
	};
}

/** What a terminal gives its programs: nothing of CI, colors on. */
export function terminalEnvironment(from: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const {CI, NO_COLOR, FORCE_COLOR, TMUX, NODE_EXTRA_CA_CERTS, VITEST, NODE_ENV, ...kept} = from;
	return {...kept, TERM: 'xterm-256color', COLORTERM: 'truecolor'};
}

/** What runs in a pty, by thread: one that doesn't end shows what it waits for. */
function processes(leader: number): string {
	const {stdout} = spawnSync('ps', ['-L', '-o', 'pid,ppid,stat,time,wchan:20,comm', '-s', `${leader}`], {
		encoding: 'utf8',
	});
	return `Its processes:\n${stdout}`;
}

function count(text: string, pattern: RegExp): number {
	return text.match(pattern)?.length ?? 0;
}
