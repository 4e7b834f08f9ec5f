import {expect, test} from 'vitest';
import {bindings} from '../../../src/keys/bindings.ts';
import type {Hint} from '../../../src/keys/hints.ts';
import {lineText, lineWidth} from '../../../src/text/cells/line.ts';
import {footerLine} from '../../../src/ui/panes/footer-line.ts';

const hints: readonly Hint[] = bindings
	.filter(({contexts, hint}) => hint && (contexts as readonly string[]).includes('lists'))
	.map(binding => ({binding, key: binding.keys[0] ?? '', label: binding.hint ?? ''}));

test.each([60, 80, 120])(
	'at %i columns the footer ends with help and quit, whole hints before them',
	columns => {
		const line = footerLine(hints, undefined, columns);
		expect(lineWidth(line)).toBe(columns);
		expect(lineText(line).trimEnd()).toMatch(/^ Enter open .*\? keys {3}q quit$/);
	},
);

test('a notice takes its room at the right end', () => {
	const notice = {id: 1, tone: 'good', text: 'gpu-1 is up', at: 0} as const;
	const line = footerLine(hints, notice, 60);
	expect(lineWidth(line)).toBe(60);
	expect(lineText(line)).toMatch(/q quit .*✓ gpu-1 is up $/);
});

test('a long notice is cut before help and quit are; one that is no error, before the first hint is', () => {
	const notice = {id: 1, tone: 'bad', text: 'the folder can not be used: '.repeat(8), at: 0} as const;
	const line = footerLine(hints, notice, 80);
	expect(lineWidth(line)).toBe(80);
	expect(lineText(line)).toMatch(/^ \? keys {3}q quit .*✗ the folder/);
	expect(lineText(footerLine(hints, {...notice, tone: 'info'}, 80))).toMatch(
		/^ Enter open {3}\? keys {3}q quit .*· the folder/,
	);
});
