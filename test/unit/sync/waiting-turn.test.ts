import {afterEach, beforeEach, expect, onTestFinished, test} from 'vitest';
import {postMessage} from '../../../src/commands/send/post-message.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import {sessionItems} from '../../../src/state/sessions/session-items.ts';
import {turnStart} from '../../../src/state/sessions/session-look.ts';
import {type EngineBench, engineBench} from '../../support/engine-bench.ts';
import {eventually} from '../../support/eventually.ts';

let bench: EngineBench;

beforeEach(() => {
	bench = engineBench({isLive: true});
	// Allowed by the contract, which ties no status to a submission.
	const {messages} = bench.model.service;
	const {add} = messages;
	messages.add = async (...args) => ({...(await add(...args)), status: 'idle'});
});
afterEach(() => bench.end());

const newest = () => bench.database.outbox.ofSession('s').at(-1);
const item = () => sessionItems(bench.stores.fleet.getState(), bench.stores.outbox.getState())[0];

/** Starts a turn whose answer grows for so long, ms. */
async function growingAnswer(ms: number) {
	const {engine, model, clock} = bench;
	await engine.start();
	engine.registry.addSession('s', 'created');
	await engine.outbox.enqueue('s', {text: 'hello'});
	await clock.advance(5_000);
	const [id = ''] = model.add('s', 1);
	let ticks = 0;
	const grow = async (time: number) => {
		for (const until = clock.now() + time; clock.now() < until; await clock.advance(5_000))
			model.edit('s', id, `Counting\ntick ${++ticks}`);
	};
	await grow(ms);
	return {grow, last: () => `tick ${ticks}`};
}

test('a message waits for a turn known only from its messages, even after ten minutes without a status', async () => {
	const {grow, last} = await growingAnswer(700_000);
	const before = item();
	await bench.engine.outbox.enqueue('s', {text: 'and then'});
	await grow(700_000);
	expect(newest()).toMatchObject({text: 'and then', isBehind: true, state: 'seen'});
	expect(item()).toMatchObject({state: 'working', activity: {words: last()}});
	expect(bench.clock.now() - (item()?.since ?? 0)).toBeLessThan(15_000);
	const after = item();
	expect(after && turnStart(after)).toBe(before && turnStart(before));
});

test('a message sent by a command waits for the turn that an open screen follows', async () => {
	const {grow, last} = await growingAnswer(30_000);
	const {clock, file, model} = bench;
	const before = item();
	const database = openDatabase({file, now: clock.now});
	onTestFinished(() => database.close());
	const {signal} = new AbortController();
	const options = {service: model.service, database, clock, signal, timeout: 120_000, onWait() {}};
	const sent = postMessage({...options, sessionId: 's', draft: {text: 'and then'}});
	await clock.advance(5);
	expect((await sent).item).toMatchObject({state: 'accepted', isBehind: true});
	database.sessions.put({
		...(database.sessions.get('s') ?? {id: 's', origin: 'added', addedAt: 0}),
		status: {value: 'running', source: 'posted', at: clock.now()},
	});
	const starts = new Set<number | undefined>();
	const unsubscribe = bench.stores.fleet.subscribe(() => {
		const shown = item();
		starts.add(shown && turnStart(shown));
	});
	await eventually(async () => {
		await clock.advance(100);
		expect(item()?.known?.status?.source).toBe('posted');
	});
	await grow(15_000);
	unsubscribe();
	expect([...starts]).toEqual([before && turnStart(before)]);
	expect(item()).toMatchObject({state: 'working', activity: {words: last()}});
});
