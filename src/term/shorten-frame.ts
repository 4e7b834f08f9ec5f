/** A sequence, line feeds, or text. */
const token = /\x1b\[[\d;:?<>]*[A-Za-z]|\n+|[^\x1b\n]+|\x1b/g;
const rowSteps = /(?:\x1b\[E){2,}/g;
/** A step over so many spaces is shorter than they are. */
const longBlank = / {6,}/g;

/** The SGR parameters that turn styles off; some share one. */
const ends = {
	bold: 22,
	faint: 22,
	italic: 23,
	underline: 24,
	inverse: 27,
	strike: 29,
	foreground: 39,
	background: 49,
} as const;
type Style = keyof typeof ends;
const styles = Object.keys(ends) as Style[];
const beginnings: Readonly<Partial<Record<number, Style>>> = {
	...{1: 'bold', 2: 'faint', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'strike'},
	...{38: 'foreground', 48: 'background'},
};
const parameter = /[34]8;(?:5;\d+|2;\d+;\d+;\d+)|\d+/g;

/** The style that a parameter turns on. */
function beginningOf(code: number): Style | undefined {
	if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return 'foreground';
	if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return 'background';
	return beginnings[code];
}

const shownOnSpaces: readonly Style[] = ['underline', 'inverse', 'strike', 'background'];

/** The styles that are on, with their parameters. There is one object for the same styles. */
class Look {
	/** The styles that spaces show. */
	readonly ground: string;
	readonly #on: ReadonlyMap<Style, string>;
	readonly #next = new Map<string, Look | undefined>();
	readonly #changes = new Map<Look, string>();

	constructor(on: ReadonlyMap<Style, string>) {
		this.#on = on;
		this.ground = shownOnSpaces
			.map(name => on.get(name) ?? '')
			.join(' ')
			.trim();
	}

	/** The look after an SGR sequence; undefined if it turns on an unknown style or is another kind of sequence. */
	after(parameters: string): Look | undefined {
		if (!this.#next.has(parameters)) this.#next.set(parameters, this.#lookAfter(parameters));
		return this.#next.get(parameters);
	}

	/** The sequence that changes this look to another. */
	changeTo(next: Look): string {
		const change = this.#changes.get(next) ?? this.#sequenceTo(next);
		this.#changes.set(next, change);
		return change;
	}

	#lookAfter(parameters: string): Look | undefined {
		if (/[^\d;]/.test(parameters)) return undefined;
		const on = new Map(this.#on);
		for (const [value] of (parameters || '0').matchAll(parameter)) {
			const code = Number.parseInt(value, 10);
			const begun = beginningOf(code);
			const ended = styles.filter(name => ends[name] === code);
			if (begun) on.set(begun, value);
			else if (code === 0) on.clear();
			else if (ended.length > 0) for (const name of ended) on.delete(name);
			else return undefined;
		}
		return lookOf(on);
	}

	#sequenceTo(next: Look): string {
		const [from, to] = [this.#on, next.#on];
		if (to.size === 0) return '\x1b[m';
		const ended = new Set(styles.filter(name => from.has(name) && !to.has(name)).map(name => ends[name]));
		const begun = styles.filter(
			name => to.has(name) && (to.get(name) !== from.get(name) || ended.has(ends[name])),
		);
		return `\x1b[${[...ended, ...begun.map(name => to.get(name))].join(';')}m`;
	}
}

let plain = new Look(new Map());
const looks = new Map<string, Look>();
/** Looks are few: more come only from changed themes and from colors of tools. */
const maxLooks = 500;

function lookOf(on: ReadonlyMap<Style, string>): Look {
	if (on.size === 0) return plain;
	const key = styles.map(name => on.get(name) ?? '').join();
	const look = looks.get(key) ?? new Look(on);
	looks.set(key, look);
	return look;
}

/**
 * Shortens a frame without changing the picture, for slow connections: Ink steps over unchanged rows one by one, writes
 * styles again that are on or have no text, and draws the blanks of a row that it has just erased. A frame begins and
 * ends without styles.
 */
export function shortenFrame(frame: string): string {
	if (looks.size > maxLooks) {
		looks.clear();
		plain = new Look(new Map());
	}
	let output = '';
	let wanted = plain;
	let written = plain;
	/** Whether the rest of the row is blank. */
	let isErased = false;
	const writeLook = () => {
		if (wanted !== written) output += written.changeTo(wanted);
		written = wanted;
	};
	const source = frame.replace(rowSteps, stepsOf);
	token.lastIndex = 0;
	for (let start = 0; start < source.length; start = token.lastIndex) {
		// `matchAll` would create some hundred objects a frame. Tokens leave nothing out between them.
		token.test(source);
		const text = source.slice(start, token.lastIndex);
		const command = text.length > 1 && text.startsWith('\x1b') ? text.at(-1) : undefined;
		if (command === 'm') {
			const next = wanted.after(text.slice(2, -1));
			// What can be left out is unknown.
			if (!next) return frame;
			wanted = next;
		} else if (command === undefined && !text.startsWith('\n')) {
			const shown = isErased && wanted.ground === '' ? text.replace(longBlank, stepOver) : text;
			if (shown.length === text.length || /[^ ]/.test(text)) writeLook();
			output += shown;
		} else {
			// Erased and scrolled cells look as spaces do.
			if (wanted.ground !== written.ground) writeLook();
			// The first frame can't know which attributes the shell has left on.
			output += text.startsWith('\x1b[?1049') ? `${text}\x1b[m` : text;
			isErased = command === 'K' && wanted.ground === '';
		}
	}
	writeLook();
	return output;
}

function stepsOf(run: string): string {
	return `\x1b[${run.length / 3}E`;
}

function stepOver(blank: string): string {
	return `\x1b[${blank.length}C`;
}
