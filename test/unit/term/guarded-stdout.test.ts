import {EventEmitter} from 'node:events';
import type {WriteStream} from 'node:tty';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {GuardedStdout} from '../../../src/term/guarded-stdout.ts';
import {TerminalModes} from '../../../src/term/modes.ts';

/** What the terminal gets of a frame. */
function writtenOf(frame: string): string {
	let written = '';
	const stream = Object.assign(new EventEmitter(), {
		columns: 80,
		rows: 24,
		destroyed: false,
		write(text: string) {
			written += text;
		},
	});
	const stdout = new GuardedStdout(stream as unknown as WriteStream, new TerminalModes());
	stdout.write(frame);
	stdout.close();
	return written;
}

test.each([
	['colors without text', '\x1b[38;5;239m\x1b[39m\x1b[31m\x1b[38;2;1;2;3mx', '\x1b[38;2;1;2;3mx'],
	['other styles between them', '\x1b[31m\x1b[1m\x1b[22m\x1b[39mx', '\x1b[1m\x1b[22m\x1b[39mx'],
	['backgrounds', '\x1b[41m\x1b[31m\x1b[48;5;1mx\x1b[49m', '\x1b[31m\x1b[48;5;1mx\x1b[49m'],
	['colors with text', '\x1b[31mx\x1b[39m', '\x1b[31mx\x1b[39m'],
	['an erasure, which shows the background', '\x1b[41m\x1b[K\x1b[49m', '\x1b[41m\x1b[K\x1b[49m'],
])('leaves out unused colors: %s', (_, frame, written) => {
	expect(writtenOf(frame)).toBe(written);
});

test('without unused colors the screen is the same', async () => {
	const part = fc.constantFrom(
		...['\x1b[39m', '\x1b[31m', '\x1b[38;5;239m', '\x1b[38;2;9;8;7m', '\x1b[97m', '\x1b[m', '\x1b[1;32m'],
		...[
			'\x1b[49m',
			'\x1b[41m',
			'\x1b[48;5;3m',
			'\x1b[48;2;1;2;3m',
			'\x1b[1m',
			'\x1b[22m',
			'\x1b[7m',
			'\x1b[27m',
		],
		...['x', ' ', '\x1b[K', '\x1b[E', '\x1b[5G'],
	);
	await fc.assert(
		fc.asyncProperty(fc.array(part, {maxLength: 20}), async parts => {
			const frame = parts.join('');
			expect(await cells(writtenOf(frame))).toEqual(await cells(frame));
		}),
	);
});

/** The text and look of every cell. */
async function cells(output: string): Promise<unknown[]> {
	// As large as twenty parts may need.
	const [cols, rows] = [26, 21];
	const model = new xterm.Terminal({cols, rows, allowProposedApi: true});
	await new Promise<void>(resolve => model.write(output, resolve));
	return Array.from({length: cols * rows}, (_, index) => {
		const cell = model.buffer.active.getLine(Math.floor(index / cols))?.getCell(index % cols);
		const colors = [cell?.getFgColorMode(), cell?.getFgColor(), cell?.getBgColorMode(), cell?.getBgColor()];
		return [cell?.getChars(), ...colors, cell?.isBold(), cell?.isInverse()].join();
	});
}
