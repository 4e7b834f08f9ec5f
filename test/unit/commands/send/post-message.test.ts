import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {RejectedError} from '../../../../src/api/errors.ts';
import {postMessage} from '../../../../src/commands/send/post-message.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {newOutboxItem, type OutboxItem} from '../../../../src/domain/messages/delivery.ts';
import type {MessageDraft} from '../../../../src/domain/messages/message.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {temporaryFolder} from '../../../support/local-service.ts';
import {modelService} from '../../../support/post-service.ts';

test('ten commands that send to the same session take less than two seconds if the service is quick', async () => {
	const clock = fakeClock();
	const start = clock.now();
	const file = join(temporaryFolder(), 'kept.db');
	const posted: string[] = [];
	const messages = {
		...modelService(clock, {next: () => 'accepted'}).messages,
		async add(_: string, {text}: MessageDraft) {
			posted.push(text);
			await new Promise<void>(resolve => clock.after(10, resolve));
			if (text === 'text 4') throw new RejectedError('The service said no.', {hint: 'Why?', status: 400});
			return {messageId: `id of ${text}`, status: 'running'};
		},
	};
	let looks = 0;
	const texts = Array.from({length: 10}, (_, index) => `text ${index}`);
	const sent = texts.map(async text => {
		const database = openDatabase({file, now: clock.now});
		onTestFinished(() => database.close());
		const {peerWriteCount} = database;
		const counted = {
			...database,
			peerWriteCount() {
				looks++;
				return peerWriteCount();
			},
		};
		const {signal} = new AbortController();
		const options = {clock, signal, sessionId: 's', timeout: 120_000, onWait() {}};
		const {item} = await postMessage({...options, service: {messages}, database: counted, draft: {text}});
		return {text: item.text, state: item.state, messageId: item.messageId, after: clock.now() - start};
	});
	await clock.advance(60_000);
	const ends = await Promise.all(sent);
	expect(posted).toEqual(texts);
	expect(ends).toMatchObject(
		texts.map(text => (text === 'text 4' ? {text, state: 'failed'} : {text, messageId: `id of ${text}`})),
	);
	expect(Math.max(...ends.map(({after}) => after))).toBeLessThan(2_000);
	// 9 + 8 + … + 1 times, a command waits for a message before its own. It looks a few times each, not all the time.
	expect(looks).toBeLessThanOrEqual(4 * 45);
});

test("posts no one else's message once another process has delivered its own", async () => {
	const clock = fakeClock();
	const file = join(temporaryFolder(), 'kept.db');
	const [database, theirs] = [openDatabase({file, now: clock.now}), openDatabase({file, now: clock.now})];
	onTestFinished(() => {
		database.close();
		theirs.close();
	});
	const row = (text: string) => newOutboxItem('s', {text}, {accountId: undefined, createdAt: clock.now()});
	const first: OutboxItem = {...row('first'), state: 'sending', sentAt: clock.now()};
	theirs.outbox.put(first);
	theirs.outbox.lease(first.id, 'another', clock.now() + 60_000);
	const posted: string[] = [];
	const model = modelService(clock, {next: () => 'accepted'});
	const messages: typeof model.messages = {
		...model.messages,
		add(sessionId, draft, options) {
			posted.push(draft.text);
			return model.messages.add(sessionId, draft, options);
		},
	};
	const {signal} = new AbortController();
	const options = {
		service: {messages},
		database,
		clock,
		signal,
		sessionId: 's',
		timeout: 120_000,
		onWait() {},
	};
	const sent = postMessage({...options, draft: {text: 'own'}});
	await clock.advance(100);
	theirs.outbox.exclusively(() => {
		const own = theirs.outbox.all().find(({text}) => text === 'own') ?? first;
		theirs.outbox.put({...first, state: 'accepted', messageId: 'id of first'});
		theirs.outbox.put({...own, state: 'accepted', messageId: 'id of own'});
		theirs.outbox.put(row('third'));
		theirs.outbox.release(first.id, 'another');
	});
	await clock.advance(10_000);
	expect((await sent).item).toMatchObject({text: 'own', messageId: 'id of own'});
	expect(posted).toEqual([]);
	expect(theirs.outbox.all().at(-1)).toMatchObject({text: 'third', state: 'queued', tries: 0});
});

test.each([
	['accepted', 'accepted', undefined],
	['refused', 'queued', true],
] as const)(
	'ends when its account is forgotten while the message is on the wire and then %s',
	async (outcome, state, isRemoved) => {
		const clock = fakeClock();
		const file = join(temporaryFolder(), 'kept.db');
		let isForgotten = false;
		const database = openDatabase({file, now: clock.now, isForgotten: () => isForgotten});
		onTestFinished(() => database.close());
		const {signal} = new AbortController();
		const service = modelService(clock, {next: () => outcome});
		const options = {database, service, clock, signal, sessionId: 's', timeout: 0, onWait() {}};
		const sent = postMessage({...options, draft: {text: 'words'}});
		await clock.advance(100);
		isForgotten = true;
		for (const suffix of ['-wal', '-shm', '']) rmSync(file + suffix);
		await clock.advance(10_000);
		const {item, ...result} = await sent;
		expect({state: item.state, isRemoved: result.isRemoved}).toEqual({state, isRemoved});
		expect(existsSync(file)).toBe(false);
	},
);

test('waits beyond the timeout for a post that has begun', async () => {
	const clock = fakeClock();
	const start = clock.now();
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
	onTestFinished(() => database.close());
	const sent = postMessage({
		service: modelService(clock, {next: () => 'accepted'}),
		database,
		clock,
		signal: new AbortController().signal,
		sessionId: 's',
		draft: {text: 'words'},
		timeout: 100,
		onWait() {},
	}).then(({item}) => ({state: item.state, after: clock.now() - start}));
	await clock.advance(1_000);
	expect(await sent).toEqual({state: 'accepted', after: 200});
});

test('a command that does not wait gives a request less time, but not an upload', async () => {
	const clock = fakeClock();
	const model = modelService(clock, {next: () => 'accepted'});
	const timeouts: unknown[] = [];
	const {add} = model.messages;
	const service: typeof model = {
		...model,
		messages: {
			...model.messages,
			add(sessionId, draft, options) {
				timeouts.push(options?.timeout);
				return add(sessionId, draft, options);
			},
		},
	};
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
	onTestFinished(() => database.close());
	for (const [timeout, draft] of [
		[0, {text: 'words'}],
		[0, {text: 'look', files: [{name: 'a.txt', data: ''}]}],
		[100, {text: 'more words'}],
	] as const) {
		const {signal} = new AbortController();
		const sent = postMessage({service, database, clock, signal, sessionId: 's', draft, timeout, onWait() {}});
		await clock.advance(1_000);
		expect((await sent).item.state).toBe('accepted');
	}
	expect(timeouts).toEqual([10_000, undefined, undefined]);
});
