import {expect, test} from 'vitest';
import {conditionsMet, waitedFor} from '../../../../src/commands/sessions/sessions-wait.ts';
import type {SessionActivity} from '../../../../src/domain/sessions/activity.ts';
import {activity, fleet, knownSession, listsOf, noon, signal} from '../../../support/fleet.ts';

/** The conditions that a session with this turn meets. */
function conditionsOf(turn: Partial<SessionActivity>, signals: Parameters<typeof fleet>[2] = []) {
	const [item] = listsOf(fleet([knownSession('s', {activity: activity(turn)})], [], signals)).all.sessions;
	if (!item) throw new Error('no such session');
	return conditionsMet(item);
}

test.each<[string, Partial<SessionActivity>, readonly string[]]>([
	['an answer', {}, ['done', 'waiting']],
	['a question', {state: 'asks', evidence: 'question'}, ['asks', 'waiting']],
	['an error', {state: 'failed', evidence: 'error'}, ['failed', 'waiting']],
	['work', {state: 'working', evidence: 'tool-call'}, ['working']],
])('%s that nobody has read', (_, turn, expected) => {
	expect(conditionsOf(turn)).toEqual(expected);
});

test.each<[string, Partial<SessionActivity>, readonly string[]]>([
	['an answer', {}, ['idle', 'done', 'waiting']],
	['a question', {state: 'asks', evidence: 'question'}, ['asks', 'waiting']],
	['an error', {state: 'failed', evidence: 'error'}, ['failed', 'waiting']],
])('%s that was read on a screen ends a wait all the same', (_, turn, expected) => {
	expect(conditionsOf({...turn, unread: 0})).toEqual(expected);
});

test('an agent is done if its client says so, whatever its messages say', () => {
	const done = signal('s', 'done', {since: noon + 1, lastEventAt: noon + 1});
	expect(conditionsOf({state: 'working', evidence: 'tool-call'}, [done])).toEqual([
		'idle',
		'done',
		'waiting',
	]);
});

test.each<[readonly string[], readonly string[], string, string]>([
	[['done', 'asks'], ['idle', 'done'], 'done', 'done'],
	[['done'], ['unsent', 'done'], 'done', 'done'],
	[['idle', 'done'], ['idle', 'done'], 'idle', 'idle'],
	[['waiting'], ['idle', 'asks', 'waiting'], 'waiting', 'asks'],
	[['waiting'], ['failed', 'waiting'], 'waiting', 'failed'],
	[['working'], ['working'], 'working', 'working'],
])('a wait for %j that meets %j names the condition and the state', (wanted, met, condition, state) => {
	expect(waitedFor(wanted, met)).toEqual({condition, state});
});
