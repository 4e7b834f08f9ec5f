import xterm from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {shortenFrame} from '../../../src/term/guarded-stdout.ts';

test.each([
	['steps over rows', 'a\x1b[E\x1b[E\x1b[Eb', 'a\x1b[3Eb'],
	['one step', 'a\x1b[Eb', 'a\x1b[Eb'],
	['colors without text', '\x1b[38;5;239m\x1b[39m\x1b[31m\x1b[38;2;1;2;3mx', '\x1b[38;2;1;2;3mx'],
	['colors with text', '\x1b[31mx\x1b[39m', '\x1b[31mx\x1b[39m'],
	['other looks between', '\x1b[31m\x1b[1m\x1b[39m', '\x1b[31m\x1b[1m\x1b[39m'],
	['backgrounds', '\x1b[48;5;1m\x1b[49m', '\x1b[48;5;1m\x1b[49m'],
])('%s', (_, before, after) => {
	expect(shortenFrame(before)).toBe(after);
});

test('any frame gives the same screen', async () => {
	const part = fc.oneof(
		fc.constantFrom('\x1b[E', '\x1b[39m', '\x1b[31m', '\x1b[97m', '\x1b[38;5;239m', '\x1b[38;2;9;8;7m'),
		fc.constantFrom(
			'\x1b[1m',
			'\x1b[22m',
			'\x1b[7m',
			'\x1b[27m',
			'\x1b[48;5;3m',
			'\x1b[49m',
			'\x1b[K',
			'\x1b[2A',
		),
		fc.constantFrom('x', 'word ', '日', '\r\n', '\x1b[5G'),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(part, {maxLength: 60}), async parts => {
			const frame = parts.join('');
			expect(await cells(shortenFrame(frame))).toEqual(await cells(frame));
		}),
	);
});

/** What every cell of a small screen shows, and in which look; and where the cursor is. */
async function cells(output: string): Promise<unknown[]> {
	const model = new xterm.Terminal({cols: 20, rows: 8, allowProposedApi: true, scrollback: 0});
	await new Promise<void>(resolve => model.write(output, resolve));
	const {active} = model.buffer;
	const looks = Array.from({length: 8}, (_, y) =>
		Array.from({length: 20}, (_, x) => {
			const cell = active.getLine(y)?.getCell(x);
			return [cell?.getChars(), cell?.getFgColor(), cell?.getBgColor(), cell?.isBold(), cell?.isInverse()];
		}),
	);
	return [looks, active.cursorX, active.cursorY];
}
