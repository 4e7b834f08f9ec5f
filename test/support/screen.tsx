import {EventEmitter} from 'node:events';
import {PassThrough} from 'node:stream';
import {Terminal} from '@xterm/headless';
import {type Instance, render} from 'ink';
import stringWidth from 'string-width';
import {onTestFinished} from 'vitest';
import type {ColorDepth} from '../../src/domain/display.ts';
import {App} from '../../src/ui/app.tsx';
import type {AppParts} from '../../src/ui/use-app.ts';
import {patience} from './eventually.ts';

/** The real App on a terminal model: what a user would see, row by row. */
export type Screen = {
	/** Rows as text, as wide as the terminal, when everything written has arrived. */
	rows(): Promise<string[]>;
	/** The character of every cell, row by row; the second cell of a wide character is empty. */
	cells(): string[][];
	/** Waits until the rows satisfy `isReady`; fails with the screen in its message. */
	until(isReady: (rows: readonly string[]) => boolean): Promise<string[]>;
	/** Types keys, as the terminal sends them. */
	press(...keys: readonly string[]): Promise<void>;
	resize(columns: number, rows: number): Promise<void>;
	cursor(): {x: number; y: number};
	/** Everything that was written, raw. */
	readonly written: readonly string[];
	close(): void;
};

/** The model asks for every cell, and the answer takes long. */
const widths = new Map<number, 0 | 1 | 2>();

/**
 * Widths as terminals have them that advance by code point, as xterm, tmux and VTE do; the model's own are those of
 * Unicode 6, where no emoji is wide.
 */
const byCodePoint = {
	version: 'code points',
	wcwidth(code: number): 0 | 1 | 2 {
		const known = widths.get(code);
		if (known !== undefined) return known;
		const width = Math.min(2, stringWidth(String.fromCodePoint(code))) as 0 | 1 | 2;
		widths.set(code, width);
		return width;
	},
	charProperties(code: number, before: number): number {
		const width = this.wcwidth(code);
		const joins = before !== 0 && width === 0;
		return properties(joins ? (before >> 1) & 3 : width, joins);
	},
};

/** The same for those that advance by grapheme: what joins stays in the cell, and a selector for emoji makes it wide. */
const byGrapheme = {
	...byCodePoint,
	version: 'graphemes',
	charProperties(code: number, before: number): number {
		const width = this.wcwidth(code);
		const widthBefore = (before >> 1) & 3;
		const stateBefore = before >> 3;
		const isFlagHalf = code >= 0x1f1e6 && code <= 0x1f1ff;
		const isSkinTone = code >= 0x1f3fb && code <= 0x1f3ff;
		const joins =
			before !== 0 &&
			widthBefore > 0 &&
			(width === 0 ||
				stateBefore === afterJoiner ||
				(isSkinTone && widthBefore === 2) ||
				(isFlagHalf && stateBefore === afterFlagHalf));
		const isWidened = joins && (code === 0xfe0f || isFlagHalf);
		const state = code === 0x200d ? afterJoiner : isFlagHalf && !joins ? afterFlagHalf : 0;
		return (state << 3) | properties(isWidened ? 2 : joins ? widthBefore : width, joins);
	},
};
const afterJoiner = 1;
const afterFlagHalf = 2;

/** As the model takes them: the lowest bit says joined, two the width, the others are ours: what the next one may join. */
function properties(width: number, joins: boolean): number {
	return (width << 1) | (joins ? 1 : 0);
}

/** How the terminal of a screen advances. */
const advances = {byCodePoint, byGrapheme};

class Output extends EventEmitter {
	readonly isTTY = true;
	readonly written: string[] = [];
	columns: number;
	rows: number;
	readonly terminal: Terminal;

	constructor(columns: number, rows: number, advance: typeof byCodePoint) {
		super();
		this.columns = columns;
		this.rows = rows;
		this.terminal = new Terminal({cols: columns, rows, allowProposedApi: true, convertEol: true});
		this.terminal.unicode.register(advance);
		this.terminal.unicode.activeVersion = advance.version;
	}

	write(text: string, ...rest: readonly unknown[]): boolean {
		this.written.push(text);
		const callback = rest.find(value => typeof value === 'function') as (() => void) | undefined;
		this.terminal.write(text, callback);
		return true;
	}
}

class Input extends PassThrough {
	readonly isTTY = true;
	setRawMode(): this {
		return this;
	}
	ref(): this {
		return this;
	}
	unref(): this {
		return this;
	}
}

/** Whether all of these stand on the screen. */
export function has(...words: readonly (string | RegExp)[]): (rows: readonly string[]) => boolean {
	return rows => {
		const text = rows.join('\n');
		return words.every(word => (typeof word === 'string' ? text.includes(word) : word.test(text)));
	};
}

/** It closes with the test. */
export function openScreen(
	parts: AppParts,
	columns: number,
	rows: number,
	colors: ColorDepth = 'truecolor',
	advance: keyof typeof advances = 'byGrapheme',
): Screen {
	parts.display.setState({colors});
	const output = new Output(columns, rows, advances[advance]);
	const input = new Input();
	const app: Instance = render(<App parts={parts} />, {
		stdout: output as unknown as NodeJS.WriteStream,
		stdin: input as unknown as NodeJS.ReadStream,
		interactive: true,
		alternateScreen: true,
		incrementalRendering: true,
		maxFps: 120,
		exitOnCtrlC: false,
		patchConsole: false,
	});
	onTestFinished(() => app.unmount());

	async function read(): Promise<string[]> {
		await app.waitUntilRenderFlush();
		await new Promise<void>(resolve => output.terminal.write('', resolve));
		const {active} = output.terminal.buffer;
		return Array.from(
			{length: output.rows},
			(_, y) => active.getLine(active.baseY + y)?.translateToString(false) ?? '',
		);
	}

	async function until(isReady: (rows: readonly string[]) => boolean): Promise<string[]> {
		const end = Date.now() + patience;
		for (;;) {
			const seen = await read();
			if (isReady(seen)) return seen;
			if (Date.now() > end) throw new Error(`The screen never got there:\n${seen.join('\n')}`);
			await new Promise(resolve => setTimeout(resolve, 5));
		}
	}

	return {
		rows: read,
		until,
		cells() {
			const {active} = output.terminal.buffer;
			return Array.from({length: output.rows}, (_, y) =>
				Array.from({length: output.columns}, (__, x) => active.getLine(y)?.getCell(x)?.getChars() ?? ''),
			);
		},
		async press(...keys) {
			for (const key of keys) {
				input.write(key);
				await new Promise(resolve => setImmediate(resolve));
				// A lone escape is held for a moment: it may begin a sequence.
				if (key === '\x1b') await new Promise(resolve => setTimeout(resolve, 30));
			}
			await read();
		},
		async resize(width, height) {
			output.columns = width;
			output.rows = height;
			output.terminal.resize(width, height);
			output.emit('resize');
			await read();
		},
		cursor: () => ({x: output.terminal.buffer.active.cursorX, y: output.terminal.buffer.active.cursorY}),
		written: output.written,
		close: () => app.unmount(),
	};
}
