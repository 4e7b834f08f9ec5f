import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {HookData} from '../../../../hooks/wire.ts';
import {
	type Alert,
	expireSignal,
	type HookEvent,
	reduceSignal,
	type Signal,
	signalKey,
} from '../../../../src/domain/sessions/signal.ts';

const start = Date.UTC(2026, 10, 1);
const second = 1000;
const hour = 3_600_000;

/** An event of the session `s`, `after` ms from the start, told at once. */
function event(name: string, data: HookData = {}, after = 0, change: Partial<HookEvent> = {}): HookEvent {
	const ts = start + after;
	return {
		v: 1,
		id: `${name}-${after}`,
		ts,
		client: 'claude',
		event: name,
		pid: 2,
		agentPid: 1,
		data: {session_id: 's', hook_event_name: name, ...data},
		receivedAt: ts,
		delivery: 'socket',
		...change,
	};
}

/** Reduces events in the order they are given. */
function play(...events: HookEvent[]): {signal?: Signal; alerts: (Alert | undefined)[]} {
	let signal: Signal | undefined;
	const alerts: (Alert | undefined)[] = [];
	for (const one of events) {
		const reduced = reduceSignal(signal, one);
		signal = reduced.signal;
		alerts.push(reduced.alert);
	}
	return {...(signal && {signal}), alerts};
}

const working = event('UserPromptSubmit', {}, 0);

describe('each row of the table', () => {
	test.each([
		['SessionStart', {source: 'startup'}, 'idle', undefined],
		['UserPromptSubmit', {}, 'working', undefined],
		['BeforeAgent', {}, 'working', undefined],
		['Notification', {notification_type: 'permission_prompt'}, 'needs-permission', 'needs-you'],
		['Notification', {notification_type: 'ToolPermission'}, 'needs-permission', 'needs-you'],
		['Notification', {message: 'Claude needs your permission to use Bash'}, 'needs-permission', 'needs-you'],
		['PermissionRequest', {}, 'needs-permission', 'needs-you'],
		['Notification', {notification_type: 'idle_prompt'}, 'needs-input', 'needs-you'],
		['Notification', {notification_type: 'elicitation_dialog'}, 'needs-input', 'needs-you'],
		['Notification', {message: 'Claude is waiting for your input'}, 'needs-input', 'needs-you'],
		['Notification', {message: 'Which branch do you mean?'}, 'needs-input', 'needs-you'],
		['Notification', {notification_type: 'auth_success'}, 'working', undefined],
		['Notification', {notification_type: 'elicitation_complete'}, 'working', undefined],
		['Notification', {notification_type: 'new_kind', message: 'needs your permission'}, 'working', undefined],
		['Notification', {message: 'Signed in'}, 'working', undefined],
		['Notification', {}, 'working', undefined],
		['Stop', {}, 'done', 'done'],
		['AfterAgent', {}, 'done', 'done'],
		['StopFailure', {error: 'overloaded'}, 'error', 'error'],
		['SubagentStop', {agent_id: 'a'}, 'working', undefined],
		['PermissionRequest', {}, 'needs-permission', 'needs-you'],
		['PermissionAnswered', {}, 'working', undefined],
		['Interrupt', {}, 'idle', undefined],
		['SessionEnd', {reason: 'clear'}, 'replaced', undefined],
		['SessionEnd', {reason: 'other'}, 'ended', undefined],
		['constructor', {}, 'working', undefined],
	] as const)('%s %o: %s', (name, data, state, alert) => {
		const {signal, alerts} = play(working, event(name, data, 5 * second));
		expect(signal?.state).toBe(state);
		expect(alerts[1]).toBe(alert);
	});

	test('the state comes with its words, reason, folder and background tasks', () => {
		expect(play(event('Stop', {background_tasks: 2, cwd: '/w'})).signal).toMatchObject({
			background: 2,
			cwd: '/w',
		});
		expect(play(event('StopFailure', {error: 'overloaded'})).signal?.message).toBe('overloaded');
		expect(play(event('SessionEnd', {reason: 'error'})).signal?.reason).toBe('error');
		const asked = event('Notification', {notification_type: 'permission_prompt', message: 'Bash?'}, second);
		expect(play(working, asked).signal?.message).toBe('Bash?');
		const next = play(
			event('Stop', {background_tasks: 2, cwd: '/w'}),
			asked,
			event('UserPromptSubmit', {}, 2 * second),
		);
		expect(next.signal).toMatchObject({background: 0, cwd: '/w'});
		expect(next.signal?.message).toBeUndefined();
	});
});

const permission = (after: number, change?: Partial<HookEvent>) =>
	event('Notification', {notification_type: 'permission_prompt'}, after, change);
const idlePrompt = (after: number) => event('Notification', {notification_type: 'idle_prompt'}, after);

describe('pitfalls', () => {
	test('Stop alerts once, even if it comes more than once for a prompt', () => {
		const {signal, alerts} = play(working, event('Stop', {}, second), event('Stop', {}, 9 * second));
		expect(alerts).toEqual([undefined, 'done', undefined]);
		expect(signal).toMatchObject({state: 'done', since: start + second, lastEventAt: start + 9 * second});
	});

	test('an event that is older than the last changes nothing', () => {
		const {signal, alerts} = play(event('Stop', {}, 5 * second), permission(4 * second));
		expect(signal?.state).toBe('done');
		expect(alerts[1]).toBeUndefined();
	});

	test("the reminder of a request that a hook reported doesn't alert again, but the next request does", () => {
		const request = (after: number) => event('PermissionRequest', {}, after);
		const {alerts} = play(working, request(second), permission(7 * second), request(20 * second));
		expect(alerts).toEqual([undefined, 'needs-you', undefined, 'needs-you']);
	});

	test('a subagent that stops after the session neither revives nor creates one', () => {
		for (const last of [event('Stop', {}, second), event('SessionEnd', {}, second)]) {
			const before = play(working, last).signal;
			const after = reduceSignal(before, event('SubagentStop', {}, 4 * second));
			expect(after).toEqual({signal: before});
		}
		expect(reduceSignal(undefined, event('SubagentStop')).signal).toBeUndefined();
	});

	test('the reminder a minute after Stop, an error or a question changes nothing', () => {
		for (const reported of [
			event('Stop', {}, second),
			event('StopFailure', {}, second),
			event('Interrupt', {}, second),
			permission(second),
		]) {
			const {signal} = play(working, reported);
			expect(reduceSignal(signal, idlePrompt(61 * second))).toEqual({signal});
		}
	});

	test('a reminder corrects a session that is stuck at work, and alerts', () => {
		expect(play(working, idlePrompt(60 * second))).toMatchObject({
			signal: {state: 'needs-input'},
			alerts: [undefined, 'needs-you'],
		});
	});

	test('each new need after an answer alerts again', () => {
		const {alerts} = play(permission(0), event('UserPromptSubmit', {}, 9 * second), permission(20 * second));
		expect(alerts).toEqual(['needs-you', undefined, 'needs-you']);
	});

	test('a question alerts again if it is too late to be a repetition of the one before', () => {
		const question = event('Notification', {notification_type: 'elicitation_dialog'}, 60 * second);
		const {signal, alerts} = play(permission(0), permission(30 * second), question, idlePrompt(120 * second));
		expect(alerts).toEqual(['needs-you', 'needs-you', 'needs-you', undefined]);
		expect(signal?.since).toBe(start + 60 * second);
		expect(play(permission(0), permission(30 * second)).signal?.since).toBe(start + 30 * second);
	});

	test('events from the past and tests alert nobody; a test makes no signal', () => {
		const late = permission(0, {receivedAt: start + 10 * 60 * second + 1, delivery: 'spool'});
		expect(reduceSignal(undefined, late)).toMatchObject({signal: {state: 'needs-permission'}});
		expect(reduceSignal(undefined, late).alert).toBeUndefined();
		expect(reduceSignal(undefined, event('Stop', {test: true}))).toEqual({});
	});

	test('an event without a session says nothing', () => {
		const {session_id, ...data} = event('Stop').data;
		expect(reduceSignal(undefined, {...event('Stop'), data})).toEqual({});
	});

	test("a clock that ran ahead doesn't silence what follows", () => {
		const ahead = event('Stop', {}, 48 * hour, {receivedAt: start});
		expect(play(ahead, event('UserPromptSubmit', {}, second)).signal?.state).toBe('working');
	});

	test("a clock that is set back doesn't silence what follows, and late events keep their order", () => {
		const stop = event('Stop', {}, 2 * hour);
		const prompt = event('UserPromptSubmit', {}, hour);
		expect(play(stop, prompt).signal).toMatchObject({state: 'working', lastEventAt: start + hour});
		expect(play(stop, prompt, stop).signal?.state).toBe('done');
		const late = event('UserPromptSubmit', {}, hour, {receivedAt: start + 2 * hour});
		expect(play(stop, late).signal?.state).toBe('done');
	});

	test('nested clients have separate signals for the same session id', () => {
		expect(signalKey('claude', 's')).not.toBe(signalKey('droid', 's'));
	});
});

describe('expiry', () => {
	test.each(['UserPromptSubmit', 'Stop', 'StopFailure', 'SessionStart', 'PermissionRequest'])(
		'%s becomes unknown after days, and keeps its age',
		name => {
			const signal = play(event(name)).signal as Signal;
			expect(expireSignal(signal, start + 60 * second)).toBe(signal);
			expect(expireSignal(signal, start + 72 * hour)).toMatchObject({state: 'unknown', lastEventAt: start});
		},
	);

	test.each(['other', 'clear'])('a session that ended (%s) stays ended', reason => {
		const signal = play(event('SessionEnd', {reason})).signal as Signal;
		expect(expireSignal(signal, start + 1000 * hour)).toBe(signal);
	});

	test('a need that expired alerts again', () => {
		expect(play(permission(0), permission(72 * hour)).alerts).toEqual(['needs-you', 'needs-you']);
	});
});

test('any order of delivery leads to the same state', () => {
	const names = [
		'SessionStart',
		'UserPromptSubmit',
		'Notification',
		'Stop',
		'StopFailure',
		'SubagentStop',
		'SessionEnd',
	];
	const data = fc.record(
		{
			// No reminder: it follows after a minute, so nothing overtakes it.
			notification_type: fc.constantFrom('permission_prompt', 'auth_success', 'strange'),
			message: fc.constantFrom('needs your permission', 'hm'),
			reason: fc.constantFrom('clear', 'other'),
			background_tasks: fc.nat(3),
			cwd: fc.constant('/w'),
		},
		{requiredKeys: ['cwd']},
	);
	const one = fc.record({name: fc.constantFrom(...names), data, after: fc.nat(100 * second)});
	const deliveries = fc
		.uniqueArray(one, {selector: ({after}) => after, minLength: 1, maxLength: 12})
		.chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, {minLength: list.length})));
	fc.assert(
		fc.property(deliveries, ([list, shuffled]) => {
			// All are delivered once all have happened.
			const toEvents = (given: typeof list) =>
				given.map(({name, data, after}, index) =>
					event(name, data, after, {receivedAt: start + 100 * second + index}),
				);
			const inOrder = play(...toEvents([...list].sort((a, b) => a.after - b.after))).signal;
			const delivered = play(...toEvents(shuffled)).signal;
			// When a state began depends on what was seen of it; all else doesn't.
			expect(delivered && {...delivered, since: 0}).toEqual(inOrder && {...inOrder, since: 0});
		}),
		{numRuns: 200},
	);
});

test('alerts once for each question: another within two seconds is the same one', () => {
	fc.assert(
		fc.property(fc.array(fc.nat(60 * second), {minLength: 1, maxLength: 20}), times => {
			const sorted = times.toSorted((a, b) => a - b);
			const {alerts} = play(...sorted.map(after => permission(after)));
			const isFirst = sorted.map((at, index) => index === 0 || at - (sorted[index - 1] ?? 0) > 2 * second);
			expect(alerts.map(alert => alert === 'needs-you')).toEqual(isFirst);
		}),
	);
});
