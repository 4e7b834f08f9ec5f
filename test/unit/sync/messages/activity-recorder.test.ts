import {expect, test} from 'vitest';
import type {KnownSession} from '../../../../src/domain/known.ts';
import type {SessionActivity} from '../../../../src/domain/sessions/activity.ts';
import type {Registry} from '../../../../src/sync/fleet/registry.ts';
import {type ActivityReading, ActivityRecorder} from '../../../../src/sync/messages/activity-recorder.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {fleet, knownSession} from '../../../support/fleet.ts';

/** A recorder over one session, and the activity that it saves. */
function recorder() {
	const clock = fakeClock();
	let known: KnownSession = knownSession('s', {origin: 'created', addedAt: clock.now()});
	const registry = {
		session: () => known,
		refreshedSession: () => known,
		current: () => fleet([known]),
		setEmpty: () => undefined,
		recordRead: () => undefined,
		setActivity: (_: string, activity: SessionActivity) => {
			known = {...known, activity};
		},
	} as unknown as Registry;
	const recorder = new ActivityRecorder({
		registry,
		clock,
		outboxOf: () => [],
		skew: () => 0,
	});
	const messages = [
		{message: {id: 'ours', createdAt: clock.now(), content: [{text: 'ls'}]}, role: 'user'},
		{message: {id: 'answer', createdAt: clock.now() + 1000, content: [{text: 'a.txt'}]}, role: 'assistant'},
		{message: {id: 'more', createdAt: clock.now() + 2500, content: [{text: 'b.txt'}]}, role: 'assistant'},
	] as const;
	const read = (count: number, changed: readonly string[], startedFrom?: ActivityReading['startedFrom']) => {
		const reading = {messages: messages.slice(0, count), isWhole: true, changed: new Set(changed)};
		recorder.record('s', {...reading, ...(startedFrom && {startedFrom})});
		return known.activity?.state;
	};
	const saidIdle = (source: 'updated' | 'posted') => {
		known = {...known, status: {value: 'idle', source, at: clock.now()}};
	};
	return {clock, read, saidIdle, activity: () => known.activity};
}

test('a turn is over as soon as the service says so, or else once its text has been quiet for a while', async () => {
	const {clock, read, saidIdle} = recorder();
	expect(read(1, ['ours'])).toBe('working');
	await clock.advance(2000);
	expect(read(2, ['answer'])).toBe('working');
	// The answer to our own message proves nothing.
	saidIdle('posted');
	expect(read(2, [])).toBe('working');
	saidIdle('updated');
	expect(read(2, [])).toBe('done');
	// What comes later is work again.
	await clock.advance(1000);
	expect(read(3, ['more'])).toBe('working');
	await clock.advance(15_000);
	expect(read(3, [])).toBe('done');
});

test('a read changes nothing if another program has found a newer message since it began', () => {
	const {read, activity} = recorder();
	read(1, ['ours']);
	const startedFrom = {activity: activity()};
	read(3, ['answer', 'more']);
	const newer = activity();
	read(2, ['answer'], startedFrom);
	expect(activity()).toEqual(newer);
});
