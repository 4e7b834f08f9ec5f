import fc from 'fast-check';
import {expect, test} from 'vitest';
import {addCall, type Call, endPause, type Held} from '../../../src/domain/call-pause.ts';

const call = (sessionId: string, words = 'May I?'): Call => ({
	sessionId,
	isNeed: true,
	what: 'needs you',
	words,
});
const [a, b, c] = [call('a'), call('b'), call('c')];
const heldOf = (...calls: readonly Call[]): Held => new Map(calls.map(one => [one.sessionId, one]));

test.each([
	{name: 'the first after a rest is told', before: undefined, added: a, held: heldOf(), told: [a]},
	{name: 'one in the pause waits', before: heldOf(), added: a, held: heldOf(a), told: []},
	{name: 'others wait behind it', before: heldOf(a), added: b, held: heldOf(a, b), told: []},
	{
		name: 'the newest of a session counts, and comes last',
		before: heldOf(a, b),
		added: call('a', 'And now?'),
		held: heldOf(b, call('a', 'And now?')),
		told: [],
	},
])('a call: $name', ({before, added, held, told}) => {
	const called = addCall(before, added);
	expect(called).toEqual({held, told});
	expect([...(called.held?.keys() ?? [])]).toEqual([...(held?.keys() ?? [])]);
});

test.each([
	{name: 'with none that waits there is no next one', before: heldOf(), due: [], held: undefined, told: []},
	{name: 'all that wait are told as one', before: heldOf(a, b), due: [a, b], held: heldOf(), told: [a, b]},
	{name: 'what is over is let go', before: heldOf(a, b, c), due: [b], held: heldOf(), told: [b]},
	{name: 'with none left nobody is called', before: heldOf(a), due: [], held: undefined, told: []},
	{name: 'without a pause there is none', before: undefined, due: [], held: undefined, told: []},
])('the end of a pause: $name', ({before, due, held, told}) => {
	expect(endPause(before, one => due.some(({sessionId}) => sessionId === one.sessionId))).toEqual({
		held,
		told,
	});
});

/** What happens, in order: a session calls, needs nobody any more, or the pause that is on ends. */
const steps = fc.array(
	fc.oneof(
		{weight: 4, arbitrary: fc.record({kind: fc.constant('call' as const), id: fc.nat(5)})},
		{weight: 1, arbitrary: fc.record({kind: fc.constant('answer' as const), id: fc.nat(5)})},
		{weight: 2, arbitrary: fc.record({kind: fc.constant('end' as const), id: fc.constant(0)})},
	),
	{maxLength: 40},
);

test('no session that still calls is lost, none is told twice, and nobody is called twice in a pause', () => {
	fc.assert(
		fc.property(steps, given => {
			let held: Held;
			/** Words of the sessions that called and were neither told nor answered. */
			const open = new Map<string, string>();
			const needs = new Set<string>();
			let toldInPause = 0;
			for (const [index, {kind, id}] of [...given.entries()]) {
				const sessionId = String(id);
				if (kind === 'answer') {
					needs.delete(sessionId);
					open.delete(sessionId);
					continue;
				}
				if (kind === 'end' && held === undefined) continue;
				if (kind === 'call') {
					needs.add(sessionId);
					open.set(sessionId, String(index));
				}
				const wasResting = held === undefined;
				const called =
					kind === 'call'
						? addCall(held, call(sessionId, String(index)))
						: endPause(held, one => needs.has(one.sessionId));
				held = called.held;
				if (kind === 'end' || wasResting) toldInPause = 0;
				if (called.told.length > 0) expect(++toldInPause).toBe(1);
				for (const one of called.told) {
					expect(open.get(one.sessionId)).toBe(one.words);
					open.delete(one.sessionId);
				}
				if (kind === 'end' || wasResting) expect([...open]).toEqual([]);
				expect([...open.keys()].every(one => held?.has(one))).toBe(true);
			}
		}),
	);
});
