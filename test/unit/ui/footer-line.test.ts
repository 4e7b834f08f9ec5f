import {expect, test} from 'vitest';
import {lineText, lineWidth} from '../../../src/text/cells/line.ts';
import {bindings} from '../../../src/ui/bindings.ts';
import type {Hint} from '../../../src/ui/keys/hints.ts';
import {footerLine} from '../../../src/ui/panes/footer-line.ts';

const hintsOf = (context: string): readonly Hint[] =>
	bindings
		.filter(({contexts, hint}) => hint && (contexts as readonly string[]).includes(context))
		.map(binding => ({binding, key: binding.keys[0] ?? '', label: binding.hint ?? ''}));
const hints = hintsOf('lists');

test.each([60, 80, 120])(
	'at %i columns, the footer ends with help and quit, with whole hints before them',
	columns => {
		const line = footerLine(hints, undefined, columns);
		expect(lineWidth(line)).toBe(columns);
		expect(lineText(line).trimEnd()).toMatch(/^ Enter open .*\? keys {3}q quit$/);
	},
);

test('shows a notice at the right end', () => {
	const notice = {id: 1, tone: 'good', text: 'gpu-1 is up', at: 0} as const;
	const line = footerLine(hints, notice, 60);
	expect(lineWidth(line)).toBe(60);
	expect(lineText(line)).toMatch(/q quit .*✓ gpu-1 is up $/);
});

test.each([
	['info', 40, /^ Enter open .*\? keys {3}q quit .*· x{40} $/],
	['bad', 50, /^ a add {3}\? keys {3}q quit .*✗ x{50} $/],
	['info', 55, /^ \? keys {3}q quit .*· x{55} $/],
	['bad', 70, /^ +✗ x{70} $/],
	['info', 76, /^ · x{76} $/],
	['bad', 200, /^ \? keys {3}q quit {2}✗ x+…$/],
] as const)(
	'a notice (%s) of %i columns: drops hints before it is cut, but only if that helps',
	(tone, length, row) => {
		const line = footerLine(hints, {id: 1, tone, text: 'x'.repeat(length), at: 0}, 80);
		expect(lineWidth(line)).toBe(80);
		expect(lineText(line)).toMatch(row);
	},
);

test('a notice is cut between words', () => {
	const text = `The computer that the session was on is gone, ${'and so is its folder, '.repeat(6)}too`;
	const line = footerLine(hints, {id: 1, tone: 'bad', text, at: 0}, 80);
	expect(lineText(line).trimEnd()).toMatch(/q quit +✗ .*(and|so|is|its|folder,)…$/);
});

test('a lasting notice leaves help and quit in place', () => {
	const notice = {id: 1, tone: 'bad', text: 'x'.repeat(70), at: 0, until: 60_000} as const;
	expect(lineText(footerLine(hints, notice, 80))).toMatch(/^ \? keys {3}q quit {2}✗ x+…$/);
});

test('a notice beside a form leaves the keys that submit and cancel it in place', () => {
	const notice = {id: 1, tone: 'good', text: 'Renamed on this machine; u undoes this', at: 0} as const;
	expect(lineText(footerLine(hintsOf('form'), notice, 80))).toMatch(/Enter \S+ {3}Esc cancel +✓ Renamed/);
});
