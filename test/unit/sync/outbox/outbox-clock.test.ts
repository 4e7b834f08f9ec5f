import {beforeEach, expect, test} from 'vitest';
import {RateLimitedError, RejectedError} from '../../../../src/api/errors.ts';
import {Limiter} from '../../../../src/api/rate-limit.ts';
import {newOutboxItem} from '../../../../src/domain/messages/delivery.ts';
import {createOutboxStore} from '../../../../src/state/stores.ts';
import {Scheduler} from '../../../../src/sync/core/scheduler.ts';
import {OutboxSender} from '../../../../src/sync/outbox/outbox-sender.ts';
import {settle} from '../../../support/fake-clock.ts';
import {acceptedTexts, outboxBench} from '../../../support/outbox-bench.ts';
import {type ModelService, modelService, type PostOutcome} from '../../../support/post-service.ts';

const day = 24 * 3_600_000;

/** Time as it passes; the machine's clock shows `setBy` more. */
let setBy = 0;
const {time, senders, open} = outboxBench(() => setBy);
const clock = {now: () => time.now() + setBy, after: time.after};
beforeEach(() => {
	setBy = 0;
});

function service(...outcomes: PostOutcome[]): ModelService {
	return modelService(time, {next: () => outcomes.shift() ?? 'accepted', lag: 20_000});
}

function start({messages}: Pick<ModelService, 'messages'>, owner = 'one') {
	const database = open();
	const sender = new OutboxSender({
		database,
		service: {messages},
		store: createOutboxStore(),
		clock,
		owner,
		random: () => 0.5,
		skew: () => -setBy,
	});
	senders.push(sender);
	sender.start();
	return {sender, database, states: () => database.outbox.all().map(({state}) => state)};
}

test('sends a message whose wait was set before the clock was set back', async () => {
	const server = service();
	const item = newOutboxItem('s', {text: 'a'}, {accountId: undefined, createdAt: clock.now() + day});
	open().outbox.put({...item, tries: 1, notBefore: clock.now() + day + 5_000, problem: 'down'});
	start(server);
	await time.advance(1_000);
	expect(acceptedTexts(server)).toEqual(['a']);
});

test("setting the clock back during a wait doesn't shorten it", async () => {
	const server = service('rate-limited');
	const {sender} = start(server);
	await sender.enqueue('s', {text: 'a'});
	await time.advance(300);
	setBy = -day;
	await time.advance(4_000);
	expect(acceptedTexts(server)).toEqual([]);
	await time.advance(2_000);
	expect(acceptedTexts(server)).toEqual(['a']);
});

test('looks for a message that a dead process was sending, however far ahead its lease reaches', async () => {
	const server = service();
	await Promise.all([server.messages.add('s', {text: 'a'}), time.advance(200)]);
	const database = open();
	const item = newOutboxItem('s', {text: 'a'}, {accountId: undefined, createdAt: clock.now()});
	setBy = day;
	database.outbox.put({...item, state: 'sending', sentAt: clock.now() - 200, sentSkew: -day, tries: 1});
	expect(database.outbox.lease(item.id, 'gone', clock.now() + 60_000)).toBe(true);
	setBy = 0;
	const {states} = start(server);
	expect(states()).toEqual(['unconfirmed']);
	await time.advance(60_000);
	expect(states()).toEqual(['seen']);
	expect(acceptedTexts(server)).toEqual(['a']);
});

test.each([400, 404, 409])(
	'gives up a message in time if its session answers %i to every read',
	async status => {
		const server = service('lost');
		const refusing = {
			...server.messages,
			list: () => Promise.reject(new RejectedError('No.', {hint: 'Stop.', status})),
		};
		const {sender, states, database} = start({messages: refusing});
		await sender.enqueue('s', {text: 'a'});
		await sender.enqueue('s', {text: 'b'});
		await time.advance(119_000);
		expect(states()).toEqual(['unconfirmed', 'queued']);
		await time.advance(2_000);
		expect(states()).toEqual(['unconfirmed', 'accepted']);
		expect(database.outbox.all()[0]?.problem).toContain("can't be read");
	},
);

test("a wait that the service asked of one process holds another's messages just as long", async () => {
	const server = service('rate-limited');
	const one = start(server, 'one');
	const two = start(server, 'two');
	await one.sender.enqueue('s', {text: 'a'});
	await time.advance(300);
	await two.sender.enqueue('other', {text: 'b'});
	await time.advance(4_000);
	expect(two.states()).toEqual(['queued', 'queued']);
	await time.advance(2_000);
	expect([...acceptedTexts(server), ...acceptedTexts(server, 'other')]).toEqual(['a', 'b']);
	// It is kept where a third one finds it, too.
	expect(open().outbox.serviceWait()).toBeUndefined();
});

test("sends a message behind another process's as soon as that one has arrived", async () => {
	const server = service();
	const one = start(server, 'one');
	const two = start(server, 'two');
	await one.sender.enqueue('s', {text: 'a'});
	await settle();
	await two.sender.enqueue('s', {text: 'b'});
	await time.advance(700);
	expect(acceptedTexts(server)).toEqual(['a', 'b']);
	expect(server.maxConcurrent).toBe(1);
});

test('a lease is live no longer than a lease can last', () => {
	const database = open();
	const [a, b] = [
		newOutboxItem('s', {text: 'a'}, {accountId: undefined, createdAt: 0}),
		newOutboxItem('s', {text: 'b'}, {accountId: undefined, createdAt: 0}),
	];
	database.outbox.put(a);
	database.outbox.put(b);
	const until = () => clock.now() + 60_000;
	expect(database.outbox.lease(a.id, 'one', until())).toBe(true);
	expect(database.outbox.lease(b.id, 'two', until())).toBe(false);
	expect(database.outbox.isLeasedElsewhere('s', 'two', until())).toBe(true);
	expect(database.outbox.isLeasedElsewhere('s', 'one', until())).toBe(false);
	setBy = -day;
	expect(database.outbox.isLeasedElsewhere('s', 'two', until())).toBe(false);
	expect(database.outbox.lease(b.id, 'two', until())).toBe(true);
});

test('requests go on after the clock was set back during a wait', async () => {
	const limiter = new Limiter();
	limiter.hold({since: clock.now(), until: clock.now() + 5_000});
	expect(limiter.remainingWait(clock.now())).toBe(5_000);
	expect(limiter.remainingWait(clock.now() - day)).toBe(0);
	const scheduler = new Scheduler({clock, random: () => 0});
	const error = new RateLimitedError('Wait.', {hint: 'Later.', retryAfter: 5_000});
	await expect(scheduler.request('a', () => Promise.reject(error))).rejects.toBe(error);
	setBy = -day;
	await expect(scheduler.request('a', async () => 'answer')).resolves.toBe('answer');
	await scheduler.stop();
});
