import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Database} from '../../../src/db/database.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {KnownSession} from '../../../src/domain/known.ts';
import type {OutboxItem} from '../../../src/domain/messages/delivery.ts';
import type {HookEvent, Signal} from '../../../src/domain/sessions/signal.ts';

let folder: string;
let now = 1000;
let database: Database;
let other: Database;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'kept-'));
	now = 1000;
	database = openDatabase({file: join(folder, 'kept.db'), now: () => now});
	other = openDatabase({file: join(folder, 'kept.db'), now: () => now});
});
afterEach(() => {
	database.close();
	other.close();
	rmSync(folder, {recursive: true});
});

const item = (id: string, sessionId = 's', rest: Partial<OutboxItem> = {}): OutboxItem => ({
	id,
	sessionId,
	text: `text ${id}`,
	images: [{data: 'aa'}],
	files: [{name: 'f', parsedData: 'x'}],
	state: 'queued',
	createdAt: 1,
	tries: 0,
	...rest,
});

test('returns outbox rows in full, in the order in which they were first put', () => {
	database.outbox.put(item('b'));
	database.outbox.put(item('a', 't'));
	const changed = item('b', 's', {
		state: 'unconfirmed',
		sentAt: 5,
		lookUntil: 9,
		knownBefore: ['m'],
		problem: 'lost',
	});
	database.outbox.put(changed);
	expect(other.outbox.all()).toEqual([changed, item('a', 't')]);
	expect(other.outbox.all(['queued'])).toEqual([item('a', 't')]);
	expect(other.outbox.ofSession('s')).toEqual([changed]);
	other.outbox.remove('b');
	expect(database.outbox.get('b')).toBeUndefined();
});

test('one owner holds a lease, for its time and for the whole session', () => {
	for (const row of [item('a'), item('b'), item('c', 't')]) database.outbox.put(row);
	expect(database.outbox.lease('a', 'one', now + 10)).toBe(true);
	expect(database.outbox.lease('a', 'one', now + 20)).toBe(true);
	expect(other.outbox.lease('a', 'two', now + 20)).toBe(false);
	expect(other.outbox.lease('b', 'two', now + 20)).toBe(false);
	expect(other.outbox.lease('c', 'two', now + 20)).toBe(true);
	other.outbox.release('a', 'two');
	expect(other.outbox.lease('a', 'two', now + 20)).toBe(false);
	now += 20;
	expect(other.outbox.lease('b', 'two', now + 20)).toBe(true);
	other.outbox.release('b', 'two');
	expect(database.outbox.lease('a', 'one', now + 20)).toBe(true);
	expect(database.outbox.lease('nobody', 'one', now + 20)).toBe(false);
});

test('a transaction that fails midway leaves nothing behind', () => {
	expect(() =>
		database.outbox.exclusively(() => {
			database.outbox.put(item('a'));
			throw new TypeError('a fault of ours');
		}),
	).toThrow(TypeError);
	expect(other.outbox.all()).toEqual([]);
	database.outbox.put(item('b'));
});

test('a draft keeps its attachments if another process removed it in the meantime', () => {
	const draft = {text: 'a', images: [{data: 'aa'}], files: [], updatedAt: 1};
	const first = database.drafts.put('s', draft).revision;
	const second = database.drafts.put('s', {...draft, text: 'ab', updatedAt: 2}, first).revision;
	expect(other.drafts.get('s')).toEqual({...draft, text: 'ab', updatedAt: 2, revision: second});
	other.drafts.remove('s', second);
	database.drafts.put('s', {...draft, text: 'abc', updatedAt: 3}, second);
	expect(other.drafts.get('s')).toEqual({...draft, text: 'abc', updatedAt: 3, revision: expect.any(String)});
	expect(other.history.ofSession('s')).toEqual([]);
});

test('of two drafts of a session the last save counts, and the other text is in the history', () => {
	const draft = (text: string, updatedAt: number) => ({text, images: [], files: [{name: text}], updatedAt});
	const known = database.drafts.put('s', draft('begun', 1)).revision;
	const theirs = other.drafts.put('s', draft('begun, theirs', 2), known);
	expect(theirs.displaced).toBeUndefined();
	const {revision, displaced} = database.drafts.put('s', draft('ours', 3), known);
	expect(displaced).toBe('begun, theirs');
	expect(other.drafts.get('s')).toEqual({...draft('ours', 3), revision});
	expect(other.history.ofSession('s')).toEqual(['begun, theirs']);
	other.drafts.remove('s', theirs.revision);
	other.drafts.remove('s', undefined);
	expect(database.drafts.get('s')?.text).toBe('ours');
});

test('the registry keeps what was put last', () => {
	const session: KnownSession = {id: 's', origin: 'added', addedAt: 2, cwd: '/a'};
	database.sessions.put({...session, cwd: '/b'});
	database.sessions.put(session);
	database.sessions.put({id: 'first', origin: 'hook', addedAt: 1});
	expect(other.sessions.all()).toEqual([{id: 'first', origin: 'hook', addedAt: 1}, session]);
	database.computers.put({id: 'c', origin: 'local', addedAt: 1, computer: {id: 'c', name: 'n'}});
	expect(other.computers.all()[0]?.computer?.name).toBe('n');
	other.computers.remove('c');
	expect(database.computers.all()).toEqual([]);
});

test('an event is new only once, events come newest first, and the newest signal stays', () => {
	const event = (id: string): HookEvent => ({
		v: 1,
		id,
		ts: 1,
		client: 'claude',
		event: 'Stop',
		pid: 1,
		agentPid: 2,
		data: {},
		receivedAt: 3,
		delivery: 'socket',
	});
	expect(database.events.add(event('a'))).toBe(true);
	expect(other.events.add(event('a'))).toBe(false);
	expect(database.events.add(event('b'))).toBe(true);
	expect(other.events.recent(9).map(({id}) => id)).toEqual(['b', 'a']);
	const signal: Signal = {
		client: 'claude',
		sessionId: 's',
		state: 'done',
		since: 1,
		lastEventAt: 1,
		lastEvent: 'Stop',
		background: 0,
	};
	database.events.putSignal({...signal, state: 'working'});
	database.events.putSignal(signal);
	expect(other.events.signals()).toEqual([signal]);
	const newer = {...signal, lastEventAt: now};
	database.events.putSignal(newer);
	database.events.putSignal(signal);
	expect(other.events.signals()).toEqual([newer]);
	// The clock was set back.
	database.events.putSignal({...signal, lastEventAt: now + 3_600_000});
	database.events.putSignal(newer);
	expect(other.events.signals()).toEqual([newer]);
});

test("the median is that of a step's last runs, once there are enough", () => {
	expect(database.durations.median('clone')).toBeUndefined();
	for (const ms of [10, 30]) database.durations.add('clone', ms);
	expect(database.durations.median('clone')).toBeUndefined();
	for (const ms of [20, 1000]) database.durations.add('clone', ms);
	expect(database.durations.median('clone')).toBe(25);
	for (let run = 0; run < 25; run++) database.durations.add('clone', 7);
	expect(database.durations.median('clone')).toBe(7);
});

test('settings are JSON values', () => {
	database.settings.put('sizes', {left: 3});
	expect(other.settings.get('sizes')).toEqual({left: 3});
	other.settings.put('sizes', undefined);
	expect(database.settings.get('sizes')).toBeUndefined();
});

test('keeps what was sent by session, each text once, as it was last sent', () => {
	for (const text of ['one', 'two', 'one']) database.history.add('s', text);
	database.history.add('other', 'three');
	expect(database.history.ofSession('s')).toEqual(['two', 'one']);
	expect(database.history.ofOthers('s')).toEqual(['three']);
	expect(database.history.ofSession('nobody')).toEqual([]);
});

test('a draft keeps its folds and the names of its attachments', () => {
	const draft = {
		text: 'abcdef',
		images: [{data: 'aaaa', name: 'a.png'}],
		files: [],
		folds: [[1, 3]] as const,
		updatedAt: 1,
	};
	database.drafts.put('s', draft);
	expect(database.drafts.get('s')).toEqual({...draft, revision: expect.any(String)});
});
