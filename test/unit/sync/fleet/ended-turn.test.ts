import {afterEach, expect, test} from 'vitest';
import {RejectedError} from '../../../../src/api/errors.ts';
import {sessionItems} from '../../../../src/state/sessions/session-items.ts';
import {type EngineBench, engineBench} from '../../../support/engine-bench.ts';

let bench: EngineBench;
afterEach(() => bench.end());

/** The states of the session on the screen, and when each began, Unix ms. */
let states: [state: string, at: number][];

/** A session whose agent answers, with a status that is asked for as often as that of the embedded service. */
async function start(isOpen: boolean): Promise<void> {
	bench = engineBench({requestsPerSecond: 2, isLive: true});
	await bench.start({statusProbe: 'auto', isEmbedded: () => true});
	bench.engine.registry.addSession('s', 'added');
	if (isOpen) bench.engine.sessions.open('s');
	bench.model.running.add('s');
	bench.model.add('s', 1, 'user');
	await bench.clock.advance(10_000);
	states = [];
	bench.stores.fleet.subscribe(fleet => {
		const state = sessionItems(fleet, bench.stores.outbox.getState())[0]?.state ?? '';
		if (state !== states.at(-1)?.[0]) states.push([state, bench.clock.now()]);
	});
	bench.model.add('s', 1);
	await bench.clock.advance(6_000);
}

test.each([
	['watched', false],
	['open, but not on the screen', true],
])('reads the end of a turn before showing it: a session that is %s', async (_, isOpen) => {
	await start(isOpen);
	bench.model.running.delete('s');
	await bench.clock.advance(10_000);
	expect(states.map(([state]) => state)).toEqual(['working', 'done']);
	const toldAt = bench.stores.fleet.getState().sessions.get('s')?.status?.at ?? 0;
	expect((states[1]?.[1] ?? 0) - toldAt).toBeLessThan(1_000);
});

test('a status from before our message was accepted ends no turn', async () => {
	bench = engineBench({isLive: true});
	const {model, clock} = bench;
	const {update} = model.service.sessions;
	let isAsked = false;
	// The first answer is read before the message comes, and arrives after it was accepted.
	model.service.sessions.update = async (...args) => {
		if (isAsked) return update(...args);
		isAsked = true;
		await new Promise<void>(resolve => clock.after(3_000, resolve));
		return {sessionId: 's', status: 'idle'};
	};
	await bench.start({statusProbe: 'auto', isEmbedded: () => true});
	const {engine, stores} = bench;
	engine.registry.addSession('s', 'added');
	engine.sessions.open('s');
	await clock.advance(1_000);
	expect(isAsked).toBe(true);
	model.running.add('s');
	await engine.outbox.enqueue('s', {text: 'sleep 30'});
	await clock.advance(2_500);
	expect(sessionItems(stores.fleet.getState(), stores.outbox.getState())[0]?.state).toBe('working');
});

test('the embedded service is asked on after a refusal, which may be that of another machine', async () => {
	bench = engineBench({isLive: true});
	let asked = 0;
	bench.model.service.sessions.update = async () => {
		asked++;
		throw new RejectedError('No.', {hint: ''});
	};
	await bench.start({statusProbe: 'auto', isEmbedded: () => true});
	bench.engine.registry.addSession('s', 'added');
	bench.engine.sessions.refresh('s');
	await bench.clock.advance(1_000);
	bench.engine.sessions.refresh('s');
	await bench.clock.advance(1_000);
	expect(asked).toBeGreaterThan(1);
});
