import {afterEach, expect, test} from 'vitest';
import {waitForAnswer} from '../../../../src/commands/send/wait-for-answer.ts';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

/** A message of ours whose answer is awaited; `ids` is what was returned, once it was. */
function waiting() {
	bench = followerBench({pages: 'tail', isLive: true});
	const [messageId = ''] = bench.model.add('s', 1, 'user');
	return {...waitFor(messageId), add: () => bench.model.add('s', 1, 'assistant')};
}

function waitFor(messageId: string) {
	const {model, database, registry, clock} = bench;
	registry.addSession('s', 'added');
	const state: {ids?: readonly string[]; reasons: string[]} = {reasons: []};
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
		onWait: reason => state.reasons.push(reason),
	}).then(answer => {
		state.ids = answer.map(({id}) => id);
	});
	return {state, done};
}

test('an answer that goes on after ten quiet seconds is returned whole', async () => {
	const {state, done, add} = waiting();
	await bench.clock.advance(2_000);
	const first = add();
	await bench.clock.advance(10_000);
	expect(state.ids).toBeUndefined();
	const second = add();
	await bench.clock.advance(20_000);
	await done;
	expect(state.ids).toEqual([...first, ...second]);
});

test('what it waits for is told: an answer, and then that it stands unchanged', async () => {
	const {state, done, add} = waiting();
	await bench.clock.advance(2_000);
	expect(new Set(state.reasons)).toEqual(new Set(['no answer yet']));
	add();
	await bench.clock.advance(4_000);
	expect(state.reasons.at(-1)).toBe('the answer has stood unchanged for 3 s of 15 s');
	await bench.clock.advance(20_000);
	await done;
});

test('once the answer is there, the session is known to be done', async () => {
	const {done, add} = waiting();
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

test.each([0, 1])('of two messages that stand before their answers, number %i gets its own', async which => {
	bench = followerBench({pages: 'tail', isLive: true});
	const {model, clock} = bench;
	const parents = new Map<string, string>();
	model.shape = page => ({
		...page,
		items: page.items.map(item => ({...item, parentId: parents.get(item.id) ?? ''})),
	});
	const messages = model.add('s', 2, 'user');
	const {state, done} = waitFor(messages[which] ?? '');
	const answers: string[] = [];
	for (const message of messages) {
		await clock.advance(2_000);
		const [answer = ''] = model.add('s', 1, 'assistant');
		parents.set(answer, message);
		answers.push(answer);
	}
	await clock.advance(20_000);
	await done;
	expect(state.ids).toEqual([answers[which]]);
});
