import {expect, test} from 'vitest';
import type {Notice} from '../../../src/state/notices.ts';
import {lineText, lineWidth} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {bindings} from '../../../src/ui/bindings.ts';
import type {Hint} from '../../../src/ui/keys/hints.ts';
import {footerLine} from '../../../src/ui/panes/footer-pane.tsx';

const hintsOf = (context: string): readonly Hint[] =>
	bindings
		.filter(({contexts, hint}) => hint && (contexts as readonly string[]).includes(context))
		.map(binding => ({binding, key: binding.keys[0] ?? '', label: binding.hint ?? ''}));
const hints = hintsOf('lists');
const footer = (shown: readonly Hint[], notice: Notice | undefined, columns: number) =>
	footerLine(shown, notice, columns, safe`8`);

test.each([60, 80, 120])(
	'at %i columns, the footer ends with help and quit, with whole hints before them',
	columns => {
		const line = footer(hints, undefined, columns);
		expect(lineWidth(line)).toBe(columns);
		expect(lineText(line).trimEnd()).toMatch(/^ Enter open .*\? keys {3}q quit$/);
	},
);

test.each([
	['info', 80, 40, /^ Enter open .*\? keys {3}q quit .*· x{40} $/],
	['info', 80, 55, /^ \? keys {3}q quit .*· x{55} $/],
	['bad', 80, 68, /^ \? keys {2}✗ x{68} $/],
	['bad', 80, 75, /^ \? keys {3}q quit {2}✗ x+… 8 $/],
	['info', 40, 50, /^ \? keys {2}· x+… 8 $/],
] as const)(
	'a notice (%s, in %i columns) of %i columns displaces other hints before it is cut, but never help',
	(tone, columns, length, row) => {
		const line = footer(hints, {id: 1, tone, text: 'x'.repeat(length), at: 0}, columns);
		expect(lineWidth(line)).toBe(columns);
		expect(lineText(line)).toMatch(row);
	},
);

test('a notice is cut between words, and names the key of the view that has all of it', () => {
	const text = `The computer that the session was on is gone, ${'and so is its folder, '.repeat(6)}too`;
	const line = footer(hints, {id: 1, tone: 'bad', text, at: 0}, 80);
	expect(lineText(line).trimEnd()).toMatch(/q quit +✗ .*(and|so|is|its|folder,)… 8$/);
});

test('a long path leaves room for the first hints, and keeps both ends', () => {
	const text = `Wrote /home/me/${'reports/'.repeat(12)}usage of May.csv: 2 rows, 177 B`;
	const line = lineText(footer(hints, {id: 1, tone: 'good', text, at: 0}, 120));
	expect(line).toMatch(
		/^ Enter open {3}\S+ .*\? keys {3}q quit +✓ Wrote \/home.*….*usage of May\.csv: 2 rows, 177 B $/,
	);
});

test('a notice beside a form leaves the keys that submit and cancel it in place', () => {
	const notice = {id: 1, tone: 'good', text: 'Renamed on this machine; u undoes this', at: 0} as const;
	expect(lineText(footer(hintsOf('form'), notice, 80))).toMatch(/Enter \S+ {3}Esc cancel +✓ Renamed/);
});
