import {expect, test} from 'vitest';
import {
	activeStatus,
	afterStop,
	type KnownStatus,
	mayBeAtWork,
	quietTail,
	reportedStatus,
	type Turn,
} from '../../../../src/domain/sessions/session-status.ts';

const idle = (source: KnownStatus['source'], at: number): KnownStatus => ({value: 'idle', source, at});
const running = (source: KnownStatus['source'], at: number): KnownStatus => ({value: 'running', source, at});

test.each<[string, KnownStatus | undefined, KnownStatus, Turn, 'told' | 'kept']>([
	['busy is believed', idle('created', 1), running('posted', 5), {}, 'told'],
	['an idle answer to our post settles nothing', running('created', 1), idle('posted', 5), {}, 'kept'],
	['nor when nothing was known', undefined, idle('posted', 5), {}, 'kept'],
	['nor does a read before any answer came', running('posted', 4), idle('updated', 5), {postedAt: 4}, 'kept'],
	['idle after busy was seen settles', running('updated', 6), idle('updated', 9), {postedAt: 4}, 'told'],
	[
		'idle after an answer came settles',
		running('posted', 4),
		idle('updated', 9),
		{postedAt: 4, changedAt: 8, newestRole: 'assistant'},
		'told',
	],
	['idle when nothing is due settles', running('created', 1), idle('updated', 5), {}, 'told'],
	[
		'a read as the agent stops tells of the turn before',
		idle('hook', 100),
		running('updated', 200),
		{},
		'kept',
	],
	['a read later on tells of another turn', idle('hook', 100), running('updated', 10_100), {}, 'told'],
	['a message of ours begins one at once', idle('hook', 100), running('posted', 200), {}, 'told'],
	['a hook event is always believed', running('posted', 4), idle('hook', 5), {postedAt: 4}, 'told'],
])('%s', (_name, current, reported, turn, outcome) => {
	expect(reportedStatus(current, reported, turn)).toBe(outcome === 'told' ? reported : current);
});

test('new messages mean that it runs, and a quiet tail after an answer that it is over', () => {
	const turn: Turn = {postedAt: 100, changedAt: 200, newestRole: 'assistant'};
	expect(activeStatus(running('posted', 100), turn, 300)).toEqual(running('activity', 200));
	expect(activeStatus(running('activity', 200), turn, 300)).toBeUndefined();
	expect(activeStatus(running('activity', 200), turn, 200 + quietTail)).toEqual(
		idle('activity', 200 + quietTail),
	);
	expect(
		activeStatus(running('posted', 100), {...turn, newestRole: 'tool'}, 200 + quietTail),
	).toBeUndefined();
	expect(activeStatus(running('posted', 100), {...turn, newestRole: 'user'}, 300)).toBeUndefined();
	expect(activeStatus(idle('hook', 150), turn, 300)).toBeUndefined();
});

test('silence says nothing about a session whose service is asked again and again', () => {
	const turn: Turn = {postedAt: 100, changedAt: 200, newestRole: 'assistant'};
	expect(activeStatus(running('updated', 200), turn, 200 + quietTail, true)).toBeUndefined();
	const later = 150 + afterStop;
	expect(activeStatus(idle('updated', 150), {...turn, changedAt: later}, later, true)).toEqual(
		running('activity', later),
	);
});

test('what is found just after the service reported the agent idle is its last work', () => {
	const turn: Turn = {postedAt: 100, changedAt: 2_000, newestRole: 'assistant'};
	expect(activeStatus(idle('updated', 1_000), turn, 2_000, true)).toBeUndefined();
	expect(activeStatus(idle('activity', 1_000), turn, 2_000, true)).toEqual(running('activity', 2_000));
});

test('a session is at work while an answer is due, while it changes, and while its status says so', () => {
	expect(mayBeAtWork(undefined, {}, 0)).toBe(false);
	expect(mayBeAtWork(undefined, {postedAt: 0}, 60_000)).toBe(true);
	expect(mayBeAtWork(undefined, {postedAt: 0}, 3_600_000)).toBe(false);
	expect(mayBeAtWork(idle('hook', 0), {changedAt: 1_000}, 2_000)).toBe(true);
	expect(mayBeAtWork(running('created', 0), {}, 60_000)).toBe(true);
	expect(mayBeAtWork(running('created', 0), {}, 3_600_000)).toBe(false);
});

test("the service's own word in answer to our message stays until its turn is over", () => {
	const thinking: KnownStatus = {value: 'Thinking', source: 'posted', at: 100};
	const turn: Turn = {postedAt: 100, changedAt: 200, newestRole: 'assistant'};
	expect(reportedStatus(running('activity', 50), thinking, {})).toBe(thinking);
	expect(activeStatus(thinking, turn, 300)).toBeUndefined();
	expect(mayBeAtWork(thinking, {}, 60_000)).toBe(true);
	expect(activeStatus(thinking, turn, 200 + quietTail)).toEqual(idle('activity', 200 + quietTail));
	const archived: KnownStatus = {value: 'Archived', source: 'updated', at: 100};
	expect(mayBeAtWork(archived, {}, 60_000)).toBe(false);
	expect(activeStatus(archived, turn, 300)).toEqual(running('activity', 200));
});
