import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {
	type AttentionMark,
	episodeOf,
	type Subject,
	snoozeEnd,
	subjectKey,
} from '../../../../src/domain/sessions/attention.ts';
import {createStores} from '../../../../src/state/stores.ts';
import {AttentionMarks} from '../../../../src/sync/fleet/attention-marks.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

const minute = 60_000;
const file = () => join(temporaryFolder(), 'kept.db');

function setup(path: string, clock = fakeClock()) {
	const database = openDatabase({file: path});
	onTestFinished(() => database.close());
	const store = createStores().attention;
	const returned: string[] = [];
	const marks = new AttentionMarks({
		database,
		store,
		safeWrite: write => write(),
		clock,
		onSnoozeEnd: subject => returned.push(subjectKey(subject)),
	});
	marks.load();
	marks.start();
	return {marks, clock, store, returned, marked: () => [...store.getState().marks.values()]};
}

const subject = (id: string): Subject => ({kind: 'session', id});
const mark = (id: string, more: Partial<AttentionMark> = {}): AttentionMark => ({
	subject: subject(id),
	episode: 'permission|1|may I?',
	kind: 'acknowledged',
	at: fakeClock().now(),
	...more,
});

test('keeps acknowledged and snoozed marks across a restart, and removes them on request', () => {
	const path = file();
	const first = setup(path);
	first.marks.put(mark('a'));
	first.marks.put(mark('b', {kind: 'snoozed', until: first.clock.now() + minute}));
	const second = setup(path);
	expect(second.marked()).toEqual(first.marked());
	second.marks.remove(subject('a'));
	expect(
		setup(path)
			.marked()
			.map(one => one.subject.id),
	).toEqual(['b']);
});

test('loading unchanged marks again changes nothing', () => {
	const {marks, store, marked} = setup(file());
	marks.put(mark('b'));
	marks.put(mark('a', {kind: 'snoozed', until: mark('a').at + minute}));
	marks.load();
	const before = store.getState().marks;
	marks.load();
	expect(store.getState().marks).toBe(before);
	expect(marked()).toHaveLength(2);
});

test('a computer and a session with the same id have separate marks and snoozes', async () => {
	const path = file();
	const {marks, clock, returned} = setup(path);
	const computer = {kind: 'computer', id: 'a'} as const;
	const until = {kind: 'snoozed', until: clock.now() + minute} as const;
	marks.put(mark('a', until));
	marks.put({...mark('a', until), subject: computer});
	expect(setup(path).marked()).toHaveLength(2);
	marks.remove(subject('a'));
	expect(setup(path).marked()).toEqual([{...mark('a', until), subject: computer}]);
	await clock.advance(minute);
	expect([returned, setup(path).marked()]).toEqual([['computer:a'], []]);
});

test('one timer ends all snoozes in order, and none is left at rest', async () => {
	const {clock, marks, returned, marked} = setup(file());
	const until = (minutes: number) => ({kind: 'snoozed', until: clock.now() + minutes * minute}) as const;
	marks.put(mark('late', until(60)));
	marks.put(mark('soon', until(15)));
	marks.put(mark('seen'));
	expect(clock.pending).toBe(1);
	await clock.advance(15 * minute);
	expect(returned).toEqual(['soon']);
	await clock.advance(45 * minute);
	expect([returned, clock.pending]).toEqual([['soon', 'late'], 0]);
	expect(marked().map(one => one.subject.id)).toEqual(['seen']);
	marks.put(mark('late', until(5)));
	marks.stop();
	expect(clock.pending).toBe(0);
});

test('ends a snooze that ran out while the program was closed, and forgets an old mark', () => {
	const path = file();
	const clock = fakeClock();
	const first = setup(path, clock);
	first.marks.put(mark('slept', {kind: 'snoozed', until: clock.now() + minute}));
	first.marks.put(mark('old'));
	const later = setup(path, fakeClock(clock.now() + 31 * 24 * 60 * minute));
	expect([later.marked(), later.returned]).toEqual([[], []]);
	expect(setup(path, clock).marked()).toEqual([]);
});

test('another state, start or text makes another episode', () => {
	const reported = {state: 'permission', since: 5, reason: 'Bash'};
	const episodes = [
		reported,
		{...reported, state: 'input'},
		{...reported, since: 6},
		{...reported, reason: 'Edit'},
	].map(episodeOf);
	expect(new Set(episodes).size).toBe(4);
	expect(episodeOf({...reported})).toBe(episodes[0]);
});

test("a snooze until tomorrow ends the next morning, in this machine's time", () => {
	const evening = new Date(2026, 11, 31, 22, 30).getTime();
	expect(new Date(snoozeEnd('tomorrow', evening))).toEqual(new Date(2027, 0, 1, 8));
	expect(snoozeEnd('quarter', evening) - evening).toBe(15 * minute);
	expect(snoozeEnd('hour', evening) - evening).toBe(60 * minute);
});
