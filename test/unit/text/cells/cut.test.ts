import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {cleanLine, cleanText} from '../../../../src/text/cells/clean.ts';
import {cutEnd, cutMiddle, cutStart, pad} from '../../../../src/text/cells/cut.ts';
import {graphemes, textWidth} from '../../../../src/text/cells/graphemes.ts';
import {fitLine, lineText, lineWidth, padLine, span} from '../../../../src/text/cells/line.ts';
import {hostileText} from '../../../support/hostile-text.ts';

const clean = (text: string) => cleanLine(text);

test('cuts and pads by columns', () => {
	expect(cutEnd(clean('abcdef'), 6)).toBe('abcdef');
	expect(cutEnd(clean('abcdef'), 4)).toBe('abc\u2026');
	expect(cutEnd(clean('\u6f22\u5b57'), 3)).toBe('\u6f22\u2026');
	expect(cutEnd(clean('ab'), 0)).toBe('');
	expect(cutStart(clean('abcdef'), 6)).toBe('abcdef');
	expect(cutStart(clean('abcdef'), 4)).toBe('\u2026def');
	expect(cutStart(clean('ab'), 0)).toBe('');
	expect(cutMiddle(clean('/home/someone/file.ts'), 11)).toBe('/home\u2026le.ts');
	expect(pad(clean('ab'), 4)).toBe('ab  ');
	expect(pad(clean('ab'), 4, 'end')).toBe('  ab');
	expect(pad(clean('\u6f22\u5b57\u6f22'), 4)).toBe('\u6f22\u2026 ');
});

test('fits and fills a line', () => {
	const line = [span(clean('abc'), 'dim'), span(clean('defg'))];
	expect(lineText(fitLine(line, 7))).toBe('abcdefg');
	expect(lineText(fitLine(line, 5))).toBe('abcd\u2026');
	expect(lineText(fitLine(line, 3))).toBe('ab\u2026');
	expect(lineText(fitLine(line, 0))).toBe('');
	expect(lineText(padLine(line, 9))).toBe('abcdefg  ');
});

test('measures widths as Ink does, and cuts to fit', () => {
	fc.assert(
		fc.property(hostileText, fc.integer({min: 0, max: 20}), (raw, width) => {
			const text = cleanText(raw).replaceAll('\n', ' ');
			expect(textWidth(text)).toBe(stringWidth(text));
			const line = clean(raw);
			expect(stringWidth(cutEnd(line, width))).toBeLessThanOrEqual(width);
			expect(stringWidth(cutStart(line, width))).toBeLessThanOrEqual(width);
			expect(stringWidth(cutMiddle(line, width))).toBeLessThanOrEqual(width);
			expect(stringWidth(pad(line, width))).toBe(width);
			expect(lineWidth(fitLine([span(line), span(line, 'dim')], width))).toBeLessThanOrEqual(width);
		}),
		{numRuns: 200},
	);
});

test('finds the same graphemes as the segmenter', () => {
	const segmenter = new Intl.Segmenter();
	fc.assert(
		fc.property(fc.oneof(hostileText, fc.string({unit: 'binary'})), text => {
			const plain = text.replaceAll(/[\0-\x1f\x7f-\x9f]/g, 'x');
			expect(graphemes(plain)).toEqual(Array.from(segmenter.segment(plain), part => part.segment));
		}),
		{numRuns: 200},
	);
});

test('every unit that counts as standing alone has its width in Ink and joins nothing', async () => {
	const {plainColumns} = await import('../../../../src/text/cells/graphemes.ts');
	const segmenter = new Intl.Segmenter();
	const wrong: string[] = [];
	for (let unit = 0; unit < 0x10000; unit++) {
		const columns = plainColumns(unit);
		if (columns === 0) continue;
		const character = String.fromCharCode(unit);
		const doubled = [...segmenter.segment(character + character)].length;
		if (stringWidth(character) !== columns || doubled !== 2 || /\p{Cn}/u.test(character))
			wrong.push(unit.toString(16));
	}
	expect(wrong).toEqual([]);
});
