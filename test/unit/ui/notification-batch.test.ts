import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	addNotification,
	endPause,
	type PendingNotifications,
	type UserNotification,
} from '../../../src/ui/notifications.ts';

const call = (id: string, words = 'May I?'): UserNotification => ({
	subject: {kind: 'session', id},
	needsUser: true,
	what: 'needs you',
	words,
});
const pendingOf = (...calls: readonly UserNotification[]): PendingNotifications =>
	new Map(calls.map(one => [one.subject.id, one]));

test('the newest call of a session counts, and comes last', () => {
	const {pending} = addNotification(pendingOf(call('a'), call('b')), call('a', 'And now?'));
	expect([...(pending?.values() ?? [])]).toEqual([call('b'), call('a', 'And now?')]);
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

test('loses no session that still calls, reports none twice, and calls nobody twice in a pause', () => {
	fc.assert(
		fc.property(steps, given => {
			let pending: PendingNotifications;
			/** Words of the sessions that called and were neither told nor answered. */
			const open = new Map<string, string>();
			const needs = new Set<string>();
			let sentInPause = 0;
			for (const [index, {kind, id}] of [...given.entries()]) {
				const sessionId = String(id);
				if (kind === 'answer') {
					needs.delete(sessionId);
					open.delete(sessionId);
					continue;
				}
				if (kind === 'end' && pending === undefined) continue;
				if (kind === 'call') {
					needs.add(sessionId);
					open.set(sessionId, String(index));
				}
				const wasResting = pending === undefined;
				const called =
					kind === 'call'
						? addNotification(pending, call(sessionId, String(index)))
						: endPause(pending, one => needs.has(one.subject.id));
				pending = called.pending;
				if (kind === 'end' || wasResting) sentInPause = 0;
				if (called.due.length > 0) expect(++sentInPause).toBe(1);
				for (const one of called.due) {
					expect(open.get(one.subject.id)).toBe(one.words);
					open.delete(one.subject.id);
				}
				if (kind === 'end' || wasResting) expect([...open]).toEqual([]);
				expect([...open.keys()].every(one => pending?.has(one))).toBe(true);
			}
		}),
	);
});
