import fc from 'fast-check';
import {expect, test} from 'vitest';
import {bestMatches, fuzzyMatch, type Rankable, rank} from '../../../../src/text/search/fuzzy.ts';

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
	['edtest', 'test/unit/text/editor/editor.test.ts'],
	['cp', 'src/ui/composer-pane.tsx'],
	['ui/com', 'src/ui/composer-pane.tsx'],
	['M', 'Makefile'],
])('%s finds the path %s first', (query, path) => {
	expect(bestMatches(query, files, 3).best[0]?.path).toBe(path);
});

test('an empty query matches all in order, and counts the rest', () => {
	const {best, total} = bestMatches('', ['a', 'b', 'c'], 2);
	expect([best.map(({path}) => path), total]).toEqual([['a', 'b'], 3]);
	expect(bestMatches('zzz', files, 2)).toEqual({best: [], total: 0});
});

const name = fc.string({maxLength: 12, unit: fc.constantFrom('a', 'b', 'A', '/', '.', '界', '😀')});

test('matches exactly when the characters occur in order, and says which', () => {
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
		{numRuns: 200},
	);
});

test('finds the same best matches as sorting all of them', () => {
	fc.assert(
		fc.property(name, fc.array(name, {maxLength: 20}), (query, paths) => {
			const scores = paths.flatMap(path => fuzzyMatch(query, path)?.score ?? []);
			const sorted = scores.toSorted((one, two) => two - one).slice(0, 4);
			expect(bestMatches(query, paths, 4).best.map(({score}) => score)).toEqual(sorted);
		}),
	);
});

const item = (name: string, more: Partial<Rankable> = {}): Rankable => ({id: name, name, words: '', ...more});
const items = [
	item('New session', {words: 'new-session'}),
	item('Next session that needs you', {words: 'next-needs'}),
	item('Run the dependency install again', {words: 'retry-install'}),
	item('Open the install output', {words: 'install-session'}),
	item('Usage', {words: 'view usage'}),
	item('build-box', {words: 'computer c-77'}),
	item('api-migration', {words: 'session s-1'}),
	item('Archive the session', {words: 'archive', penalty: 40}),
];
const names = (query: string, recent: readonly string[] = []) =>
	rank(query, items, recent).map(found => found.item.name);

test.each([
	['ns', 'New session'],
	['session new', 'New session'],
	['install out', 'Open the install output'],
	['bb', 'build-box'],
	['c-77', 'build-box'],
	['apimig', 'api-migration'],
])('%s finds the item %s first', (query, name) => {
	expect(names(query)[0]).toBe(name);
});

test('without a query, lists the most recently used first and all others in order', () => {
	expect(names('').slice(0, 2)).toEqual(['New session', 'Next session that needs you']);
	expect(names('', ['Usage', 'build-box']).slice(0, 3)).toEqual(['Usage', 'build-box', 'New session']);
});

test('the most recently used wins among equal matches', () => {
	const twins = [item('deploy-a'), item('deploy-b'), item('deploy-c')];
	expect(rank('deploy', twins, ['deploy-c'])[0]?.item.name).toBe('deploy-c');
	expect(rank('deploy', twins, [])[0]?.item.name).toBe('deploy-a');
	// But not over what fits better.
	const docs = [item('docs-sync'), item('Events and diagnostics')];
	expect(rank('docs', docs, ['Events and diagnostics'])[0]?.item.name).toBe('docs-sync');
	expect(rank('deploy-b', twins, ['deploy-c']).map(found => found.item.name)).toEqual(['deploy-b']);
});

test("ranks what can't be done behind equal matches", () => {
	const sessions = names('session');
	expect(sessions.indexOf('Archive the session')).toBeGreaterThan(
		sessions.indexOf('Next session that needs you'),
	);
	expect(names('xyzzy')).toEqual([]);
});

test('ranks letters that are together before scattered ones', () => {
	const both = [item('Search all orders, sorted'), item('New session on this computer')];
	expect(rank('ses', [...both, item('Search all sessions')], []).map(one => one.item.name)).toEqual([
		'Search all sessions',
		'New session on this computer',
		'Search all orders, sorted',
	]);
});

test('reports what matched, only in the name', () => {
	const [first] = rank('ns', items, []);
	expect(first?.matches).toEqual([0, 4]);
	expect(rank('c-77', items, [])[0]?.matches).toEqual([]);
});

const text = fc.string({maxLength: 16, unit: fc.constantFrom('a', 'b', 'C', '-', ' ', '界')});

test.each([
	['docs', 'Events and diagnostics'],
	['nonesuch', 'Next session that needs you, on each'],
	['rain', 'Run the dependency install again'],
])("doesn't match %s with the scattered letters of %s", (query, name) => {
	expect(rank(query, [item(name)], [])).toEqual([]);
});

test('finds every item that contains each word whole, and none that lacks its letters in order', () => {
	fc.assert(
		fc.property(text, fc.array(fc.tuple(text, text), {maxLength: 8}), (query, pairs) => {
			const all = pairs.map(([name, words], index) => ({id: String(index), name, words}));
			const wanted = query.split(' ').filter(Boolean);
			const folded = (word: string, whole: string) =>
				word === word.toLowerCase() ? whole.toLowerCase() : whole;
			const holds = (word: string, whole: string) => {
				let at = -1;
				return word.split('').every(unit => {
					at = folded(word, whole).indexOf(unit, at + 1);
					return at >= 0;
				});
			};
			const found = rank(query, all, []);
			for (const {item: one, matches} of found) {
				expect(wanted.every(word => holds(word, one.name) || holds(word, one.words))).toBe(true);
				expect(matches.every(at => at < one.name.length)).toBe(true);
			}
			const ids = found.map(({item: one}) => one.id);
			for (const one of all)
				if (
					wanted.every(
						word => folded(word, one.name).includes(word) || folded(word, one.words).includes(word),
					)
				)
					expect(ids).toContain(one.id);
		}),
	);
});
