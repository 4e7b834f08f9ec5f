import xterm from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {shortenFrame} from '../../../src/term/shorten-frame.ts';

test.each([
	['steps over rows', 'a\x1b[E\x1b[E\x1b[Eb', 'a\x1b[3Eb'],
	['one step', 'a\x1b[Eb', 'a\x1b[Eb'],
	['colors without text', '\x1b[38;5;239m\x1b[39m\x1b[31m\x1b[38;2;1;2;3mx', '\x1b[38;2;1;2;3mx'],
	['colors with text', '\x1b[31mx\x1b[39m', '\x1b[31mx\x1b[m'],
	['styles with no text', '\x1b[31m\x1b[1m\x1b[22m\x1b[39m', ''],
	['styles that go on', '\x1b[31mx\x1b[39m\x1b[E\x1b[39m\x1b[31my\x1b[39m', '\x1b[31mx\x1b[Ey\x1b[m'],
	['several styles', '\x1b[31m\x1b[1mx\x1b[22m\x1b[48;5;1my', '\x1b[1;31mx\x1b[22;48;5;1my'],
	['bold and faint', '\x1b[1m\x1b[2mx\x1b[22m\x1b[2my', '\x1b[1;2mx\x1b[22;2my'],
	['blanks of an erased row', '\x1b[5G\x1b[Ka          b', '\x1b[5G\x1b[Ka\x1b[10Cb'],
	['blanks of a row that may have text', 'a          b', 'a          b'],
	['blanks after a move', '\x1b[K\x1b[2Aa          b', '\x1b[K\x1b[2Aa          b'],
	['blanks on a color', '\x1b[K\x1b[41m          b', '\x1b[K\x1b[41m          b'],
	['blanks erased to a color', '\x1b[41m\x1b[K\x1b[m          b', '\x1b[41m\x1b[K\x1b[m          b'],
	['what the shell left on', '\x1b[?1049h\x1b[39ma', '\x1b[?1049h\x1b[ma'],
	['a wide blank', '\x1b[K\x1b[31m      \u3000\x1b[m', '\x1b[K\x1b[31m\x1b[6C\u3000\x1b[m'],
	['an unknown style', '\x1b[31m\x1b[53m\x1b[39m', '\x1b[31m\x1b[53m\x1b[39m'],
	['a style with parts', '\x1b[4:3mx\x1b[m\x1b[m', '\x1b[4:3mx\x1b[m\x1b[m'],
	['what is no style', '\x1b[>4;2mx\x1b[m\x1b[m', '\x1b[>4;2mx\x1b[m\x1b[m'],
])('%s', (_, before, after) => {
	expect(shortenFrame(before)).toBe(after);
});

test('a shortened frame gives the same screen', async () => {
	const part = fc.oneof(
		fc.constantFrom('\x1b[E', '\x1b[K', '\x1b[J', '\x1b[2A', '\x1b[5G', '\r\n'),
		fc.constantFrom('\x1b[39m', '\x1b[31m', '\x1b[97m', '\x1b[38;5;239m', '\x1b[38;2;9;8;7m'),
		fc.constantFrom('\x1b[48;5;3m', '\x1b[49m', '\x1b[41m', '\x1b[m', '\x1b[0m', '\x1b[1;32m'),
		...[1, 2, 3, 4, 7, 9].map(style =>
			fc.constantFrom(`\x1b[${style}m`, `\x1b[${Math.max(22, 20 + style)}m`),
		),
		fc.constantFrom('x', 'word ', '日', 'a         b', '            ', '      \u3000', '\u00a0'),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(part, {maxLength: 60}), async parts => {
			const frame = parts.join('');
			expect(await cells(shortenFrame(frame))).toEqual(await cells(frame));
		}),
		{examples: [[['\x1b[K', '\x1b[31m', '      \u3000']]]},
	);
});

const columns = 400;

/** What every cell of a screen shows, whose rows no frame fills, and in which look; and where the cursor is. */
async function cells(output: string): Promise<unknown[]> {
	const model = new xterm.Terminal({cols: columns, rows: 8, allowProposedApi: true, scrollback: 0});
	await new Promise<void>(resolve => model.write(output, resolve));
	const {active} = model.buffer;
	const looks = Array.from({length: 8}, (_, y) =>
		Array.from({length: columns}, (_, x) => {
			const cell = active.getLine(y)?.getCell(x);
			const onSpaces = [cell?.getBgColor(), cell?.isInverse(), cell?.isUnderline(), cell?.isStrikethrough()];
			if (cell?.getWidth() !== 0 && /^ ?$/.test(cell?.getChars() ?? '')) return onSpaces.join();
			const ofText = [cell?.getChars(), cell?.getFgColor(), cell?.isBold(), cell?.isDim(), cell?.isItalic()];
			return [...onSpaces, ...ofText].join();
		}),
	);
	return [looks, active.cursorX, active.cursorY];
}
