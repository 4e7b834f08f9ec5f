import {appendFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {NotFoundError} from '../../../src/api/errors.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {Signal} from '../../../src/domain/sessions/signal.ts';
import {type EngineBench, engineBench} from '../../support/engine-bench.ts';
import {hookEvent} from '../../support/hook-event.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {agentLine, userLine} from '../../support/transcripts.ts';

let bench: EngineBench;

beforeEach(() => {
	bench = engineBench();
});
afterEach(() => bench.end());

const session = (id: string) => bench.stores.fleet.getState().sessions.get(id);

async function openFor(ms: number): Promise<void> {
	const release = bench.engine.sessions.open('outside');
	await bench.clock.advance(ms);
	release();
	await bench.clock.advance(10);
}

test('asks the service once about a session known only from hooks, and again only if the user wants it', async () => {
	await bench.start();
	bench.engine.registry.addSession('outside', 'hook', {cwd: '/home/me/shop'});
	await bench.clock.advance(600_000);
	expect(bench.model.requests).toEqual([]);

	bench.model.intercept = () => {
		throw new NotFoundError('No such session.', {hint: 'Check the id.', status: 404});
	};
	await openFor(600_000);
	expect(bench.model.requests).toHaveLength(1);
	expect(session('outside')?.atService).toBe(false);
	expect(bench.stores.fleet.getState().problems.has('outside')).toBe(false);
	await bench.engine.stop();
	await bench.start();
	await openFor(600_000);
	expect(bench.model.requests).toHaveLength(1);

	bench.model.intercept = () => {};
	bench.model.add('outside', 2, 'user');
	const release = bench.engine.sessions.open('outside');
	bench.engine.refresh('outside');
	await bench.clock.advance(1_000);
	expect(bench.stores.streams.getState().open.get('outside')?.entries).toHaveLength(2);
	expect(session('outside')?.atService).toBe(true);
	expect(bench.model.requests.filter(({kind}) => kind === 'probe')).toEqual([]);
	release();
});

test('treats a session that the user adds by its id like any other', async () => {
	await bench.start();
	bench.engine.registry.addSession('outside', 'hook', {cwd: '/home/me/shop'});
	bench.model.intercept = () => {
		throw new NotFoundError('No such session.', {hint: 'Check the id.', status: 404});
	};
	await openFor(1_000);
	bench.engine.registry.addSession('outside', 'added');
	expect(session('outside')).toMatchObject({origin: 'added', cwd: '/home/me/shop'});
	await openFor(1_000);
	expect(bench.model.requests).toHaveLength(2);
	expect(bench.stores.fleet.getState().problems.get('outside')?.what).toBe('No such session.');
	bench.engine.registry.addSession('outside', 'hook');
	expect(session('outside')?.origin).toBe('added');
});

test("keeps a session's name and its return from the archive across a restart, whatever the service answers", async () => {
	await bench.start();
	const archived = {sessionId: 's', sessionSettings: {archivedAt: 'then'}};
	bench.engine.sessions.remember(archived, 'added', 'updated');
	bench.engine.registry.markSession('s', {name: 'mine', restored: 'then'});
	bench.engine.sessions.remember({...archived, title: 'theirs'}, 'added', 'updated');
	await bench.engine.stop();
	await bench.start();
	expect(session('s')).toMatchObject({name: 'mine', restored: 'then', session: {title: 'theirs'}});
	bench.engine.registry.markSession('s', {name: ''});
	expect(session('s')?.name).toBeUndefined();
	expect(session('s')?.restored).toBe('then');
});

test('makes one request when a session is opened, focused and focused again in quick succession', async () => {
	await bench.start();
	bench.engine.registry.addSession('outside', 'hook', {cwd: '/home/me/shop'});
	bench.model.intercept = () => {
		throw new NotFoundError('No such session.', {hint: 'Check the id.', status: 404});
	};
	const release = bench.engine.sessions.open('outside');
	bench.engine.sessions.focus('outside');
	await bench.clock.advance(2);
	bench.engine.setTerminalFocused(false);
	bench.engine.setTerminalFocused(true);
	bench.engine.sessions.focus(undefined);
	bench.engine.sessions.focus('outside');
	await bench.clock.advance(10_000);
	expect(bench.model.requests).toHaveLength(1);
	release();
	await openFor(10_000);
	expect(bench.model.requests).toHaveLength(1);
});

describe('a session with a transcript', () => {
	const path = () => join(temporaryFolder(), 'outside.jsonl');
	const signal = {state: 'done', since: 0, lastEventAt: 0, lastEvent: 'Stop', background: 0} as const;
	const stream = () => bench.stores.streams.getState().open.get('outside');

	async function know(transcriptPath: string, client = 'claude', more: Partial<Signal> = {}): Promise<void> {
		await bench.start();
		bench.engine.registry.addSession('outside', 'hook', {cwd: '/home/me/shop', transcriptPath});
		const signals = new Map([[`${client}:outside`, {...signal, client, sessionId: 'outside', ...more}]]);
		bench.stores.fleet.setState({signals});
	}

	test('is read from the transcript, without asking the service', async () => {
		const file = path();
		writeFileSync(file, userLine('hello') + agentLine('hi'));
		await know(file);
		expect(bench.engine.sessions.preview('outside')?.entries).toHaveLength(2);
		const release = bench.engine.sessions.open('outside');
		bench.engine.sessions.focus('outside');
		expect(stream()).toMatchObject({phase: {name: 'ready'}, transcript: {path: file, unreadable: 0}});
		appendFileSync(file, agentLine('more'));
		bench.engine.refresh('outside');
		expect(stream()?.entries).toHaveLength(3);
		await bench.engine.sessions.follower('outside')?.loadOlder();
		await bench.engine.sessions.follower('outside')?.fillGap('none');
		await bench.clock.advance(600_000);
		expect(bench.model.requests).toEqual([]);
		release();
		await bench.clock.advance(10);
		expect(stream()).toBeUndefined();
	});

	test("is looked up at the service if its client's transcripts can't be read here", async () => {
		const file = path();
		writeFileSync(file, userLine('hello'));
		await know(file, 'gemini');
		bench.model.intercept = () => {
			throw new NotFoundError('No such session.', {hint: 'Check the id.', status: 404});
		};
		await openFor(1_000);
		expect(bench.model.requests).toHaveLength(1);
	});

	test('is not looked for here if it is on another computer', async () => {
		const file = path();
		writeFileSync(file, userLine('hello'));
		await know(file, 'claude', {computer: {id: 'c', name: 'devbox'}});
		expect(bench.engine.sessions.preview('outside')?.entries).toEqual([]);
		await openFor(1_000);
		expect(bench.model.requests).not.toEqual([]);
	});

	test('is read from the service if the service knows it', async () => {
		const file = path();
		writeFileSync(file, userLine('hello'));
		await know(file);
		bench.engine.registry.addSession('outside', 'added');
		const ids = bench.model.add('outside', 2);
		const release = bench.engine.sessions.open('outside');
		await bench.clock.advance(1_000);
		expect(stream()?.transcript).toBeUndefined();
		expect(stream()?.entries.map(({id}) => id)).toEqual(ids);
		release();
		await bench.clock.advance(10);
	});

	test('is read from a transcript that becomes known while the session is open', async () => {
		const file = path();
		writeFileSync(file, userLine('hello'));
		await bench.start();
		bench.engine.registry.addSession('outside', 'hook', {cwd: '/home/me/shop'});
		bench.model.intercept = () => {
			throw new NotFoundError('No such session.', {hint: 'Check the id.', status: 404});
		};
		const release = bench.engine.sessions.open('outside');
		bench.engine.sessions.focus('outside');
		await bench.clock.advance(1_000);
		expect(stream()?.transcript).toBeUndefined();
		const other = openDatabase({file: bench.file, now: bench.clock.now});
		const data = {session_id: 'outside', cwd: '/home/me/shop', transcript_path: file};
		other.events.add(hookEvent({ts: bench.clock.now(), event: 'Stop', data}));
		other.close();
		while (!stream()?.transcript) await bench.clock.advance(1_000);
		expect([stream()?.phase.name, stream()?.entries.length]).toEqual(['ready', 1]);
		release();
		await bench.clock.advance(10);
		expect(stream()).toBeUndefined();
	});
});
