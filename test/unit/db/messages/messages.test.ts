import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Database} from '../../../../src/db/database.ts';
import {
	newerQuery,
	newestQuery,
	olderQuery,
	tiedBeforeQuery,
	tiedFromQuery,
} from '../../../../src/db/messages/messages.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {Message} from '../../../../src/domain/messages/message.ts';

let folder: string;
let file: string;
let database: Database;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'kept-'));
	file = join(folder, 'kept.db');
	database = openDatabase({file});
});
afterEach(() => {
	database.close();
	rmSync(folder, {recursive: true});
});

const put = (...messages: Message[]) =>
	database.messages.put(
		's',
		messages.map(message => ({message})),
	);
const search = (words: string, limit = 9) => {
	const searched = database.messages.search(words, limit);
	for (const _ of searched.steps);
	return searched.read(0, searched.listed);
};
const find = (session: string, words: string, from?: string) => {
	const found = database.messages.find(session, words, {from});
	const steps = [...found.steps];
	const {newer, count} = found;
	const all = Array.from({length: count}, (_, number) => found.moveTo(number));
	found.close();
	return {ids: all, newer, steps: steps.length};
};
const ids = (limit = 100, before?: string) =>
	database.messages.tail('s', limit, before).map(({message}) => message.id);
const text = (id: string, words: string, createdAt = 1): Message => ({
	id,
	createdAt,
	content: [{text: words}],
});

describe('display order', () => {
	test('is by time, whatever the order of arrival', () => {
		put({id: 'c', createdAt: 3}, {id: 'a', createdAt: 1});
		put({id: 'b', createdAt: 2});
		expect(ids()).toEqual(['a', 'b', 'c']);
	});

	test('is by sequence within the same time if the service sends one, and by arrival otherwise', () => {
		put({id: 'b', createdAt: 1, seq: 2}, {id: 'a', createdAt: 1, seq: 1});
		put({id: 'y', createdAt: 2}, {id: 'x', createdAt: 2});
		expect(ids()).toEqual(['a', 'b', 'y', 'x']);
	});

	test('is by the given place, which may change', () => {
		const place = (id: string, at: number, rank: number) => ({message: {id}, place: {at, rank}});
		database.messages.put('s', [place('a', 1, 1), place('b', 1, 0), place('c', 0, 9)]);
		expect(ids()).toEqual(['c', 'b', 'a']);
		database.messages.put('s', [place('c', 1, 2)]);
		expect(ids()).toEqual(['b', 'a', 'c']);
	});

	test('is the same, with every message once, whether read backwards in pages or as a whole', () => {
		const message = fc.record({createdAt: fc.integer({min: 0, max: 4})});
		let run = 0;
		fc.assert(
			fc.property(fc.array(message, {maxLength: 30}), fc.integer({min: 1, max: 7}), (list, size) => {
				const session = `walk ${run++}`;
				const messages = list.map(({createdAt}, index) => ({id: `m${index}`, createdAt}));
				for (let i = 0; i < messages.length; i += size) {
					database.messages.put(
						session,
						messages.slice(i, i + size).map(one => ({message: one})),
					);
				}
				const whole = database.messages.tail(session, 1000).map(kept => kept.message);
				expect(whole.map(({id}) => id).toSorted()).toEqual(messages.map(({id}) => id).toSorted());
				expect(whole.map(({createdAt}) => createdAt)).toEqual(
					messages.map(({createdAt}) => createdAt).toSorted((a, b) => a - b),
				);
				const walked: string[] = [];
				for (let before: string | undefined; ; before = walked[0]) {
					const page = database.messages.tail(session, size, before).map(kept => kept.message.id);
					if (page.length === 0) break;
					walked.unshift(...page);
				}
				expect(walked).toEqual(whole.map(({id}) => id));
				expect(database.messages.count(session)).toBe(messages.length);
			}),
			{numRuns: 30},
		);
	});

	test('is an index walk: no sorting, no reading of a whole session', () => {
		const raw = new DatabaseSync(file);
		const plans = [newestQuery, tiedBeforeQuery, olderQuery, tiedFromQuery, newerQuery].map(sql =>
			raw
				.prepare(`EXPLAIN QUERY PLAN ${sql}`)
				.all()
				.map(row => row.detail),
		);
		raw.close();
		expect(plans).toEqual([
			['SEARCH messages USING INDEX messages_order (listing=?)'],
			['SEARCH messages USING INDEX messages_order (listing=? AND at=? AND rank=? AND rowid<?)'],
			['SEARCH messages USING INDEX messages_order (listing=? AND (at,rank)<(?,?))'],
			['SEARCH messages USING INDEX messages_order (listing=? AND at=? AND rank=? AND rowid>?)'],
			['SEARCH messages USING INDEX messages_order (listing=? AND (at,rank)>(?,?))'],
		]);
	});
});

describe('putting messages', () => {
	test('keeps a known role if none is given, and unknown fields as they came', () => {
		database.messages.put('s', [{message: {id: 'a', createdAt: 1, strange: {deep: [1]}}, role: 'tool'}]);
		put({id: 'a', createdAt: 1, strange: {deep: [2]}});
		expect(database.messages.tail('s', 1)).toMatchObject([
			{message: {id: 'a', createdAt: 1, strange: {deep: [2]}}, role: 'tool'},
		]);
		database.messages.setRoles('s', new Map([['a', 'user']]));
		expect(database.messages.tail('s', 1)[0]?.role).toBe('user');
	});

	test('counts what is there; removing a session removes its messages but not what the user typed', () => {
		put(text('a', 'alpha'), text('b', 'beta'));
		put(text('b', 'beta'));
		expect(database.messages.count('s')).toBe(2);
		database.drafts.put('s', {text: 'mine', images: [], files: [], updatedAt: 1});
		database.sessions.remove('s');
		expect(database.messages.count('s')).toBe(0);
		expect(search('beta')).toEqual([]);
		expect(database.drafts.get('s')?.text).toBe('mine');
	});

	test('keeps the facts of a listing', () => {
		expect(database.messages.listing('s')).toEqual({});
		database.messages.setListingState('s', {pageOrder: 'oldest-first', lastPageCursor: 'x'});
		put(text('a', 'alpha'));
		expect(database.messages.listing('s')).toEqual({pageOrder: 'oldest-first', lastPageCursor: 'x'});
	});
});

describe('reading from one message on', () => {
	test('continues in display order, even among messages of the same time', () => {
		put(...['a', 'b', 'c'].map(id => text(id, id, 1)), text('d', 'd', 2), text('e', 'e', 3));
		const from = (id: string, limit = 9) =>
			database.messages.from('s', limit, id).map(({message}) => message.id);
		expect(from('b')).toEqual(['b', 'c', 'd', 'e']);
		expect(from('a', 2)).toEqual(['a', 'b']);
		expect(from('nothing')).toEqual([]);
	});
});

describe('search', () => {
	const found = (words: string) => search(words).map(({messageId}) => messageId);

	test.each([
		['迁移', ['zh']],
		['据库迁', ['zh']],
		['マイグ', ['ja']],
		['이전', ['ko']],
		['migr', ['en']],
		['MIGRATION schema', ['en']],
		['schema_v7', ['en']],
		['"the migration"', ['en']],
		['"migration the"', []],
		['"the migr"', []],
		['"the migr', ['en']],
		['done "migration of schema"', ['en']],
		['resume', ['fr']],
		['migration nothing', []],
		['"unbalanced', []],
		['NEAR(', []],
		['* AND ()', []],
		['', []],
	])('%s', (words, expected) => {
		put(
			text('zh', '数据库迁移完成。'),
			text('ja', 'データのマイグレーション'),
			text('ko', '데이터베이스이전'),
			text('en', 'The migration of schema_v7 is done'),
			text('fr', 'un résumé'),
		);
		expect(found(words)).toEqual(expected);
	});

	test('lists the newest first, with the surrounding words on one line', () => {
		put(text('a', `${'x '.repeat(200)}\nthe needle here ${'y '.repeat(200)}`, 5), text('b', 'needle', 9));
		expect(search('needle')).toEqual([
			{sessionId: 's', messageId: 'b', snippet: 'needle', createdAt: 9},
			{
				sessionId: 's',
				messageId: 'a',
				snippet: expect.stringMatching(/^….*the needle here.*…$/),
				createdAt: 5,
			},
		]);
		expect(search('needle', 1).map(({messageId}) => messageId)).toEqual(['b']);
	});

	test('shows the text around a word that begins as typed, starting with a whole word', () => {
		put(text('a', `${'party '.repeat(30)}(the art of it)`), text('b', `${'党'.repeat(60)}美术馆`));
		expect(search('art')[0]?.snippet).toMatch(/^…party .*party \(the art of it\)$/);
		expect(search('美术')[0]?.snippet).toBe(`…${'党'.repeat(40)}美术馆`);
	});

	test('shows the place where most of the words stand together, as typed if possible', () => {
		const rows = Array.from({length: 500}, (_, index) => `row ${index + 1}: the quick brown fox`);
		put(text('a', rows.join('\n')));
		expect(search('fox quick 450')[0]?.snippet).toMatch(/^….*row 450: the quick.*…$/);
		expect(search('row 450')[0]?.snippet).toMatch(/^….*row 450: the quick.*…$/);
		expect(search('"row 450"')[0]?.snippet).toMatch(/^….*row 450: the quick.*…$/);
	});

	test('finds what a streamed message has become, and not what it no longer says', () => {
		put(text('a', 'first words'));
		put(text('a', 'second words'));
		expect(found('second')).toEqual(['a']);
		expect(found('first')).toEqual([]);
		put(text('a', 'third words'));
		put(text('b', 'something else'));
		expect(found('third')).toEqual(['a']);
	});

	test('finds what is collapsed: reasoning, and the input and output of tools', () => {
		put({
			id: 'a',
			createdAt: 1,
			content: [
				{type: 'thinking', thinking: 'alpha'},
				{type: 'tool_use', name: 'Execute', input: {command: 'beta', timeout: 5}},
				{type: 'tool_result', content: [{type: 'text', text: 'gamma'}, null, 3]},
				{type: 'tool_result', content: 'delta'},
				{type: 'image', source: {data: 'epsilon'}},
			],
		} as Message);
		expect(['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map(words => found(words).length)).toEqual([
			1, 1, 1, 1, 0,
		]);
	});

	test('finds the reasoning that a message has beside its content, and what the message says', () => {
		put({id: 'a', createdAt: 1, provider1ReasoningSummary: 'zeta'} as Message);
		put({...text('b', 'eta'), chatCompletionReasoningContent: `theta ${'x'.repeat(100_000)}`} as Message);
		expect(found('zeta')).toEqual(['a']);
		expect(found('theta')).toEqual(['b']);
		expect(found('eta')).toEqual(['b']);
	});

	test("finds in one session, newest first, and counts the matches after the reader's position", () => {
		put(text('a', 'needle', 1), text('b', 'hay', 2), text('c', 'two needles', 3), text('d', 'a needle', 4));
		database.messages.put('other', [{message: text('x', 'needle')}]);
		expect(find('s', 'needle')).toMatchObject({ids: ['d', 'c', 'a'], newer: 0});
		expect(find('s', 'need', 'b')).toMatchObject({ids: ['d', 'c', 'a'], newer: 2});
		expect(find('s', 'need', 'c')).toMatchObject({ids: ['d', 'c', 'a'], newer: 1});
		expect(find('s', 'need', 'nobody')).toMatchObject({ids: ['d', 'c', 'a'], newer: 0});
		expect(find('nowhere', 'needle')).toMatchObject({ids: [], newer: 0});
	});

	test.each([
		['few', 40, 3],
		['few of many', 1500, 4],
		['many', 1500, 1],
		['all of many', 9000, 1],
	])('finds the newest of %s, whatever the order they were stored in', (_, limit, every) => {
		const count = 6000;
		// Times that go forth and back while keys go up, some of them equal.
		const time = (index: number) => (index * 1009) % 3001;
		const all = Array.from({length: count}, (__, index) =>
			text(`m${index}`, index % every === 0 ? 'needle' : 'hay', time(index)),
		);
		for (let from = 0; from < count; from += 500) {
			const page = all.slice(from, from + 500).map(message => ({message}));
			database.messages.put(from % 1000 === 0 ? 's' : 'other', page);
		}
		const expected = Array.from({length: Math.ceil(count / every)}, (__, index) => index * every)
			.sort((a, b) => time(b) - time(a) || b - a)
			.slice(0, limit)
			.map(index => `m${index}`);
		expect(search('needle', limit).map(({messageId}) => messageId)).toEqual(expected);
	});

	test('takes any words without an error', () => {
		put(text('a', 'alpha'));
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.string({unit: 'binary'})), words => {
				search(words);
				find('s', words);
			}),
			{numRuns: 200},
		);
	});
});
