import {expect, test} from 'vitest';
import {maxStoredEvents} from '../../../src/domain/sessions/signal.ts';
import {
	createLogMatcher,
	emptyLog,
	indexFrom,
	type LogEntry,
	withNewer,
	withOlder,
} from '../../../src/state/event-log.ts';
import {hookEvent} from '../../support/hook-event.ts';

const numbered = (from: number, count: number) =>
	Array.from({length: count}, (_, index) =>
		hookEvent({id: `e${from + index}`, event: (from + index) % 3 === 0 ? 'Stop' : 'Notification'}),
	);
const ids = (entries: readonly LogEntry[]) => entries.map(entry => entry.event.id);

test('appends new events, puts older ones before them and never changes numbers', () => {
	const log = withNewer(withNewer(emptyLog, numbered(10, 3)), numbered(13, 1));
	expect(ids(log.entries)).toEqual(['e10', 'e11', 'e12', 'e13']);
	const older = withOlder(log, numbered(8, 2), true);
	expect(older.entries.map(entry => entry.number)).toEqual([-2, -1, 0, 1, 2, 3]);
	expect(ids(older.entries)[0]).toBe('e8');
	expect(withNewer(older, [])).toBe(older);
});

test('a full log loses its oldest events, as the disk does', () => {
	const full = withNewer({...emptyLog, hasOlder: true}, numbered(0, maxStoredEvents - 1));
	expect([full.hasOlder, full.storedCount]).toEqual([true, maxStoredEvents - 1]);
	const over = withNewer(full, numbered(maxStoredEvents - 1, 6));
	expect([over.entries.length, ids(over.entries)[0]]).toEqual([maxStoredEvents, 'e5']);
	expect([over.hasOlder, over.storedCount]).toEqual([false, maxStoredEvents]);
});

test('a filter searches client, event, session, folder, words, reason and delivery', () => {
	const log = withNewer(emptyLog, [
		hookEvent({
			client: 'Claude',
			event: 'SessionEnd',
			delivery: 'spool',
			data: {session_id: 's-1', cwd: '/srv/Shop', reason: 'logout', message: 'Bye'},
		}),
	]);
	const matches = createLogMatcher();
	for (const words of ['claude', 'sessionend', 's-1', 'shop', 'LOGOUT', 'bye spool'])
		expect(matches(log.entries, words, undefined), words).toHaveLength(1);
	expect(matches(log.entries, 'socket', undefined)).toEqual([]);
	expect(matches(log.entries, '', 's-2')).toEqual([]);
});

test('finds the entry with a number, or the next one', () => {
	const {entries} = withNewer(emptyLog, numbered(0, 6));
	const some = entries.filter(entry => entry.number % 2 === 0);
	expect([-5, 0, 1, 4, 9].map(number => indexFrom(some, number))).toEqual([0, 0, 1, 2, 3]);
});
