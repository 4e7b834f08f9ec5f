import {expect, test} from 'vitest';
import {replacePredecessor, successorCheck} from '../../../../src/domain/sessions/session-successor.ts';
import type {HookEvent, Signal} from '../../../../src/domain/sessions/signal.ts';

const now = Date.UTC(2026, 10, 1);

function signal(sessionId: string, change: Partial<Signal> = {}): Signal {
	const base = {
		client: 'claude',
		sessionId,
		state: 'done',
		since: now,
		lastEventAt: now,
		lastEvent: 'Stop',
	} as const;
	return {...base, cwd: '/w', background: 0, ...change};
}

function cleared(ts: number, source = 'clear'): HookEvent {
	const data = {session_id: 'new', hook_event_name: 'SessionStart', source, cwd: '/w'};
	const base = {
		v: 1,
		id: 'start-1234',
		ts,
		client: 'claude',
		event: 'SessionStart',
		pid: 2,
		agentPid: 1,
		data,
	};
	return {...base, receivedAt: ts, delivery: 'socket'};
}

test('the session that just made room is the predecessor, even if its end was reported a little later', () => {
	const old = signal('old', {state: 'replaced', lastEventAt: now + 200, reason: 'clear'});
	expect(replacePredecessor([signal('other'), old, signal('new')], cleared(now))).toBe(old);
});

test('replaces the only live session of the same folder if no end was reported', () => {
	const replaced = replacePredecessor([signal('old'), signal('gone', {state: 'ended'})], cleared(now + 5));
	expect(replaced).toMatchObject({sessionId: 'old', state: 'replaced', since: now + 5});
});

test.each([
	['two could be meant', [signal('a'), signal('b')], cleared(now)],
	['another folder', [signal('a', {cwd: '/elsewhere'})], cleared(now)],
	['another client', [signal('a', {client: 'droid'})], cleared(now)],
	['a plain start', [signal('a')], cleared(now, 'startup')],
	['a stale session', [signal('a')], cleared(now + 90 * 3_600_000)],
])('replaces nothing: %s', (_, signals, event) => {
	expect(replacePredecessor(signals, event)).toBeUndefined();
});

test('a replaced session has a successor only if another continues in its place', () => {
	const old = signal('old', {state: 'replaced'});
	expect(successorCheck([old])(old)).toBe(false);
	expect(successorCheck([old, signal('new', {lastEventAt: now + 60_000})])(old)).toBe(true);
	expect(successorCheck([old, signal('past', {lastEventAt: now - 60_000})])(old)).toBe(false);
	expect(successorCheck([old, signal('new', {cwd: '/elsewhere'})])(old)).toBe(false);
});
