import {afterEach, expect, test} from 'vitest';
import {waitForAnswer} from '../../../../src/commands/send/wait-for-answer.ts';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

/** A message of ours whose answer is awaited; `texts` is what was returned, once it was. */
async function waiting() {
	bench = followerBench({pages: 'tail', isLive: true});
	const {model, database, registry, clock} = bench;
	registry.addSession('s', 'added');
	const [messageId = ''] = model.add('s', 1, 'user');
	const state: {ids?: readonly string[]} = {};
	const done = waitForAnswer({
		service: model.service,
		database,
		registry,
		skew: () => 0,
		sessionId: 's',
		messageId,
		clock,
		safeWrite: write => write(),
		signal: new AbortController().signal,
	}).then(answer => {
		state.ids = answer.map(({id}) => id);
	});
	return {state, done, add: () => model.add('s', 1, 'assistant')};
}

test('an answer that goes on after ten quiet seconds is returned whole', async () => {
	const {state, done, add} = await waiting();
	await bench.clock.advance(2_000);
	const first = add();
	await bench.clock.advance(10_000);
	expect(state.ids).toBeUndefined();
	const second = add();
	await bench.clock.advance(20_000);
	await done;
	expect(state.ids).toEqual([...first, ...second]);
});

test('once the answer is there, the session is known to be done', async () => {
	const {done, add} = await waiting();
	const state = () => bench.registry.session('s')?.activity?.state;
	await bench.clock.advance(2_000);
	expect(state()).toBe('working');
	add();
	await bench.clock.advance(2_000);
	expect(state()).toBe('working');
	await bench.clock.advance(20_000);
	await done;
	expect(state()).toBe('your-turn');
});

test('a message that waits behind ours is listed before our answer, and its own answer is not ours', async () => {
	const {state, done, add} = await waiting();
	const {model, clock} = bench;
	const parents = new Map<string, string>();
	model.shape = page => ({
		...page,
		items: page.items.map(item => ({...item, parentId: parents.get(item.id) ?? ''})),
	});
	const [ours = ''] = model.ids('s');
	await clock.advance(2_000);
	const [behind = ''] = model.add('s', 1, 'user');
	const [answer = ''] = add();
	parents.set(answer, ours);
	await clock.advance(2_000);
	const [next = ''] = add();
	parents.set(next, behind);
	await clock.advance(20_000);
	await done;
	expect(state.ids).toEqual([answer]);
});
