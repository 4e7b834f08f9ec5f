import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Rankable, rank} from '../../../src/text/rank.ts';

const item = (name: string, more: Partial<Rankable> = {}): Rankable => ({id: name, name, words: '', ...more});
const items = [
	item('New session', {words: 'new-session'}),
	item('Next session that needs you', {words: 'next-needs'}),
	item('Run the dependency install again', {words: 'retry-install'}),
	item('Open the output of the install step', {words: 'install-session'}),
	item('Usage', {words: 'view usage'}),
	item('build-box', {words: 'computer c-77'}),
	item('api-migration', {words: 'session s-1'}),
	item('Archive the session', {words: 'archive', penalty: 40}),
];
const names = (query: string, recent: readonly string[] = []) =>
	rank(query, items, recent).map(found => found.item.name);

test.each([
	['usage', 'Usage'],
	['ns', 'New session'],
	['nses', 'New session'],
	['session new', 'New session'],
	['retry', 'Run the dependency install again'],
	['install out', 'Open the output of the install step'],
	['bb', 'build-box'],
	['c-77', 'build-box'],
	['apimig', 'api-migration'],
])('%s finds %s first', (query, name) => {
	expect(names(query)[0]).toBe(name);
});

test('with nothing typed all stand in their order, what was used last before them', () => {
	expect(names('').slice(0, 2)).toEqual(['New session', 'Next session that needs you']);
	expect(names('', ['Usage', 'build-box']).slice(0, 3)).toEqual(['Usage', 'build-box', 'New session']);
});

test('what was used last wins among what fits as well', () => {
	const twins = [item('deploy-a'), item('deploy-b'), item('deploy-c')];
	expect(rank('deploy', twins, ['deploy-c'])[0]?.item.name).toBe('deploy-c');
	expect(rank('deploy', twins, [])[0]?.item.name).toBe('deploy-a');
	// But not over what fits better.
	expect(rank('deploy-b', twins, ['deploy-c']).map(found => found.item.name)).toEqual(['deploy-b']);
});

test('what can not be done stands behind what fits as well', () => {
	const sessions = names('session');
	expect(sessions.indexOf('Archive the session')).toBeGreaterThan(
		sessions.indexOf('Next session that needs you'),
	);
	expect(names('xyzzy')).toEqual([]);
});

test('what matched is told, in the name alone', () => {
	const [first] = rank('ns', items, []);
	expect(first?.matches).toEqual([0, 4]);
	expect(rank('c-77', items, [])[0]?.matches).toEqual([]);
});

const text = fc.string({maxLength: 16, unit: fc.constantFrom('a', 'b', 'C', '-', ' ', '界')});

test('an item is found exactly when each word stands in its name or words, in order', () => {
	fc.assert(
		fc.property(text, fc.array(fc.tuple(text, text), {maxLength: 8}), (query, pairs) => {
			const all = pairs.map(([name, words], index) => ({id: String(index), name, words}));
			const holds = (word: string, whole: string) => {
				const hay = word === word.toLowerCase() ? whole.toLowerCase() : whole;
				let at = -1;
				return word.split('').every(unit => {
					at = hay.indexOf(unit, at + 1);
					return at >= 0;
				});
			};
			const expected = all.filter(one =>
				query
					.split(' ')
					.filter(Boolean)
					.every(word => holds(word, one.name) || holds(word, one.words)),
			);
			const found = rank(query, all, []).map(one => one.item.id);
			expect(found.toSorted()).toEqual(expected.map(({id}) => id).toSorted());
		}),
	);
});
