import {expect, test} from 'vitest';
import type {KnownStatus} from '../../../../src/domain/known.ts';
import type {OutboxItem} from '../../../../src/domain/messages/delivery.ts';
import type {SessionActivity} from '../../../../src/domain/sessions/activity.ts';
import type {Signal} from '../../../../src/domain/sessions/signal.ts';
import {
	isAtWork,
	isUnsure,
	mayBeAtWork,
	sessionState,
	turnEndedAt,
} from '../../../../src/state/sessions/session-state.ts';
import {knownSession, noon, signal} from '../../../support/fleet.ts';

const second = 1000;
const minute = 60 * second;

type Times = {readonly at?: number; readonly busyAt?: number};

const told = (
	value: string,
	at: number,
	source: KnownStatus['source'] = 'updated',
	{busyAt}: Times = {},
): KnownStatus => ({
	value,
	source,
	at: noon + at,
	...(busyAt !== undefined && {busyAt: noon + busyAt}),
});

/** What the messages say. `changedAt` and `at` are the same. */
function said(
	evidence: SessionActivity['evidence'],
	changedAt: number,
	more: Partial<SessionActivity> = {},
): SessionActivity {
	const states = {
		'user-message': 'working',
		'tool-call': 'working',
		growing: 'working',
		answer: 'done',
		question: 'asks',
		request: 'asks',
		error: 'failed',
	} as const;
	const at = noon + changedAt;
	return {state: states[evidence], evidence, at, newestId: 'm', changedAt: at, unread: 1, ...more};
}

const hook = (state: Signal['state'], at: number) =>
	signal('s', state, {since: noon + at, lastEventAt: noon + at});

/** Our message, accepted at `at` and not listed yet. */
const sent = (at: number): OutboxItem => ({
	id: 'o',
	sessionId: 's',
	text: 'hi',
	images: [],
	files: [],
	state: 'accepted',
	messageId: 'm',
	createdAt: noon + at,
	sentAt: noon + at,
	tries: 1,
});

type Known = {
	readonly status?: KnownStatus;
	readonly activity?: SessionActivity;
	readonly signal?: Signal;
	readonly outbox?: readonly OutboxItem[];
};

function stateOf({signal: reported, outbox, ...known}: Known): string {
	const {state, isAssumed} = sessionState({known: knownSession('s', known), signal: reported, outbox});
	return `${state}${isAssumed ? '?' : ''}`;
}

test.each<[string, Known, string]>([
	['an answer that only silence follows may not be all', {activity: said('answer', 5)}, 'done?'],
	['a read one neither', {activity: said('answer', 5, {unread: 0})}, 'idle?'],
	['idle after an answer confirms it', {activity: said('answer', 5), status: told('idle', 9)}, 'done'],
	[
		'idle of before the answer confirms nothing',
		{activity: said('answer', 5), status: told('idle', 4)},
		'done?',
	],
	['a hook that just ended the turn does', {activity: said('answer', 5), signal: hook('done', 1)}, 'done'],
	['running after an answer is work', {activity: said('answer', 5), status: told('running', 9)}, 'working'],
	['an older status hides no error', {activity: said('error', 5), status: told('running', 4)}, 'error'],
	['idle hides no error', {activity: said('error', 5), status: told('idle', 9)}, 'error'],
	[
		'idle drops an open tool call',
		{activity: said('tool-call', 5, {unread: 0}), status: told('idle', 9)},
		'idle',
	],
	[
		'idle right after a message of the user is of the turn before',
		{activity: said('user-message', 5), status: told('idle', 9)},
		'working',
	],
	[
		'unless the service said since that it is at work',
		{activity: said('user-message', 5, {unread: 0}), status: told('idle', 9, 'updated', {busyAt: 7})},
		'idle',
	],
	[
		'or two minutes have passed',
		{activity: said('user-message', 0, {unread: 0}), status: told('idle', 2 * minute)},
		'idle',
	],
	['a message that was accepted gives the agent work before it is listed', {outbox: [sent(5)]}, 'working'],
	[
		'whatever was idle before',
		{outbox: [sent(5)], activity: said('answer', 1), status: told('idle', 3)},
		'working',
	],
	[
		'idle right after it says nothing',
		{outbox: [sent(5)], activity: said('answer', 1), status: told('idle', 6)},
		'working',
	],
	["the service's own word stands", {status: told('hibernating', 5)}, 'raw'],
	[
		'a turn that the hook just ended was read late',
		{signal: hook('done', 0), status: told('running', 9)},
		'idle',
	],
	[
		'one that runs later is another',
		{signal: hook('done', 0), status: told('running', 10 * second + 1)},
		'working',
	],
	[
		'a message of ours begins one at once',
		{signal: hook('done', 0), status: told('running', 9, 'posted')},
		'working',
	],
	[
		'a permission is not cleared by work that is listed late',
		{signal: hook('needs-permission', 0), activity: said('tool-call', 9)},
		'permission',
	],
	[
		"but by the user's own message",
		{signal: hook('needs-permission', 0), activity: said('tool-call', 9, {userAt: noon + 8})},
		'working',
	],
])('%s', (_, known, state) => {
	expect(stateOf(known)).toBe(state);
});

test('a question or a failure is settled only if it was old when its session became known', () => {
	const isSettled = (activity: SessionActivity) =>
		sessionState({known: knownSession('s', {activity})}).isSettled === true;
	const day = 24 * 60 * minute;
	for (const evidence of ['question', 'error'] as const) {
		expect(isSettled(said(evidence, 5, {unread: 0}))).toBe(false);
		expect(isSettled(said(evidence, -day))).toBe(false);
		expect(isSettled(said(evidence, -day - 1))).toBe(true);
	}
});

test('a busy session is unsure once nobody has read it for a minute, whoever read it', () => {
	const at = (known: Known & {readAt?: number}, now: number) => {
		const session = knownSession('s', known);
		const state = sessionState({known: session, signal: known.signal});
		return isUnsure({...state, known: session}, noon + now);
	};
	const works = {activity: said('tool-call', 0)};
	expect([at(works, minute), at(works, minute + 1)]).toEqual([false, true]);
	expect(at({...works, readAt: noon + minute}, 2 * minute)).toBe(false);
	expect(at({status: told('running', 0)}, minute + 1)).toBe(true);
	// A client reports the end of its turn by itself.
	expect(at({signal: hook('working', 0)}, 60 * minute)).toBe(false);
});

test('a turn that only silence has ended is unsure for an hour, and read as often as one at work', () => {
	const known = knownSession('s', {activity: said('answer', 0)});
	const state = sessionState({known});
	const now = [15 * second, 59 * minute, 61 * minute].map(ms => noon + ms);
	expect(now.map(at => isUnsure(state, at))).toEqual([true, true, false]);
	expect(now.map(at => mayBeAtWork({known}, at))).toEqual([true, true, false]);
	// A message sent meanwhile starts a turn: nothing is known to be in its way.
	expect(now.map(at => isAtWork({known}, at))).toEqual([false, false, false]);
});

test('messages from before a report of the end belong to the turn that ended', () => {
	const ended = (status?: KnownStatus, reported?: Signal) => {
		const known = knownSession('s', status ? {status} : {});
		const at = turnEndedAt(known, reported);
		return at === undefined ? undefined : at - noon;
	};
	expect(ended()).toBeUndefined();
	expect(ended(told('running', 5))).toBeUndefined();
	expect(ended(told('idle', 5, 'created'))).toBeUndefined();
	expect(ended(told('idle', 20 * second))).toBe(10 * second);
	expect(ended(told('idle', 5), hook('done', 3))).toBe(3);
	expect(ended(undefined, hook('working', 3))).toBeUndefined();
});
