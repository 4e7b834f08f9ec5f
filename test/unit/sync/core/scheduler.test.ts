import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {
	LostResponseError,
	RateLimitedError,
	ServerError,
	UnauthorizedError,
	UnreachableError,
} from '../../../../src/api/errors.ts';
import {type Reachability, Scheduler} from '../../../../src/sync/core/scheduler.ts';
import {type FakeClock, fakeClock, settle} from '../../../support/fake-clock.ts';

let clock: FakeClock;
let scheduler: Scheduler;
let reach: Reachability;
beforeEach(() => {
	clock = fakeClock();
	scheduler = new Scheduler({clock, random: () => 0.5, onReachability: next => (reach = next)});
});
afterEach(async () => {
	await scheduler.stop();
	expect(clock.pending).toBe(0);
});

/** A call that ends when told. */
function held() {
	const started: string[] = [];
	const ends = new Map<string, () => void>();
	const call = (name: string) => () => {
		started.push(name);
		return new Promise<string>(resolve => ends.set(name, () => resolve(name)));
	};
	return {started, ends, call};
}

const unreachable = new UnreachableError('No way.', {hint: 'Look.'});

test('runs four requests at once, one per resource, and an urgent one beside them', async () => {
	const {started, ends, call} = held();
	const requests = ['a', 'a2', 'b', 'c', 'd', 'e', 'z'].map(name =>
		scheduler.request(name[0] ?? '', call(name), {priority: name === 'z' ? 'background' : 'normal'}),
	);
	requests.push(scheduler.request('f', call('f'), {priority: 'urgent'}));
	await settle();
	expect(started).toEqual(['a', 'b', 'c', 'd', 'f']);
	for (const [ended, next] of [
		['f', 'f'],
		['a', 'a2'],
		['b', 'e'],
		['c', 'z'],
	] as const) {
		ends.get(ended)?.();
		await settle();
		expect(started.at(-1)).toBe(next);
	}
	for (const end of ends.values()) end();
	expect(await Promise.all(requests)).toEqual(['a', 'a2', 'b', 'c', 'd', 'e', 'z', 'f']);
});

test('background requests leave one slot free for others', async () => {
	const {started, ends, call} = held();
	const requests = ['a', 'b', 'c', 'd', 'e'].map(name =>
		scheduler.request(name, call(name), {priority: 'background'}),
	);
	await settle();
	expect(started).toEqual(['a', 'b', 'c']);
	requests.push(scheduler.request('f', call('f')));
	await settle();
	expect(started.at(-1)).toBe('f');
	ends.get('f')?.();
	await settle();
	expect(started).toHaveLength(4);
	ends.get('a')?.();
	await settle();
	expect(started.at(-1)).toBe('d');
	ends.get('b')?.();
	await settle();
	for (const end of ends.values()) end();
	expect(await Promise.all(requests)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a 401 stops everything until the key changes', async () => {
	const refused = scheduler.request('a', async () => {
		throw new UnauthorizedError('The key was refused.', {hint: 'Set it.', status: 401});
	});
	await expect(refused).rejects.toThrow(UnauthorizedError);
	let isMade = false;
	const waiting = scheduler.request(
		'b',
		async () => {
			isMade = true;
		},
		{priority: 'urgent'},
	);
	await clock.advance(3_600_000);
	expect(isMade).toBe(false);
	expect(clock.pending).toBe(0);
	expect(reach.block?.kind).toBe('unauthorized');
	scheduler.resume();
	await waiting;
	expect(isMade).toBe(true);
	expect(reach.block).toBeUndefined();
});

test("a key that is refused for another's request blocks the engine's, too, and is reported", async () => {
	await scheduler.request('a', async () => {});
	scheduler.keyRefused(new UnauthorizedError('No.', {hint: 'Look.', status: 401}));
	expect(reach.block?.kind).toBe('unauthorized');
	let isMade = false;
	const waiting = scheduler.request('b', async () => {
		isMade = true;
	});
	await settle();
	expect(isMade).toBe(false);
	scheduler.resume();
	await waiting;
});

test('a wait requested by the service holds up every request, even urgent ones', async () => {
	const limited = scheduler.request('a', async () => {
		throw new RateLimitedError('Too many.', {hint: 'Wait.', status: 429, retryAfter: 7_000});
	});
	await expect(limited).rejects.toThrow(RateLimitedError);
	expect(reach.block).toMatchObject({kind: 'slowed', until: clock.now() + 7_000});
	let at = 0;
	const start = clock.now();
	void scheduler.request('b', async () => (at = clock.now()), {priority: 'urgent'});
	await clock.advance(6_999);
	expect(at).toBe(0);
	await clock.advance(1);
	expect(at).toBe(start + 7_000);
});

test('a wait requested by the service outlasts the success of a request already in flight', async () => {
	const {ends, call} = held();
	const underWay = scheduler.request('a', call('a'));
	const limited = scheduler.request('b', async () => {
		throw new RateLimitedError('Too many.', {hint: 'Wait.', status: 429, retryAfter: 7_000});
	});
	await expect(limited).rejects.toThrow(RateLimitedError);
	ends.get('a')?.();
	await underWay;
	await settle();
	expect(reach.block).toMatchObject({kind: 'slowed', until: clock.now() + 7_000});
	let isMade = false;
	void scheduler.request('c', async () => (isMade = true));
	await clock.advance(6_999);
	expect(isMade).toBe(false);
	await clock.advance(1);
	expect(isMade).toBe(true);
	expect(reach.block).toBeUndefined();
});

test('retries an unreachable service with one request, less and less often, until one succeeds', async () => {
	let isDown = true;
	const times: number[] = [];
	const poll = scheduler.poll(async signal => {
		try {
			await scheduler.request(
				'a',
				async () => {
					times.push(clock.now());
					if (isDown) throw unreachable;
				},
				{signal},
			);
			return undefined;
		} catch {
			return 0;
		}
	});
	poll.now();
	await clock.advance(120_000);
	expect(reach.block).toMatchObject({kind: 'offline'});
	const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
	expect(waits.length).toBeGreaterThan(4);
	expect(waits).toEqual(waits.toSorted((a, b) => a - b));
	expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
	isDown = false;
	await clock.advance(60_000);
	expect(reach).toMatchObject({isPolling: false});
	expect(reach.block).toBeUndefined();
});

test("an urgent request doesn't wait for the next retry", async () => {
	await expect(scheduler.request('a', () => Promise.reject(unreachable))).rejects.toBe(unreachable);
	await expect(scheduler.request('a', async () => 'back', {priority: 'urgent'})).resolves.toBe('back');
	expect(reach.block).toBeUndefined();
});

test('the service stays offline during a retry by the user, until it succeeds', async () => {
	const states: (string | undefined)[] = [];
	scheduler = new Scheduler({
		clock,
		random: () => 0.5,
		onReachability: next => {
			reach = next;
			states.push(next.block?.kind);
		},
	});
	await expect(scheduler.request('a', () => Promise.reject(unreachable))).rejects.toBe(unreachable);
	states.length = 0;
	const hanging = held();
	const hangs = scheduler.request('h', hanging.call('h'), {priority: 'urgent'});
	let isDown = true;
	const ask = () =>
		scheduler.request('a', async () => {
			if (isDown) throw unreachable;
		});
	const first = ask();
	scheduler.tryNow();
	await expect(first).rejects.toBe(unreachable);
	await settle();
	expect(new Set(states)).toEqual(new Set(['offline']));
	isDown = false;
	const second = ask();
	scheduler.tryNow();
	await second;
	await settle();
	expect(reach.block).toBeUndefined();
	hanging.ends.get('h')?.();
	await hangs;
});

test("failures of other requests don't postpone the next retry", async () => {
	await expect(scheduler.request('a', () => Promise.reject(unreachable))).rejects.toBe(unreachable);
	const {until} = reach.block ?? {};
	for (let index = 0; index < 5; index++) {
		const urgent = scheduler.request('b', () => Promise.reject(unreachable), {priority: 'urgent'});
		await expect(urgent).rejects.toBe(unreachable);
	}
	expect(reach.block?.until).toBe(until);
});

test('an error response shows that the service can be reached', async () => {
	await expect(scheduler.request('a', () => Promise.reject(unreachable))).rejects.toBe(unreachable);
	const failing = scheduler.request(
		'a',
		() => Promise.reject(new ServerError('It failed.', {hint: 'Wait.', status: 500})),
		{priority: 'urgent'},
	);
	await expect(failing).rejects.toThrow(ServerError);
	expect(reach.block).toBeUndefined();
});

test('a service that answers only with 5xx counts as failing, since the first one, until something succeeds', async () => {
	const fail = async (status: number) => {
		const error = new ServerError('It failed.', {hint: 'Wait.', status});
		await expect(scheduler.request('a', () => Promise.reject(error))).rejects.toBe(error);
		await settle();
	};
	const since = clock.now();
	await fail(502);
	await clock.advance(1_000);
	await fail(502);
	expect(reach.failing).toBeUndefined();
	await fail(503);
	expect(reach).toMatchObject({failing: {since, cause: {status: 503}}});
	expect(reach.block).toBeUndefined();
	await scheduler.request('b', async () => 'works');
	await settle();
	expect(reach.failing).toBeUndefined();
	// After an outage, nobody waits for a third.
	await expect(scheduler.request('a', () => Promise.reject(unreachable))).rejects.toBe(unreachable);
	scheduler.tryNow();
	await fail(502);
	expect(reach).toMatchObject({failing: {cause: {status: 502}}});
	// Nor for a second timeout.
	await scheduler.request('b', async () => 'works');
	const lost = new LostResponseError('No answer came.', {hint: 'Wait.'});
	await expect(scheduler.request('a', () => Promise.reject(lost))).rejects.toBe(lost);
	await settle();
	expect(reach).toMatchObject({failing: {cause: lost}});
	expect(reach.block).toBeUndefined();
});

describe('polls', () => {
	test('a poll never overlaps itself, and runs again if it was asked to meanwhile', async () => {
		const {started, ends, call} = held();
		const poll = scheduler.poll(async () => {
			await call(`run ${started.length}`)();
			return undefined;
		});
		poll.now();
		poll.now();
		poll.now();
		await settle();
		expect(started).toEqual(['run 0']);
		ends.get('run 0')?.();
		await settle();
		expect(started).toEqual(['run 0', 'run 1']);
		ends.get('run 1')?.();
		await settle();
		expect(started).toHaveLength(2);
		expect(clock.pending).toBe(0);
		expect(poll.isActive).toBe(false);
	});

	test('wait four times as long while the terminal is blurred, and come sooner once it has focus', async () => {
		let runs = 0;
		const poll = scheduler.poll(async () => {
			runs++;
			return 1_000;
		});
		poll.now();
		await settle();
		scheduler.setFocused(false);
		await clock.advance(40_000);
		expect(runs).toBe(11);
		scheduler.setFocused(true);
		await clock.advance(10_000);
		expect(runs).toBe(21);
	});

	test('ending a poll in the middle of a run aborts the run and waits for it', async () => {
		let isAborted = false;
		const poll = scheduler.poll(
			signal =>
				new Promise(resolve =>
					signal.addEventListener('abort', () => {
						isAborted = true;
						resolve(5);
					}),
				),
		);
		poll.now();
		await poll.end();
		expect(isAborted).toBe(true);
		poll.now();
		expect(poll.isActive).toBe(false);
	});
});

test('stop() rejects waiting and running requests', async () => {
	const running = scheduler.request(
		'a',
		signal =>
			new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
	);
	const waiting = scheduler.request('a', async () => 'never');
	const ends = Promise.allSettled([running, waiting]);
	await settle();
	await scheduler.stop();
	expect((await ends).map(({status}) => status)).toEqual(['rejected', 'rejected']);
	await expect(scheduler.request('a', async () => 'never')).rejects.toThrow('canceled');
});
