import {afterEach, describe, expect, test} from 'vitest';
import {waitForAnswer} from '../../../../src/commands/send/wait-for-answer.ts';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

/** A message of ours whose answer is awaited; `ids` is what was returned, once it was. */
function waiting() {
	bench = followerBench({pages: 'newest-first', isLive: true});
	const [messageId = ''] = bench.model.add('s', 1, 'user');
	return {...waitFor(messageId), add: () => bench.model.add('s', 1, 'assistant')};
}

function waitFor(messageId: string, status?: () => Promise<string | undefined>) {
	const {model, database, registry, clock} = bench;
	registry.addSession('s', 'added');
	const state: {ids?: readonly string[]; isAssumed?: boolean; reasons: string[]} = {reasons: []};
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
		isEmbedded: () => false,
		...(status && {status}),
	}).then(answer => {
		state.ids = answer.items.map(({id}) => id);
		state.isAssumed = answer.isAssumed;
	});
	return {state, done};
}

test('returns a whole answer, even one that goes on after ten quiet seconds', async () => {
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

test('says what it waits for: an answer, and then that it stays unchanged', async () => {
	const {state, done, add} = waiting();
	await bench.clock.advance(2_000);
	expect(new Set(state.reasons)).toEqual(new Set(['no answer yet']));
	add();
	await bench.clock.advance(4_000);
	expect(state.reasons.at(-1)).toBe('the answer has been unchanged for 3 s of 15 s');
	await bench.clock.advance(20_000);
	await done;
});

test('the session counts as done once the answer is complete', async () => {
	const {done, add} = waiting();
	const state = () => bench.registry.session('s')?.activity?.state;
	await bench.clock.advance(2_000);
	expect(state()).toBe('working');
	add();
	await bench.clock.advance(2_000);
	expect(state()).toBe('working');
	await bench.clock.advance(20_000);
	await done;
	expect(state()).toBe('done');
});

/** A service whose messages have these parents, by id. */
function withParents() {
	bench = followerBench({pages: 'newest-first', isLive: true});
	const {model} = bench;
	const parents = new Map<string, string>();
	model.shape = page => ({
		...page,
		items: page.items.map(item => ({...item, parentId: parents.get(item.id) ?? ''})),
	});
	return {...bench, parents};
}

test.each([0, 1])('of two messages sent before their answers, number %i gets its own', async which => {
	const {model, clock, parents} = withParents();
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

describe('when the parent of every message is the first of its thread', () => {
	/** A second message of the user's, and its answer; `addAnswer` adds to it. */
	async function secondTurn(status?: () => Promise<string | undefined>) {
		const {model, clock, parents} = withParents();
		const [root = ''] = model.add('s', 1, 'user');
		const addAnswer = () => {
			const [id = ''] = model.add('s', 1, 'assistant');
			parents.set(id, root);
			return id;
		};
		addAnswer();
		const [message = ''] = model.add('s', 1, 'user');
		const waited = waitFor(message, status);
		await clock.advance(2_000);
		return {...waited, clock, message, answer: addAnswer(), addAnswer};
	}

	test('an answer is complete once it stays unchanged', async () => {
		const {state, done, clock, answer, addAnswer} = await secondTurn();
		await clock.advance(10_000);
		expect(state.ids).toBeUndefined();
		const second = addAnswer();
		await clock.advance(20_000);
		await done;
		expect(state).toMatchObject({ids: [answer, second], isAssumed: true});
	});

	test('an answer is complete once the service reports the session idle', async () => {
		let status = 'running';
		const {state, done, clock, answer} = await secondTurn(() => Promise.resolve(status));
		await clock.advance(30_000);
		expect(state.ids).toBeUndefined();
		status = 'idle';
		await clock.advance(15_000);
		await done;
		expect(state).toMatchObject({ids: [answer], isAssumed: false});
	});
});

test("the end of an earlier turn doesn't answer a message that the service made wait", async () => {
	const {model, clock, parents} = withParents();
	const {shape} = model;
	const [first = '', second = ''] = model.add('s', 2, 'user');
	let isWaiting = true;
	model.shape = (page, query) => {
		const shaped = shape(page, query);
		return {...shaped, items: shaped.items.map(item => (item.id === second ? {...item, isWaiting} : item))};
	};
	const {state, done} = waitFor(second);
	const answer = (parent: string) => {
		const [id = ''] = model.add('s', 1, 'assistant');
		parents.set(id, parent);
		return id;
	};
	answer(first);
	isWaiting = false;
	await clock.advance(60_000);
	expect(state.ids).toBeUndefined();
	const own = answer(second);
	await clock.advance(20_000);
	await done;
	expect(state.ids).toEqual([own]);
});

test.each([
	['after a known one', 1],
	['with older ones that were not read', 300],
])(
	"the end of an earlier turn is no answer, even if its message isn't the first of the thread: %s",
	async (_, before) => {
		const {model, clock, parents} = withParents();
		model.add('s', before, before === 1 ? 'user' : 'assistant');
		const [running = '', message = ''] = model.add('s', 2, 'user');
		const {state, done} = waitFor(message);
		const answer = (parent: string) => {
			const [id = ''] = model.add('s', 1, 'assistant');
			parents.set(id, parent);
			return id;
		};
		answer(running);
		await clock.advance(60_000);
		expect(state.ids).toBeUndefined();
		const own = answer(message);
		await clock.advance(20_000);
		await done;
		expect(state.ids).toEqual([own]);
	},
);
