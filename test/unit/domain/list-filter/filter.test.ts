import fc from 'fast-check';
import {expect, test} from 'vitest';
import {completeFilter, type FilterRow} from '../../../../src/domain/list-filter/complete-filter.ts';
import {
	asksForPast,
	type Filterable,
	type FilterTerm,
	formatFilter,
	isMatch,
	isWords,
	parseFilter,
	stateWords,
} from '../../../../src/domain/list-filter/filter.ts';

const term = (kind: FilterTerm['kind'], value: string, isNot = false): FilterTerm => ({kind, value, isNot});

test.each<[string, FilterTerm[]]>([
	['', []],
	['  shop  API ', [term('word', 'shop'), term('word', 'api')]],
	[
		's:waiting c:gpu-1 #tag !word',
		[term('state', 'waiting'), term('computer', 'gpu-1'), term('tag', 'tag'), term('word', 'word', true)],
	],
	['state:IDLE computer:"Build Box"', [term('state', 'idle'), term('computer', 'build box')]],
	['"two words" !"not these"', [term('word', 'two words'), term('word', 'not these', true)]],
	['!s:idle !#old !!x', [term('state', 'idle', true), term('tag', 'old', true), term('word', 'x')]],
	['"s:idle" "#7" "!"', [term('word', 's:idle'), term('word', '#7'), term('word', '!')]],
	['m:gpt f:/home/me is:pinned', [term('model', 'gpt'), term('folder', '/home/me'), term('is', 'pinned')]],
	['12:30 a:b'.slice(0, 5), [term('word', '12:30')]],
	['say\\ so \\"x', [term('word', 'say so'), term('word', '"x')]],
	// What is still being typed hides nothing.
	['s: # ! c:"', []],
	['"open quote', [term('word', 'open quote')]],
])('reads %j', (text, terms) => {
	expect(parseFilter(text)).toEqual({terms, problems: []});
});

test.each([
	['s:idle,sleeping', 0, 15, /no state begins with sleeping: /],
	['x s:sleeping', 2, 12, /no state begins with sleeping: waiting, asks/],
	['z:1', 0, 3, /z: is no term: s: c: #tag m: f: is:, or a column such as title:; "z:1" looks for the words/],
	['https://host/x', 0, 14, /"https:\/\/host\/x" looks for the words/],
	['!is:blue', 0, 8, /is: takes pinned, archived, local/],
])('reports what is wrong in %j, and where', (text, start, end, what) => {
	const {terms, problems} = parseFilter(text);
	expect(problems).toEqual([{start, end, what: expect.stringMatching(what)}]);
	expect(terms).toEqual(text.startsWith('x') ? [term('word', 'x')] : []);
});

test("accepts the service's own word for a state while a row has it", () => {
	expect(parseFilter('s:hiber', ['hibernating']).terms).toEqual([term('state', 'hiber')]);
	expect(parseFilter('s:hiber').problems).toHaveLength(1);
});

const anyTerm = fc
	.oneof(
		fc.record({
			kind: fc.constantFrom<FilterTerm['kind'][]>('word', 'computer', 'tag', 'model', 'folder'),
			value: fc.string({minLength: 1, unit: 'binary'}).map(text => text.toLowerCase()),
			isNot: fc.boolean(),
		}),
		fc.record({
			kind: fc.constant<'state'>('state'),
			value: fc.constantFrom<string[]>(...stateWords),
			isNot: fc.boolean(),
		}),
		fc.record({
			kind: fc.constant<'is'>('is'),
			value: fc.constantFrom<string[]>(...isWords),
			isNot: fc.boolean(),
		}),
	)
	.filter(({value}) => value === value.toLowerCase());

test('every filter can be written so that it reads back as the same terms', () => {
	fc.assert(
		fc.property(fc.array(anyTerm, {maxLength: 6}), terms => {
			expect(parseFilter(formatFilter(terms))).toEqual({terms, problems: []});
		}),
		{numRuns: 200},
	);
});

test('reads any text, finds problems within it, and shows no more rows with another term', () => {
	const row = fc.record({
		text: fc.string(),
		states: fc.subarray<string>([...stateWords]),
		computer: fc.string(),
		tags: fc.array(fc.string()),
	});
	const piece = fc.oneof(
		fc.string(),
		fc.constantFrom('s:', 'c:', '#', '!', '"', '\\', ' ', 'is:', 's:idle', 'z:'),
	);
	fc.assert(
		fc.property(
			fc.array(piece).map(parts => parts.join('')),
			anyTerm,
			row,
			(text, more, one: Filterable) => {
				const filter = parseFilter(text);
				for (const {start, end} of filter.problems)
					expect(start >= 0 && end <= text.length && start < end).toBe(true);
				const narrowed = {terms: [...filter.terms, more]};
				expect(isMatch(narrowed, one) && !isMatch(filter, one)).toBe(false);
				const turned = {terms: [{...more, isNot: !more.isNot}]};
				expect(isMatch({terms: [more]}, one)).toBe(!isMatch(turned, one));
			},
		),
		{numRuns: 200},
	);
});

test('matches rows by their properties and words', () => {
	const row: Filterable = {
		text: 'api-migration s-api /home/me/shop',
		states: ['waiting', 'approve'],
		computer: 'GPU-1',
		tags: ['Payments', 'urgent'],
		model: 'Model-X',
		folder: '/home/me/Shop',
		is: ['pinned'],
	};
	const shows = (text: string) => isMatch(parseFilter(text), row);
	for (const text of [
		's:wait',
		's:approve',
		's:idle,approve',
		's:idle,app,',
		'c:gpu',
		'#pay',
		'm:x',
		'f:shop',
		'is:pin',
		'!s:idle',
		'API shop',
		// A word finds a tag by any part of it.
		'urgent',
		'ments',
	])
		expect([text, shows(text)]).toEqual([text, true]);
	for (const text of [
		's:idle',
		's:idle,done',
		'c:build',
		'#ments',
		'!#urgent',
		'!urgent',
		'!c:gpu',
		'is:archived',
		'api nowhere',
	])
		expect([text, shows(text)]).toEqual([text, false]);
	expect(
		['is:archived', 's:ended', '!s:ended', 's:e', 'ended'].map(text => asksForPast(parseFilter(text))),
	).toEqual([true, true, false, false, false]);
});

const row = (states: string[], more: Omit<FilterRow['row'], 'text' | 'states'> = {}, isPast = false) => ({
	row: {text: 'x', states, ...more},
	isPast,
});
const rows: readonly FilterRow[] = [
	row(['asks', 'waiting'], {computer: 'build box', tags: ['payments']}),
	row(['idle'], {computer: 'build box', tags: ['pay']}),
	row(['hibernating'], {computer: 'gpu-1', folder: '/srv/Shop'}),
	row(['ended'], {computer: 'build box', tags: ['old'], is: ['archived']}, true),
	row(['idle', 'ended'], {computer: 'gpu-1', tags: ['payments']}, true),
];
const texts = (text: string) => completeFilter(text, rows).map(choice => choice.text);

test('offers what can come next, and each choice makes a valid filter', () => {
	expect(texts('')).toEqual(['s:', 'c:', '#', 'm:', 'f:', 'is:', '!']);
	expect(texts('x !')).toEqual(['x !s:', 'x !c:', 'x !#', 'x !m:', 'x !f:', 'x !is:']);
	expect(texts('s:')).toEqual(['s:asks ', 's:idle ', 's:ended ', 's:hibernating ']);
	expect(texts('x !s:i')).toEqual(['x !s:idle ']);
	expect(texts('c:b')).toEqual(['c:"build box" ']);
	expect(texts('c:"build b')).toEqual(['c:"build box" ']);
	// As it is written, however it is typed.
	expect(texts('f:shop')).toEqual(['f:/srv/Shop ']);
	expect(texts('#')).toEqual(['#pay ', '#payments ']);
	expect(texts('word')).toEqual([]);
	expect(texts('z:')).toEqual([]);
	for (const text of ['s:', 'c:', '#', 'is:'])
		for (const choice of texts(text)) expect(parseFilter(choice, ['hibernating']).problems).toEqual([]);
});

test.each([
	['s:', {asks: 1, idle: 1, ended: 2, hibernating: 1}],
	['#', {pay: 2, payments: 1}],
	['c:', {'"build box"': 2, 'gpu-1': 1}],
	['s:ended c:', {'"build box"': 1, 'gpu-1': 1}],
	['c:gpu s:', {ended: 1, hibernating: 1}],
])('%s: each choice counts the rows that it would show', (text, counts) => {
	const choices = completeFilter(text, rows);
	expect(
		Object.fromEntries(choices.map(({label, note}) => [label.slice(label.search(/[:#]/) + 1), +note])),
	).toEqual(counts);
	for (const {text: chosen, note} of choices) {
		const filter = parseFilter(chosen, ['hibernating']);
		const shown = rows.filter(one => (asksForPast(filter) || !one.isPast) && isMatch(filter, one.row));
		expect([chosen, note]).toEqual([chosen, String(shown.length)]);
	}
});

test('counts past rows if they are shown anyway, even when not asked for', () => {
	expect(completeFilter('#', rows, true).map(({label, note}) => `${label} ${note}`)).toEqual([
		'#pay 3',
		'#payments 2',
		'#old 1',
	]);
});
