import {expect, test} from 'vitest';
import type {OutboxItem} from '../../../src/domain/messages/delivery.ts';
import {type DeliveryConnection, deliveryNote, noteChangesAt} from '../../../src/ui/stream/delivery-note.ts';
import {outboxItem} from '../../support/fleet.ts';

const now = 1_000_000;
const live: DeliveryConnection = {state: 'polling'};

function queued(more: Partial<OutboxItem> = {}): OutboxItem {
	return outboxItem({text: 'hello', createdAt: now, tries: 0, ...more});
}

test.each<[Partial<OutboxItem>, DeliveryConnection, string]>([
	[{}, live, '◌ queued'],
	[{}, {state: 'unauthorized'}, '◌ queued · key refused'],
	[{notBefore: now + 3_500, problem: 'Too many requests.'}, live, '◌ queued · retry in 4s'],
	// Its clock was set back by a day since.
	[{createdAt: now + 86_400_000, notBefore: now + 86_403_500, problem: 'x'}, live, '◌ queued'],
	[{}, {state: 'slowed', retryAt: now + 60_000}, '◌ queued · retry in 1m'],
	[{}, {state: 'offline', retryAt: now + 4_000}, '◌ queued until the service is back'],
	[{notBefore: now + 35_000, problem: 'x'}, {state: 'offline'}, '◌ queued until the service is back'],
	[{notBefore: now + 3_000, unreached: 'computer'}, live, '◌ queued until the computer is back'],
	[{problem: 'This key may not do this.'}, live, '◌ queued · on hold'],
	[{problem: 'This key may not do this.'}, {state: 'offline'}, '◌ queued · on hold'],
	[{notBefore: now - 1, problem: 'x'}, live, '◌ queued'],
	[{state: 'sending'}, {state: 'offline'}, '◌ sending'],
])('shows %j over %j as %s', (item, way, words) => {
	expect(deliveryNote(queued(item), way, now).text).toBe(words);
});

test('says that a message waits for its turn, or is next, unless something else is in the way', () => {
	expect(deliveryNote(queued({state: 'seen'}), live, now, 'waits').text).toBe('◌ waiting for its turn');
	expect(deliveryNote(queued(), live, now, 'next').text).toBe("◌ queued until the agent's turn ends");
	expect(deliveryNote(queued(), {state: 'unauthorized'}, now, 'next').text).toBe('◌ queued · key refused');
});

test('updates a note only while a retry is counted down', () => {
	expect(noteChangesAt([queued()], {state: 'slowed', retryAt: now + 4_000}, now)).toBe(now + 1000);
	expect(noteChangesAt([queued()], {state: 'offline', retryAt: now + 4_000}, now)).toBeUndefined();
	expect(noteChangesAt([queued()], {state: 'polling', retryAt: now + 4_000}, now)).toBeUndefined();
	expect(noteChangesAt([queued({state: 'seen', notBefore: now + 9})], live, now)).toBeUndefined();
});
