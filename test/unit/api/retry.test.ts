import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	LostResponseError,
	outcomeOf,
	RateLimitedError,
	ServerError,
	UnreachableError,
} from '../../../src/api/errors.ts';
import {createHttpService, type RetryPolicy, retryDelay} from '../../../src/api/http/http-client.ts';
import {askedWait, Limiter, readRetryAfter} from '../../../src/api/rate-limit.ts';
import type {Service} from '../../../src/api/service.ts';
import {Secret} from '../../../src/config/secret.ts';
import {backoff} from '../../../src/domain/backoff.ts';
import {eventually} from '../../support/eventually.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import type {Reply} from '../../support/fault-server.ts';
import {passWaits} from '../../support/pass-waits.ts';
import {json, resetAfter, silence} from '../../support/replies.ts';
import {errorOf, setUpHarness} from './harness.ts';

const harness = setUpHarness();
const hint = '-';
const computer = {id: 'c1'};

/** Answers in turn, noting the fake time of each request. */
function noting(times: number[], now: () => number, ...replies: Reply[]): Reply[] {
	return replies.map(reply => (response, request) => {
		times.push(now());
		return reply(response, request);
	});
}

describe('the retry policy', () => {
	test('backs off with full jitter, from 1 s to 60 s', () => {
		fc.assert(
			fc.property(
				fc.nat(40),
				fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true}),
				(failures, chance) => {
					const delay = backoff(failures, chance);
					expect(delay).toBeGreaterThanOrEqual(1_000);
					expect(delay).toBeLessThanOrEqual(60_000);
				},
			),
		);
		expect([1, 2, 3, 11].map(failures => backoff(failures, 0.999_999))).toEqual([
			2_000, 4_000, 8_000, 60_000,
		]);
	});

	test('never waits less than the service asked for', () => {
		fc.assert(
			fc.property(fc.nat(10_000_000), fc.double({min: 0, max: 1, noNaN: true}), (retryAfter, chance) => {
				const error = new RateLimitedError('w', {hint, retryAfter});
				expect(retryDelay(error, 'read', 0, chance)).toBeGreaterThanOrEqual(retryAfter);
			}),
		);
	});

	test.each<[RetryPolicy, boolean, boolean, boolean, boolean]>([
		['read', true, true, true, true],
		['post', true, false, false, true],
		['once', false, false, false, false],
	])('%s: not sent %s, lost %s, 5xx %s, told to wait %s', (policy, notSent, lost, failed, reported) => {
		const errors = [
			new UnreachableError('w', {hint}),
			new LostResponseError('w', {hint}),
			new ServerError('w', {hint}),
			new RateLimitedError('w', {hint, retryAfter: 5}),
		];
		const isRepeated = errors.map(error => retryDelay(error, policy, 0, 0.5) !== undefined);
		expect(isRepeated).toEqual([notSent, lost, failed, reported]);
		expect(errors.map(error => retryDelay(error, policy, 3, 0.5))).toEqual([
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});

	test("doesn't retry what isn't a failure of the service", () => {
		for (const error of [new Error('bug'), new TypeError('bug'), undefined]) {
			expect(retryDelay(error, 'read', 0, 0.5)).toBeUndefined();
			expect(outcomeOf(error)).toBe('unknown');
		}
	});
});

describe('Retry-After', () => {
	const now = Date.UTC(2026, 2, 1, 12);
	const http = (ms: number) => new Date(ms).toUTCString();

	test.each([
		['120', undefined, 120_000],
		[' 7 ', undefined, 7_000],
		['0', undefined, 0],
		['0.5', undefined, 500],
		[http(now + 90_000), undefined, 90_000],
		[http(now + 90_000), http(now), 90_000],
		// Our clock is an hour ahead of the service's: by ours the time would be over.
		[http(now - 3_600_000 + 90_000), http(now - 3_600_000), 90_000],
		[http(now - 5_000), undefined, 0],
		['86400', undefined, 86_400_000],
		['86401', undefined, 86_400_000],
		['99999999999999999999', undefined, 86_400_000],
		[http(now + 3 * 86_400_000), undefined, 86_400_000],
		['soon', undefined, undefined],
		['5 apples', undefined, undefined],
		['-5', undefined, undefined],
		['', undefined, undefined],
		[undefined, undefined, undefined],
		[['1', '2'], undefined, undefined],
	])('%j with Date %j is %j ms', (header, date, wait) => {
		expect(readRetryAfter(header, now, date)).toBe(wait);
	});
});

test('the retry budget runs out, and successes refill it', () => {
	const limiter = new Limiter();
	const taken = Array.from({length: 12}, () => limiter.takeRetry());
	expect(taken.filter(Boolean)).toHaveLength(10);
	for (let i = 0; i < 5; i++) limiter.succeed();
	expect([limiter.takeRetry(), limiter.takeRetry()]).toEqual([true, false]);
});

test('retries a failing read until it succeeds', async () => {
	const clock = fakeClock();
	harness.server.answer(json({}, 500), resetAfter(5, '{}'), json({}, 503), json(computer));
	expect(await passWaits(clock, harness.client(clock).computers.get('c1'))).toEqual(computer);
	expect(harness.server.requests).toHaveLength(4);
	expect(harness.facts.map(facts => facts.ok)).toEqual([false, false, false, true]);
	expect(clock.pending).toBe(0);
});

test('a read gives up after three retries, and waits for a silent service no longer than its budget', async () => {
	const clock = fakeClock();
	harness.server.otherwise(json({}, 500));
	expect(await errorOf(passWaits(clock, harness.client(clock).computers.get('c1')))).toMatchObject({
		name: 'ServerError',
	});
	expect(harness.server.requests).toHaveLength(4);

	const start = clock.now();
	harness.server.answer(json({}, 500), silence());
	const failed = errorOf(passWaits(clock, harness.client(clock).computers.get('c1')));
	await harness.server.asked(6);
	await clock.advance(60_000);
	expect(await failed).toMatchObject({name: 'LostResponseError'});
	expect(clock.now() - start).toBeLessThanOrEqual(63_000);
});

test.each([8, -8])(
	"a clock that jumps by %i h during a wait doesn't change the timeout of the next try",
	async hours => {
		const clock = fakeClock();
		let offset = 0;
		harness.server.answer(json({}, 500), silence());
		const call = harness.client({...clock, now: () => clock.now() + offset}).computers.get('c1');
		const failed = errorOf(call);
		await eventually(() => expect([harness.facts.length, clock.pending]).toEqual([1, 1]));
		offset = hours * 3_600_000;
		const start = clock.now();
		void passWaits(clock, failed);
		await harness.server.asked(2);
		await clock.advance(60_000);
		expect((await failed).message).toMatch(/no complete response within 5\d s/);
		expect(clock.now() - start).toBeLessThanOrEqual(63_000);
	},
);

test('a client with 0 retries sends a single request', async () => {
	const {url} = harness.server;
	harness.server.otherwise(json({}, 500));
	const address = {baseUrl: url, appUrl: url, key: new Secret('k')};
	const service = createHttpService({address, retries: 0});
	expect(await errorOf(service.computers.get('c1'))).toMatchObject({name: 'ServerError'});
	await service.close();
	expect(harness.server.requests).toHaveLength(1);
});

test.each<[name: string, call: (service: Service) => Promise<unknown>]>([
	['computers.create', s => s.computers.create({name: 'a', remoteUser: 'b'})],
	['computers.installDeps', s => s.computers.installDeps('c1')],
	['sessions.create', s => s.sessions.create({computerId: 'c1'})],
	['messages.add', s => s.messages.add('s1', {text: 'x'})],
])('never retries %s once it may have been accepted', async (_name, call) => {
	for (const reply of [
		json({}, 500),
		json({}, 503),
		resetAfter(0, ''),
		resetAfter(30, '{}'),
		json({}, 200),
	]) {
		const clock = fakeClock();
		const before = harness.server.requests.length;
		harness.server.answer(reply);
		expect(outcomeOf(await errorOf(passWaits(clock, call(harness.client(clock)))))).toBe('unknown');
		expect(harness.server.requests.length - before).toBe(1);
	}
});

test('a create waits as long as it is told, and is sent again', async () => {
	const clock = fakeClock();
	const times: number[] = [];
	const date = new Date(clock.now()).toUTCString();
	const until = new Date(clock.now() + 30_000).toUTCString();
	harness.server.answer(
		...noting(
			times,
			clock.now,
			json({}, 429, {'retry-after': '20'}),
			json({}, 503, {'retry-after': until, date}),
			json(computer, 201),
		),
	);
	await passWaits(clock, harness.client(clock).computers.create({name: 'a', remoteUser: 'b'}));
	const [first = 0, second = 0, third = 0] = times;
	expect(second - first).toBeGreaterThanOrEqual(20_000);
	expect(third - second).toBeGreaterThanOrEqual(30_000);
});

test('tries a message only once, and sends no others while the service asks to wait', async () => {
	const clock = fakeClock();
	const service = harness.client(clock);
	harness.server.answer(json({}, 429, {'retry-after': '20'}));
	const reported = await errorOf(service.messages.add('s1', {text: 'x'}));
	expect(reported).toMatchObject({name: 'RateLimitedError', retryAfter: 20_000});
	// The wait holds for all: nothing more is sent while it runs.
	await clock.advance(5_000);
	const held = await errorOf(service.messages.add('s1', {text: 'x'}));
	expect(held).toMatchObject({name: 'RateLimitedError', retryAfter: 15_000});
	expect(outcomeOf(held)).toBe('wait');
	expect(harness.server.requests).toHaveLength(1);
	await clock.advance(15_000);
	harness.server.answer(json({messageId: 'm1'}));
	await service.messages.add('s1', {text: 'x'});
	expect(harness.facts[0]).toMatchObject({ok: false, status: 429});
	// Both addresses are of one origin here.
	const until = clock.now();
	expect(harness.facts[0]?.waitUntil).toEqual({base: until, app: until});
});

test('a wait that is too long for the call ends it, and delays the next read', async () => {
	const clock = fakeClock();
	const service = harness.client(clock);
	const times: number[] = [];
	harness.server.answer(...noting(times, clock.now, json({}, 429, {'retry-after': '90'}), json({users: []})));
	expect(await errorOf(service.users.list())).toMatchObject({name: 'RateLimitedError', retryAfter: 90_000});
	expect(await errorOf(service.users.list())).toMatchObject({name: 'RateLimitedError', retryAfter: 90_000});
	await clock.advance(60_000);
	await passWaits(clock, service.users.list());
	expect(times).toHaveLength(2);
	expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(90_000);
});

test.each(['0', '0.01', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
	"doesn't ask again at once when the service asks for a wait of %s",
	async retryAfter => {
		const clock = fakeClock();
		harness.server.answer(json({}, 429, {'retry-after': retryAfter}));
		const error = await errorOf(harness.client(clock).messages.add('s1', {text: 'x'}));
		expect(error).toMatchObject({name: 'RateLimitedError', retryAfter: 1000});
	},
);

test('backs off on its own, for 1 to 4 s, after a 429 without a time', async () => {
	const waits = [0, 1].map(chance =>
		askedWait({status: 429, headers: {}}, {...fakeClock(), random: () => chance}),
	);
	expect(waits).toEqual([1000, 4000]);
	const clock = fakeClock();
	harness.server.answer(json({}, 429), json(computer));
	expect(await passWaits(clock, harness.client(clock).computers.get('c1'))).toEqual(computer);
});

test("a patch that may have been applied stays in doubt when its retries don't get through", async () => {
	const clock = fakeClock();
	harness.server.answer(resetAfter(0, ''), json({}, 429, {'retry-after': '300'}));
	const error = await errorOf(passWaits(clock, harness.client(clock).computers.update('c1', {name: 'n'})));
	expect(error).toMatchObject({name: 'LostResponseError'});
	expect(harness.server.requests.map(request => request.body)).toEqual([{name: 'n'}, {name: 'n'}]);
});

test('a wait ends at once when the call is aborted, and its error says what it waited after', async () => {
	const clock = fakeClock();
	const controller = new AbortController();
	harness.server.answer(json({}, 500));
	const failed = errorOf(harness.client(clock).computers.get('c1', {signal: controller.signal}));
	await eventually(() => expect(harness.facts).toHaveLength(1));
	await eventually(() => expect(clock.pending).toBe(1));
	controller.abort();
	expect(await failed).toMatchObject({name: 'AbortError', isSent: false, cause: {name: 'ServerError'}});
	expect(clock.pending).toBe(0);
	expect(harness.server.requests).toHaveLength(1);
});
