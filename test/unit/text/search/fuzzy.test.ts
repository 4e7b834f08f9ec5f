import fc from 'fast-check';
import {expect, test} from 'vitest';
import {bestMatches, fuzzyMatch} from '../../../../src/text/search/fuzzy.ts';

const files = [
	'README.md',
	'src/schema.ts',
	'src/db/scheme-old.ts',
	'src/ui/composer-pane.tsx',
	'src/text/editor/editor.ts',
	'test/unit/text/editor/editor.test.ts',
	'Makefile',
];

test.each([
	['sch', 'src/schema.ts'],
	['editor', 'src/text/editor/editor.ts'],
	['edtest', 'test/unit/text/editor/editor.test.ts'],
	['cp', 'src/ui/composer-pane.tsx'],
	['ui/com', 'src/ui/composer-pane.tsx'],
	['read', 'README.md'],
	['M', 'Makefile'],
	['makefile', 'Makefile'],
])('%s finds %s first', (query, path) => {
	expect(bestMatches(query, files, 3).best[0]?.path).toBe(path);
});

test('nothing typed fits all, in their order; the rest is counted', () => {
	const {best, total} = bestMatches('', ['a', 'b', 'c'], 2);
	expect([best.map(({path}) => path), total]).toEqual([['a', 'b'], 3]);
	expect(bestMatches('zzz', files, 2)).toEqual({best: [], total: 0});
});

const name = fc.string({maxLength: 12, unit: fc.constantFrom('a', 'b', 'A', '/', '.', '界', '😀')});

test('it fits exactly when the characters stand there in their order, and says which', () => {
	fc.assert(
		fc.property(name, name, (query, path) => {
			const isExact = query !== query.toLowerCase();
			const text = isExact ? path : path.toLowerCase();
			let at = -1;
			const fits = query.split('').every(unit => {
				at = text.indexOf(unit, at + 1);
				return at !== -1;
			});
			const match = fuzzyMatch(query, path);
			expect(match !== undefined).toBe(fits);
			if (match) expect(match.matches.map(index => text[index]).join('')).toBe(query);
		}),
		{numRuns: 1000},
	);
});

test('the best of many are those that sorting all would give', () => {
	fc.assert(
		fc.property(name, fc.array(name, {maxLength: 20}), (query, paths) => {
			const scores = paths.flatMap(path => fuzzyMatch(query, path)?.score ?? []);
			const sorted = scores.toSorted((one, two) => two - one).slice(0, 4);
			expect(bestMatches(query, paths, 4).best.map(({score}) => score)).toEqual(sorted);
		}),
	);
});
