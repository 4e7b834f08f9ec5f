import {expect, test} from 'vitest';
import {
	createConnectionStore,
	freshness,
	reportResponse,
	reportSkew,
} from '../../../../src/state/connection.ts';
import {ConnectionReporter} from '../../../../src/sync/core/connection-reporter.ts';
import {fakeClock} from '../../../support/fake-clock.ts';

function setup() {
	const clock = fakeClock();
	const store = createConnectionStore();
	let changes = 0;
	store.subscribe(() => changes++);
	const reporter = new ConnectionReporter(store, clock);
	const report = reporter.report.bind(reporter);
	const fresh = () => freshness(store.getState(), clock.now());
	return {clock, store, report, fresh, changes: () => changes};
}

test('is live or polling while answers arrive on time, and stale from a late one until the next', async () => {
	const {clock, report, fresh} = setup();
	const answer = (next: number) =>
		report({isPolling: true, okAt: clock.now(), latency: 5, nextAt: clock.now() + next});
	answer(3000);
	expect(fresh()).toBe('live');
	await clock.advance(3000);
	// Under way: nothing is due, and the answer may take its time.
	report({isPolling: true, isAwaiting: true, okAt: clock.now() - 3000, latency: 5});
	await clock.advance(5_000);
	expect(fresh()).toBe('live');
	await clock.advance(1);
	expect(fresh()).toBe('stale');
	answer(45_000);
	expect(fresh()).toBe('polling');
	await clock.advance(50_000);
	expect(fresh()).toBe('polling');
});

test("the first request after a long rest isn't late", async () => {
	const {clock, report, fresh} = setup();
	report({isPolling: true, okAt: clock.now(), latency: 5, nextAt: clock.now() + 3000});
	report({isPolling: false, okAt: clock.now(), latency: 5});
	await clock.advance(600_000);
	report({isPolling: true, isAwaiting: true, okAt: clock.now() - 600_000, latency: 5});
	expect(fresh()).not.toBe('stale');
	await clock.advance(21_000);
	expect(fresh()).toBe('stale');
});

test('the answer to a read of a watched session can be late, too, and is noted only then', async () => {
	const {clock, report, fresh, changes} = setup();
	report({isPolling: true, okAt: clock.now(), latency: 5});
	await clock.advance(600_000);
	const okAt = clock.now() - 600_000;
	report({isPolling: true, isAwaiting: true, okAt, latency: 5});
	await clock.advance(3_000);
	report({isPolling: true, isAwaiting: true, okAt, latency: 5});
	expect([fresh(), changes()]).toEqual(['polling', 1]);
	await clock.advance(2_001);
	expect([fresh(), changes()]).toEqual(['stale', 2]);
	report({isPolling: true, okAt: clock.now(), latency: 5});
	await clock.advance(600_000);
	expect([fresh(), clock.pending]).toEqual(['polling', 0]);
});

test('a report that says nothing new changes nothing', () => {
	const {clock, report, changes} = setup();
	const reported = {isPolling: true, okAt: clock.now(), latency: 5, nextAt: clock.now() + 3000};
	report(reported);
	report({...reported});
	report({isPolling: true, isAwaiting: true, okAt: reported.okAt, latency: 5});
	expect(changes()).toBe(1);
});

test('reports answers within three seconds as one, but a new state or a new next time at once', async () => {
	const {clock, store, report, changes} = setup();
	const answer = (latency: number, next = 50) =>
		report({isPolling: true, okAt: clock.now(), latency, nextAt: clock.now() + next});
	answer(5);
	for (let index = 0; index < 9; index++) {
		await clock.advance(300);
		answer(5 + index);
	}
	expect(changes()).toBe(1);
	await clock.advance(300);
	answer(30);
	expect([changes(), store.getState().latency]).toEqual([2, 30]);
	await clock.advance(100);
	answer(31, 60_000);
	expect(store.getState()).toMatchObject({latency: 31, nextAt: clock.now() + 60_000});
	report({isPolling: false, okAt: clock.now(), latency: 32});
	expect(store.getState()).toMatchObject({state: 'quiet', latency: 32});
});

test('remembers when the service became unreachable, even if the cause changes', async () => {
	const {clock, store, report} = setup();
	const block = (what: string) =>
		({kind: 'offline', since: clock.now(), until: clock.now() + 1_000, cause: new Error(what)}) as const;
	const since = clock.now();
	report({isPolling: true, block: block('It refuses.')});
	await clock.advance(4_000);
	report({isPolling: true, block: block('No such host.')});
	expect(store.getState().problem).toEqual({what: 'No such host.', at: since});
	const {problem} = store.getState();
	await clock.advance(4_000);
	report({isPolling: true, block: block('No such host.')});
	expect(store.getState().problem).toBe(problem);
});

test('explains an outage after a while, with its latest cause, until a request succeeds', async () => {
	const {clock, store, report} = setup();
	const block = (what: string) =>
		({kind: 'offline', since: clock.now(), until: clock.now() + 1_000, cause: new Error(what)}) as const;
	const outage = () => store.getState().outage;
	const since = clock.now();
	report({isPolling: true, block: block('It refuses.')});
	await clock.advance(4_000);
	report({isPolling: true, okAt: clock.now()});
	await clock.advance(500);
	const again = clock.now();
	report({isPolling: true, block: block('It refuses.')});
	await clock.advance(4_999);
	expect(outage()).toBeUndefined();
	await clock.advance(1);
	expect(outage()).toEqual({what: 'It refuses.', at: again});
	// Something before the service responds now: it is the same outage.
	report({isPolling: true, failing: {since: clock.now(), cause: new Error('Bad gateway.')}});
	expect(store.getState()).toMatchObject({state: 'polling', outage: {what: 'Bad gateway.', at: again}});
	report({isPolling: true, okAt: clock.now()});
	expect(outage()).toBeUndefined();
	expect([since < again, clock.pending]).toEqual([true, 0]);
});

test('reports the clock skew once and again when a clock is set, not with every answer', () => {
	const {store, changes} = setup();
	for (let answer = 0; answer < 100; answer++) reportSkew(store, 40_000 + ((answer * 377) % 1_000) - 500);
	expect([changes(), store.getState().skew]).toEqual([1, 39_500]);
	reportSkew(store, -20_000);
	expect([changes(), store.getState().skew]).toEqual([2, -20_000]);
});

test('an answer to any request counts as the last answer once the service has answered the engine', async () => {
	const {clock, store, report} = setup();
	reportResponse(store, {at: clock.now(), latency: 900});
	expect(store.getState().okAt).toBeUndefined();
	const okAt = clock.now();
	report({isPolling: false, okAt, latency: 5});
	await clock.advance(120_000);
	reportResponse(store, {at: clock.now(), latency: 900});
	report({isPolling: true, okAt, latency: 5});
	expect(store.getState()).toMatchObject({okAt: clock.now(), latency: 900});
});
