import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Database} from '../../../src/db/database.ts';
import {openDatabase} from '../../../src/db/open-database.ts';

let file: string;
let now: number;
const opened: Database[] = [];

beforeEach(() => {
	file = join(mkdtempSync(join(tmpdir(), 'cache-')), 'kept.db');
	now = Date.UTC(2026, 10, 1);
});
afterEach(() => {
	for (const database of opened.splice(0)) database.close();
	rmSync(join(file, '..'), {recursive: true});
});

function open(): Database {
	const database = openDatabase({file, now: () => now});
	opened.push(database);
	return database;
}

const hour = 60 * 60_000;

/** A session with 40 messages, used an hour after the one before. */
function fill(database: Database, sessionId: string, isComplete: boolean): void {
	now += hour;
	database.messages.listing(sessionId);
	database.messages.put(
		sessionId,
		Array.from({length: 40}, (_, i) => ({
			message: {
				id: `m${i}`,
				createdAt: i + 1,
				content: [{text: `${sessionId} word${i} ${'x'.repeat(4000)}`}],
			},
		})),
	);
	database.messages.setListingState(sessionId, {isComplete});
}

function prune(database: Database, target: number): string[] {
	return [...database.cache.prune(target)].filter(one => one !== undefined);
}

test('prunes complete, longest unused sessions first, and no more than needed', () => {
	const database = open();
	fill(database, 'unread', false);
	for (const id of ['a', 'b', 'c']) fill(database, id, true);
	now += hour;
	database.cache.use(['a']);
	now += hour;
	const {used} = database.cache.size();
	expect(prune(database, used - 1)).toEqual(['b']);
	expect(database.messages.tail('b', 1)).toEqual([]);
	expect(database.messages.listing('b')).toEqual({});
	expect(prune(database, 0)).toEqual(['c', 'a', 'unread']);
	expect(database.cache.totals()).toEqual({sessions: 0, messages: 0});
});

test('keeps what is open in any program, and everything that the user wrote', () => {
	const [database, other] = [open(), open()];
	fill(database, 's', true);
	now += hour;
	database.drafts.put('s', {text: 'draft', images: [], files: [], updatedAt: 1});
	database.outbox.put({
		id: 'o',
		sessionId: 's',
		text: 'x',
		images: [],
		files: [],
		state: 'queued',
		createdAt: 1,
		tries: 0,
	});
	other.cache.use(['s']);
	expect(prune(database, 0)).toEqual([]);
	now += hour;
	expect(prune(database, 0)).toEqual(['s']);
	expect([database.drafts.get('s')?.text, database.outbox.all().length]).toEqual(['draft', 1]);
});

test("a program with a pruned session open doesn't claim to have read it, and reads it anew", () => {
	const [late, database] = [open(), open()];
	fill(late, 's', true);
	late.messages.listing('s');
	now += hour;
	prune(database, 0);
	late.messages.setListingState('s', {isComplete: true});
	late.messages.put('s', [{message: {id: 'new', createdAt: 99}}]);
	expect(database.messages.listing('s')).toEqual({});
	expect(database.messages.count('s')).toBe(0);
	fill(late, 's', true);
	expect(open().messages.listing('s')).toEqual({isComplete: true});
	expect(database.messages.tail('s', 1)).toHaveLength(1);
});

test('pruning returns space to the disk, also from the search index, and finishes interrupted pruning', () => {
	const database = open();
	for (const id of ['a', 'b', 'c', 'd']) fill(database, id, true);
	now += hour;
	const before = database.cache.size().used;
	const steps = database.cache.prune(0)[Symbol.iterator]();
	for (let i = 0; i < 3; i++) steps.next();
	expect([...database.messages.search('word7', 10).steps].length).toBeGreaterThan(0);
	prune(open(), 0);
	const search = database.messages.search('word7', 10);
	expect([...search.steps].filter(count => count > 0)).toEqual([]);
	const {used, free} = database.cache.size();
	expect([used < before / 3, free]).toEqual([true, 0]);
	for (const one of opened.splice(0)) one.close();
	expect(statSync(file).size).toBe(used);
});
