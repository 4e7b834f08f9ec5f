import fc from 'fast-check';
import {expect, test} from 'vitest';
import {csvLine} from '../../../../src/text/values/csv.ts';

test.each([
	[['plain', 1, -2.5, undefined, true, Number.NaN], 'plain,1,-2.5,,true,'],
	[['a,b', 'say "hi"', ' blank '], '"a,b","say ""hi"""," blank "'],
	[['=1+1', '+1', '-1', '@x', ' =x', '\uff1dx'], `"'=1+1","'+1","'-1","'@x","' =x","'\uff1dx"`],
	[['two\nlines', '\u001b[31m', '\t=x'], `two\u240alines,\u241b[31m,"'        =x"`],
])('%j', (cells, line) => {
	expect(csvLine(cells)).toBe(line);
});

test('a line reads back as its cells, none of them a formula', () => {
	const text = fc
		.oneof(fc.string(), fc.constantFrom('=a', '"', ',', "'", '+', '\n', ' -1', '""'))
		.map(one => one.slice(0, 60));
	fc.assert(
		fc.property(fc.array(text, {minLength: 1, maxLength: 6}), cells => {
			const line = csvLine(cells);
			expect(line).not.toMatch(/[\u0000-\u001f]/);
			const read = parse(line);
			expect(read).toHaveLength(cells.length);
			for (const cell of read) expect(cell).not.toMatch(/^\s*[=+\-@]/);
			for (const [index, cell] of cells.entries()) if (/^[\w ]*$/.test(cell)) expect(read[index]).toBe(cell);
		}),
	);
});

/** Reads one line as RFC 4180 says. */
function parse(line: string): string[] {
	const cells: string[] = [];
	for (const match of `,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g))
		cells.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
	return cells;
}
