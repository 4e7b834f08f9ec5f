import {describe, expect, test} from 'vitest';
import {AbortError} from '../../../../src/api/errors.ts';
import type {Database} from '../../../../src/db/database.ts';
import {StorageError} from '../../../../src/db/file/storage-error.ts';
import type {DeliveryState} from '../../../../src/domain/messages/delivery.ts';
import {createOutboxStore} from '../../../../src/state/stores.ts';
import {OutboxSender, type OutboxSenderOptions} from '../../../../src/sync/outbox/outbox-sender.ts';
import {outboxItem} from '../../../support/fleet.ts';
import {acceptedTexts, outboxBench} from '../../../support/outbox-bench.ts';
import {type ModelService, modelService, type PostOutcome} from '../../../support/post-service.ts';

const {time: clock, senders, open} = outboxBench();

function outcomes(...list: PostOutcome[]): () => PostOutcome {
	return () => list.shift() ?? 'accepted';
}

function start(
	service: Pick<ModelService, 'messages'>,
	{database = open(), owner = 'one', scheduler, turns}: Options = {},
) {
	const store = createOutboxStore();
	const accepted: string[] = [];
	const held: string[] = [];
	const sender = new OutboxSender({
		database,
		service,
		store,
		clock,
		owner,
		...(scheduler && {scheduler}),
		...turns,
		random: () => 0,
		skew: () => 0,
		onAccepted: (item, status) => accepted.push(`${item.text} ${status}`),
		onHeld: item => held.push(item.text),
	});
	senders.push(sender);
	sender.start();
	const states = (): DeliveryState[] => database.outbox.all().map(item => item.state);
	return {sender, store, database, accepted, held, states};
}
type Turns = {isAtWork: () => boolean; isTurnWaited: () => boolean};
type Options = {database?: Database; owner?: string; turns?: Turns} & Pick<OutboxSenderOptions, 'scheduler'>;

describe('sending', () => {
	test('posts images as the contract requires, without their names', async () => {
		const posted: unknown[] = [];
		const service = modelService(clock, {next: outcomes()});
		const {add} = service.messages;
		const messages = {
			...service.messages,
			add: (...args: Parameters<typeof add>) => {
				posted.push(args[1]);
				return add(...args);
			},
		};
		const {sender, database} = start({messages});
		await sender.enqueue('s', {text: 'look', images: [{data: 'aGk=', name: 'hi.png'}]});
		await clock.advance(2000);
		expect(posted).toEqual([{text: 'look', images: [{data: 'aGk='}]}]);
		expect(database.outbox.all()[0]?.images).toEqual([{data: 'aGk=', name: 'hi.png'}]);
	});

	test('keeps a message until its time, also over a restart, and posts it once', async () => {
		const service = modelService(clock, {next: outcomes()});
		const database = open();
		const first = start(service, {database});
		await first.sender.enqueue('s', {text: 'continue', notBefore: clock.now() + 3_600_000});
		await clock.advance(1_800_000);
		await first.sender.stop();
		const second = start(service, {database, owner: 'two'});
		await clock.advance(1_790_000);
		expect(acceptedTexts(service)).toEqual([]);
		await clock.advance(60_000);
		expect(acceptedTexts(service)).toEqual(['continue']);
		expect(second.states()).toEqual(['accepted']);
	});

	test('lets one message wait at the service and keeps the next ones here, where they can be discarded', async () => {
		const service = modelService(clock, {next: outcomes()});
		let isWaiting = false;
		const turns = {isAtWork: () => true, isTurnWaited: () => isWaiting};
		const {sender, database, states} = start(service, {turns});
		await sender.enqueue('s', {text: 'first'});
		await clock.advance(2000);
		expect(database.outbox.all()[0]).toMatchObject({state: 'accepted', isBehind: true});
		isWaiting = true;
		const second = await sender.enqueue('s', {text: 'second'});
		await sender.enqueue('s', {text: 'third'});
		await clock.advance(60_000);
		expect(states()).toEqual(['accepted', 'queued', 'queued']);
		expect(clock.pending).toBe(0);
		expect(sender.discard(second.id)?.text).toBe('second');
		isWaiting = false;
		sender.turnMoved('s');
		await clock.advance(2000);
		expect(acceptedTexts(service)).toEqual(['first', 'third']);
		// However long that turn takes, the user can send what waits, in order.
		isWaiting = true;
		await sender.enqueue('s', {text: 'fourth'});
		const fifth = await sender.enqueue('s', {text: 'fifth'});
		await sender.enqueue('s', {text: 'sixth'});
		await clock.advance(60_000);
		expect(states().slice(-3)).toEqual(['queued', 'queued', 'queued']);
		sender.resend(fifth.id);
		await clock.advance(2000);
		expect(acceptedTexts(service)).toEqual(['first', 'third', 'fourth', 'fifth']);
		expect(states().at(-1)).toBe('queued');
	});

	test("sends one session's messages one by one in order, and another's alongside", async () => {
		const service = modelService(clock, {next: outcomes()});
		const {sender, states, accepted} = start(service);
		for (const text of ['a', 'b', 'c']) await sender.enqueue('s', {text});
		await sender.enqueue('t', {text: 'd'});
		expect(states()).toEqual(['sending', 'queued', 'queued', 'sending']);
		await clock.advance(200);
		expect(states()).toEqual(['accepted', 'sending', 'queued', 'accepted']);
		await clock.advance(400);
		expect(acceptedTexts(service)).toEqual(['a', 'b', 'c']);
		expect(accepted).toEqual(['a idle', 'd idle', 'b idle', 'c idle']);
		expect(service.maxConcurrent).toBe(1);
	});

	test('what the end of the program canceled before it was sent is due at once for other programs', async () => {
		const service = modelService(clock, {next: outcomes()});
		const messages: typeof service.messages = {
			...service.messages,
			add: (_sessionId, _draft, options) =>
				new Promise((_resolve, reject) =>
					options?.signal?.addEventListener('abort', () => reject(new AbortError(false))),
				),
		};
		const {sender, database, states} = start({messages});
		await sender.enqueue('s', {text: 'a'});
		await clock.advance(200);
		expect(states()).toEqual(['sending']);
		await sender.stop();
		expect(states()).toEqual(['queued']);
		start(service, {database, owner: 'another'});
		await clock.advance(200);
		expect(acceptedTexts(service)).toEqual(['a']);
	});

	test("resends what certainly wasn't sent, and holds up what was written after it", async () => {
		const service = modelService(clock, {next: outcomes('not-sent', 'rate-limited')});
		const {sender, database} = start(service);
		await sender.enqueue('s', {text: 'a'});
		await sender.enqueue('s', {text: 'b'});
		await clock.advance(200);
		expect(database.outbox.all()[0]).toMatchObject({
			state: 'queued',
			notBefore: clock.now() + 1_000,
			problem: 'The service can not be reached.',
		});
		await clock.advance(1_200);
		expect(database.outbox.all()[0]).toMatchObject({state: 'queued', notBefore: clock.now() + 5_000});
		await clock.advance(4_999);
		expect(acceptedTexts(service)).toEqual([]);
		await clock.advance(1_000);
		expect(acceptedTexts(service)).toEqual(['a', 'b']);
	});

	test("retries what wasn't sent once the service responds, but not before the time it gave", async () => {
		const service = modelService(clock, {next: outcomes('not-sent', 'not-sent', 'rate-limited')});
		const {sender, database, states} = start(service);
		await sender.enqueue('s', {text: 'a'});
		await clock.advance(200);
		sender.reached('service');
		expect(states()).toEqual(['sending']);
		await clock.advance(200);
		expect(database.outbox.all()[0]).toMatchObject({state: 'queued', unreached: 'service'});
		await sender.enqueue('t', {text: 'b'});
		await clock.advance(200);
		const {notBefore = 0} = database.outbox.all()[1] ?? {};
		expect(notBefore).toBe(clock.now() + 5_000);
		sender.reached('service');
		await clock.advance(4_999);
		expect(states()).toEqual(['queued', 'queued']);
		await clock.advance(1_000);
		expect(states()).toEqual(['accepted', 'accepted']);
	});

	test('a refused message fails with its text kept, and the next one is sent', async () => {
		const service = modelService(clock, {next: outcomes('refused')});
		const {sender, database, states} = start(service);
		const item = await sender.enqueue('s', {text: 'a'});
		await sender.enqueue('s', {text: 'b'});
		await clock.advance(400);
		expect(states()).toEqual(['failed', 'accepted']);
		expect(database.outbox.get(item.id)).toMatchObject({text: 'a', problem: 'The service said no.'});
		sender.resend(item.id);
		await clock.advance(200);
		expect(acceptedTexts(service)).toEqual(['b', 'a']);
	});

	test('a 401 holds everything until there is a new key, a 403 holds its session', async () => {
		const service = modelService(clock, {next: outcomes('forbidden', 'unauthorized')});
		const {sender, states, held} = start(service);
		await sender.enqueue('s', {text: 'a'});
		await clock.advance(200);
		await sender.enqueue('t', {text: 'b'});
		await clock.advance(200);
		await sender.enqueue('u', {text: 'c'});
		await clock.advance(600_000);
		expect(states()).toEqual(['queued', 'queued', 'queued']);
		expect(held).toEqual(['a', 'b']);
		sender.resume();
		await clock.advance(200);
		expect(states()).toEqual(['accepted', 'accepted', 'accepted']);
	});

	test("a call waits for its turn in the caller's queue, and only counts as sending after that", async () => {
		const service = modelService(clock, {next: outcomes()});
		let go = () => {};
		const turn = new Promise<void>(resolve => {
			go = resolve;
		});
		const scheduler: OutboxSenderOptions['scheduler'] = {
			async request(_key, call) {
				await turn;
				return call(new AbortController().signal);
			},
		};
		const {sender, states} = start(service, {scheduler});
		const item = await sender.enqueue('s', {text: 'a'});
		await clock.advance(1_000);
		expect(states()).toEqual(['queued']);
		expect(sender.discard(item.id)).toMatchObject({text: 'a'});
		go();
		await clock.advance(1_000);
		expect(acceptedTexts(service)).toEqual([]);
	});

	test("a message that is being sent can't be discarded", async () => {
		const service = modelService(clock, {next: outcomes()});
		const {sender, database, states} = start(service);
		const item = await sender.enqueue('s', {text: 'a'});
		expect(states()).toEqual(['sending']);
		expect(sender.discard(item.id)).toBeUndefined();
		await clock.advance(200);
		expect(acceptedTexts(service)).toEqual(['a']);
		expect(database.outbox.all()).toMatchObject([{text: 'a', state: 'accepted', messageId: 'm1'}]);
	});
});

describe('lost answers', () => {
	test.each([true, false])('are found in the listing, oldest first %s', async isHeadFirst => {
		const service = modelService(clock, {
			next: outcomes('accepted', 'accepted', 'accepted', 'accepted', 'lost'),
			lag: 20_000,
			isHeadFirst,
		});
		const {sender, states, accepted, database} = start(service);
		for (const text of ['a', 'b', 'c', 'd']) await sender.enqueue('s', {text});
		await clock.advance(60_000);
		await sender.enqueue('s', {text: 'e'});
		await sender.enqueue('s', {text: 'after'});
		await clock.advance(300);
		expect(states().slice(-2)).toEqual(['unconfirmed', 'queued']);
		await clock.advance(60_000);
		expect(states().slice(-2)).toEqual(['seen', 'accepted']);
		expect(accepted).toContain('e undefined');
		expect(acceptedTexts(service)).toEqual(['a', 'b', 'c', 'd', 'e', 'after']);
		expect(database.outbox.all()[4]?.messageId).toBe('m5');
	});

	test('are given up after two minutes, never resent, and left for the user to decide', async () => {
		const service = modelService(clock, {next: outcomes('vanished')});
		const {sender, database} = start(service);
		const item = await sender.enqueue('s', {text: 'a'});
		await clock.advance(110_000);
		expect(database.outbox.get(item.id)?.lookUntil).toBeDefined();
		await clock.advance(600_000);
		const given = database.outbox.get(item.id);
		expect(given).toMatchObject({state: 'unconfirmed', problem: expect.stringContaining('may not have')});
		expect(given?.lookUntil).toBeUndefined();
		expect(acceptedTexts(service)).toEqual([]);
		expect(clock.pending).toBe(0);
		sender.resend(item.id);
		await clock.advance(1_000);
		expect(acceptedTexts(service)).toEqual(['a']);
	});

	test("aren't given up while the service can't be asked", async () => {
		let isReadable = false;
		const service = modelService(clock, {next: outcomes('lost'), isReadable: () => isReadable});
		const {sender, states} = start(service);
		await sender.enqueue('s', {text: 'a'});
		await clock.advance(200_000);
		expect(states()).toEqual(['unconfirmed']);
		isReadable = true;
		await clock.advance(60_000);
		expect(states()).toEqual(['seen']);
	});

	test('a page that the follower reads settles accepted and unconfirmed messages without a request', async () => {
		const service = modelService(clock, {next: outcomes('accepted', 'lost'), isReadable: () => false});
		const {sender, states} = start(service);
		await sender.enqueue('s', {text: 'a'});
		await sender.enqueue('s', {text: 'b'});
		await clock.advance(500);
		expect(states()).toEqual(['accepted', 'unconfirmed']);
		sender.observe('s', service.accepted('s'), new Map([['m2', 'user']]));
		expect(states()).toEqual(['seen', 'seen']);
	});

	test('are looked for again when the same words of an unknown author appear, even once given up', async () => {
		let isListed = false;
		const service = modelService(clock, {next: outcomes('lost')});
		const {sender, states} = start({
			messages: {
				...service.messages,
				list: async (...query) =>
					isListed ? service.messages.list(...query) : {items: [], hasMore: false, skipped: 0},
			},
		});
		await sender.enqueue('s', {text: 'a'});
		await clock.advance(300_000);
		expect(states()).toEqual(['unconfirmed']);
		isListed = true;
		sender.observe('s', service.accepted('s'));
		expect(states()).toEqual(['unconfirmed']);
		await clock.advance(100);
		expect(states()).toEqual(['seen']);
	});
});

describe('a service that takes a post with the same key once', () => {
	test('gets a message again whose answer was lost, until it answers, and lists it once', async () => {
		const service = modelService(clock, {next: outcomes('vanished', 'lost', 'lost'), isIdempotent: true});
		const {sender, states} = start(service);
		await sender.enqueue('s', {text: 'a'});
		await sender.enqueue('s', {text: 'b'});
		await clock.advance(20_000);
		expect(states()).toEqual(['accepted', 'accepted']);
		expect(acceptedTexts(service)).toEqual(['a', 'b']);
		expect(service.reads).toBe(0);
	});
});

describe('other processes', () => {
	test('looks for a message that another process was sending when it died', async () => {
		const service = modelService(clock, {next: outcomes('lost')});
		const database = open();
		database.outbox.put(
			outboxItem({id: 'x', text: 'a', state: 'sending', createdAt: clock.now(), sentAt: clock.now()}),
		);
		await Promise.all([service.messages.add('s', {text: 'a'}).catch(() => {}), clock.advance(200)]);
		const {states} = start(service, {database});
		expect(states()).toEqual(['unconfirmed']);
		await clock.advance(100);
		expect(states()).toEqual(['seen']);
		expect(acceptedTexts(service)).toEqual(['a']);
	});

	test('leaves a row that another process holds alone until the lease ends', async () => {
		const service = modelService(clock, {next: outcomes()});
		const database = open();
		const other = start(service, {
			database,
			owner: 'dead',
			scheduler: {request: () => new Promise(() => {})},
		});
		await other.sender.enqueue('s', {text: 'a'});
		const [item] = database.outbox.all();
		expect(database.outbox.lease(item?.id ?? '', 'dead', clock.now() + 30_000)).toBe(true);
		senders.splice(senders.indexOf(other.sender), 1);
		const {states} = start(service, {database: open(), owner: 'two'});
		await clock.advance(29_000);
		expect(states()).toEqual(['queued']);
		await clock.advance(10_000);
		expect(states()).toEqual(['accepted']);
		expect(acceptedTexts(service)).toEqual(['a']);
	});

	test('goes on soon if another process is done in the moment in which it begins to wait', async () => {
		const service = modelService(clock, {next: outcomes()});
		const database = open();
		const other = open();
		const row = {id: 'x', sessionId: 's', text: 'a', images: [], files: [], createdAt: clock.now(), tries: 0};
		other.outbox.put({...row, state: 'queued'});
		other.outbox.lease('x', 'other', clock.now() + 30_000);
		const outbox: Database['outbox'] = {
			...database.outbox,
			isLeasedElsewhere(...lease) {
				const isLeased = database.outbox.isLeasedElsewhere(...lease);
				other.outbox.release('x', 'other');
				return isLeased;
			},
		};
		const {states} = start(service, {database: {...database, outbox}, owner: 'two'});
		expect(states()).toEqual(['queued']);
		await clock.advance(1_000);
		expect(states()).toEqual(['accepted']);
	});
});

describe("a disk that can't be written", () => {
	function failing(database: Database) {
		const disk = {isFull: false};
		const fail = () => {
			if (disk.isFull) throw new StorageError('full', new Error('no room'));
		};
		const outbox: Database['outbox'] = {
			...database.outbox,
			put(item) {
				fail();
				database.outbox.put(item);
			},
			lease(...values) {
				fail();
				return database.outbox.lease(...values);
			},
		};
		return {disk, database: {...database, outbox}};
	}

	test('keeps the outcome in memory, sends nothing more, and goes on when there is room', async () => {
		const service = modelService(clock, {next: outcomes()});
		const {disk, database} = failing(open());
		const {sender, store, states} = start(service, {database});
		await sender.enqueue('s', {text: 'a'});
		await sender.enqueue('s', {text: 'b'});
		disk.isFull = true;
		await clock.advance(30_000);
		expect(states()).toEqual(['sending', 'queued']);
		expect(
			store
				.getState()
				.bySession.get('s')
				?.map(({state}) => state),
		).toEqual(['accepted', 'queued']);
		expect(acceptedTexts(service)).toEqual(['a']);
		disk.isFull = false;
		await clock.advance(10_000);
		expect(states()).toEqual(['accepted', 'accepted']);
		expect(acceptedTexts(service)).toEqual(['a', 'b']);
	});

	test("refuses what can't be stored, and sends none of it", async () => {
		const service = modelService(clock, {next: outcomes()});
		const {disk, database} = failing(open());
		const {sender} = start(service, {database});
		disk.isFull = true;
		expect(() => sender.enqueue('s', {text: 'a'})).toThrow(StorageError);
		disk.isFull = false;
		await clock.advance(60_000);
		expect(acceptedTexts(service)).toEqual([]);
	});
});

test("reports another program's delivered message once, even if it has already been seen", () => {
	const {sender} = start(modelService(clock, {next: outcomes()}));
	const other = open();
	const message = (id: string, state: DeliveryState) =>
		other.outbox.put({
			id,
			sessionId: 's',
			text: id,
			images: [],
			files: [],
			state,
			createdAt: clock.now(),
			tries: 1,
		});
	sender.start();
	message('a', 'seen');
	expect(sender.readPeerWrites()).toEqual(['s']);
	expect(sender.readPeerWrites()).toEqual([]);
	message('b', 'queued');
	expect(sender.readPeerWrites()).toEqual([]);
	message('b', 'accepted');
	expect(sender.readPeerWrites()).toEqual(['s']);
	message('b', 'seen');
	expect(sender.readPeerWrites()).toEqual([]);
});

test('reports a message that waited here but was sent by another program, not one sent here', async () => {
	const {sender, store, accepted} = start(modelService(clock, {next: outcomes('rate-limited')}));
	const other = open();
	const {id} = await sender.enqueue('s', {text: 'a'});
	await clock.advance(200);
	const waiting = other.outbox.get(id);
	if (waiting) other.outbox.put({...waiting, state: 'accepted', messageId: 'm'});
	// The store has it before the look at the other program's writes, since a message that waits looks more often.
	await clock.advance(2_000);
	expect(store.getState().bySession.get('s')).toMatchObject([{state: 'accepted'}]);
	expect(sender.readPeerWrites()).toEqual(['s']);
	expect(sender.readPeerWrites()).toEqual([]);
	await sender.enqueue('s', {text: 'b'});
	await clock.advance(10_000);
	expect(accepted).toEqual(['b idle']);
	expect(sender.readPeerWrites()).toEqual([]);
});
