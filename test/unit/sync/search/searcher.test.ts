import {afterEach, describe, expect, test} from 'vitest';
import {StorageError} from '../../../../src/db/file/storage-error.ts';
import type {Clock} from '../../../../src/domain/clock.ts';
import type {FindProgress} from '../../../../src/state/view/find.ts';
import {runInTimeSlices, typingDelay} from '../../../../src/sync/core/time-slices.ts';
import {createSearcher, type SearchProgress} from '../../../../src/sync/search/searcher.ts';
import {fakeClock, settle} from '../../../support/fake-clock.ts';
import {keptMessages} from '../../../support/kept-messages.ts';

/** Steps that take so long each, by a clock that they move. */
function slowly<Step>(steps: readonly Step[], ms: number) {
	const still = fakeClock();
	let passed = 0;
	const taken: Step[] = [];
	function* run() {
		for (const step of steps) {
			passed += ms;
			taken.push(step);
			yield step;
		}
	}
	return {clock: {...still, now: () => still.now() + passed}, still, taken, steps: run()};
}

/** Searches in one session, which have found so many matches after each step: `m0`, `m1` and so on. */
function finding(clock: Clock, counts: Iterable<number>) {
	const found = {
		isLong: true,
		count: 0,
		newer: 0,
		isAtCursor: false,
		moveTo: (number: number) => `m${number}`,
	};
	function* counting() {
		for (const count of counts) {
			found.count = count;
			yield;
		}
	}
	const find = () => Object.assign(found, {steps: counting(), update() {}, close() {}});
	return createSearcher({find, search: () => expect.unreachable()}, clock);
}

describe('in time slices', () => {
	test('finishes short work at once', () => {
		const {clock, steps, taken} = slowly([1, 2, 3], 0);
		const reported: boolean[] = [];
		runInTimeSlices(clock, steps, isOver => reported.push(isOver));
		expect([taken, reported]).toEqual([[1, 2, 3], [true]]);
	});

	test('long work yields after each slice, and reports now and then and at the end', async () => {
		const all = Array.from({length: 40}, (_, index) => index);
		const {clock, steps, taken} = slowly(all, 3);
		const reported: boolean[] = [];
		runInTimeSlices(clock, steps, isOver => reported.push(isOver));
		expect(reported).toEqual([false]);
		expect(taken).toHaveLength(1);
		await settle(all.length);
		expect(taken).toEqual(all);
		expect(reported).toEqual([false, false, true]);
	});

	test('does and reports nothing more once ended', async () => {
		const {clock, steps, taken} = slowly([1, 2, 3, 4, 5, 6], 3);
		let calls = 0;
		const end = runInTimeSlices(clock, steps, () => calls++);
		end();
		await settle(10);
		expect([taken.length, calls]).toEqual([1, 1]);
	});
});

describe('in a session', () => {
	const kept = () => {
		const {messages, close} = keptMessages();
		ends.push(close);
		const put = (...texts: readonly [id: string, at: number, words: string][]) =>
			messages.put(
				's',
				texts.map(([id, createdAt, text]) => ({message: {id, createdAt, content: [{text}]}})),
			);
		return {messages, put};
	};
	const ends: (() => void)[] = [];
	afterEach(() => {
		for (const end of ends.splice(0)) end();
	});

	test('reports all matches at once, and the cursor moves between them and around the ends', () => {
		const {messages, put} = kept();
		put(['a', 1, 'needle'], ['b', 2, 'hay'], ['c', 3, 'needle'], ['d', 4, 'needle']);
		const searcher = createSearcher(messages, fakeClock());
		const reported: FindProgress[] = [];
		searcher.inSession('s', 'needle', 'b', finding => reported.push(finding));
		expect(reported).toEqual([{count: 3, newer: 2, isAtCursor: false, isOver: true, isIncomplete: false}]);
		expect(searcher.move(0)).toEqual({
			id: 'a',
			count: 3,
			newer: 2,
			isAtCursor: true,
			isOver: true,
			isIncomplete: false,
		});
		expect([1, 1, 1, -1, -1, 0].map(by => searcher.move(by as 1 | 0 | -1)?.id)).toEqual([
			'c',
			'd',
			'a',
			'd',
			'c',
			'c',
		]);
		searcher.inSession('s', 'hay', 'a', finding => reported.push(finding));
		expect(reported.at(-1)).toEqual({
			count: 1,
			newer: 1,
			isAtCursor: false,
			isOver: true,
			isIncomplete: false,
		});
		// The oldest, when all are newer than the reader.
		expect(searcher.move(0)?.id).toBe('b');
	});

	test('reports new matches together after a moment, until it is ended', async () => {
		const {messages, put} = kept();
		put(['a', 1, 'needle']);
		const clock = fakeClock();
		const searcher = createSearcher(messages, clock);
		const reported: FindProgress[] = [];
		searcher.inSession('s', 'needle', undefined, finding => reported.push(finding));
		expect(searcher.move(0)?.id).toBe('a');
		expect(clock.pending).toBe(0);
		put(['b', 2, 'needle']);
		put(['c', 3, 'needle']);
		expect(reported).toHaveLength(1);
		await clock.advance(100);
		expect(reported.slice(1)).toEqual([
			{count: 3, newer: 2, isAtCursor: true, isOver: true, isIncomplete: false},
		]);
		put(['d', 2, 'needle']);
		// A key doesn't wait for that.
		expect(searcher.move(1)?.id).toBe('b');
		expect(searcher.move(1)?.id).toBe('d');
		searcher.endInSession();
		put(['e', 9, 'needle']);
		await clock.advance(1000);
		expect([reported.length, clock.pending, searcher.move(1)]).toEqual([2, 0, undefined]);
	});

	test('lets the user go through the matches so far while it searches', async () => {
		const {clock, steps, still} = slowly([1, 2, 3, 4, 5, 6, 7, 8], 100);
		const searcher = finding(clock, steps);
		searcher.inSession('s', 'needle', undefined, () => {});
		await still.advance(typingDelay);
		await settle(1);
		// What is older may be yet to be found.
		expect([searcher.move(0)?.id, searcher.move(1)]).toEqual(['m0', undefined]);
	});

	test('a long search is reported again only when it has found something, or is over', async () => {
		const counts = [0, 0, 0, 1, 1, 2, 2];
		const {clock, steps, still} = slowly(counts, 100);
		const searcher = finding(clock, steps);
		const reported: [number, boolean][] = [];
		searcher.inSession('s', 'needle', undefined, ({count, isOver}) => reported.push([count, isOver]));
		await still.advance(typingDelay);
		await settle(counts.length);
		expect(reported).toEqual([
			[0, false],
			[1, false],
			[2, false],
			[2, true],
		]);
	});

	test('starts a long search only when the user stops typing', async () => {
		const {messages} = kept();
		const clock = fakeClock();
		const begun: string[] = [];
		const find = (_: string, words: string) => ({
			steps: (function* () {
				yield begun.push(words);
			})(),
			isLong: true,
			count: 0,
			newer: 0,
			isAtCursor: false,
			moveTo: () => undefined,
			update() {},
			close() {},
		});
		const searcher = createSearcher({...messages, find}, clock);
		const reported: string[] = [];
		for (const words of ['n', 'ne', 'nee']) {
			searcher.inSession('s', words, undefined, ({isOver}) => reported.push(`${words} ${isOver}`));
			expect([reported.at(-1), begun]).toEqual([`${words} false`, []]);
			await clock.advance(20);
		}
		await clock.advance(20);
		expect([reported.at(-1), begun]).toEqual(['nee true', ['nee']]);
		searcher.inSession('s', 'need', undefined, () => reported.push('need'));
		searcher.endInSession();
		await clock.advance(1000);
		expect([reported.at(-1), begun, clock.pending]).toEqual(['need', ['nee'], 0]);
	});

	test('ends where it is if the file can no longer be read', () => {
		const found = {isLong: false, count: 1, newer: 0, isAtCursor: false, moveTo: () => 'a', close() {}};
		const gone = () => {
			throw new StorageError('damaged', 'gone');
		};
		const steps = (function* () {
			yield;
			gone();
		})();
		const searcher = createSearcher(
			{find: () => ({...found, steps, update: gone}), search: () => ({steps: [], listed: 0, read: () => []})},
			fakeClock(),
		);
		const reported: FindProgress[] = [];
		searcher.inSession('s', 'needle', undefined, finding => reported.push(finding));
		expect(reported).toEqual([{count: 1, newer: 0, isAtCursor: false, isOver: true, isIncomplete: true}]);
		expect(searcher.move(1)).toBeUndefined();
	});

	test("ends if the position of the cursor can't be read", () => {
		const found = {
			steps: [1],
			isLong: false,
			count: 1,
			get newer(): number {
				throw new StorageError('damaged', 'gone');
			},
			isAtCursor: false,
			moveTo: () => undefined,
			update() {},
			close() {},
		};
		const {messages} = kept();
		const searcher = createSearcher({...messages, find: () => found}, fakeClock());
		const reported: FindProgress[] = [];
		searcher.inSession('s', 'needle', undefined, finding => reported.push(finding));
		expect(reported).toEqual([{count: 1, newer: 0, isAtCursor: false, isOver: true, isIncomplete: true}]);
		expect(searcher.move(1)).toBeUndefined();
	});
});

describe('in all sessions', () => {
	const said = 'needle in all of them';
	const searching = (count: number) => {
		const {messages, close} = keptMessages();
		const pages = Array.from({length: count}, (_, at) => ({
			message: {id: `m${at}`, createdAt: at, content: [{text: said}]},
		}));
		messages.put('s', pages);
		const clock = fakeClock();
		const reported: SearchProgress[] = [];
		const searcher = createSearcher(messages, clock);
		const look = (words: string) => searcher.inAll(words, 120, searching => reported.push(searching));
		return {searcher, clock, reported, look, close};
	};

	test('begins after a pause in typing, and reads a page', async () => {
		const {clock, reported, look, close} = searching(200);
		look('n');
		await clock.advance(10);
		look('ne');
		await clock.advance(10);
		look('needle');
		await clock.advance(20);
		expect(reported).toEqual([]);
		await clock.advance(100);
		const last = reported.at(-1);
		expect(last).toMatchObject({count: 200, listed: 120, isOver: true, isIncomplete: false});
		expect(last?.found.map(({messageId}) => messageId)).toEqual(
			Array.from({length: 50}, (_, index) => `m${199 - index}`),
		);
		expect(clock.pending).toBe(0);
		close();
	});

	test('reports a long search as it goes, and again when it is done', async () => {
		const {clock, still, steps} = slowly([1000, 1000, 1000, 1000], 60);
		const {messages, close} = keptMessages();
		const searched = {steps, listed: 0, read: () => []};
		const searcher = createSearcher({...messages, search: () => searched}, clock);
		const reported: (readonly [number, boolean])[] = [];
		searcher.inAll('needle', 9, ({count, isOver}) => reported.push([count, isOver]));
		await still.advance(100);
		expect(reported).toEqual([
			[3000, false],
			[4000, true],
		]);
		close();
	});

	test('reads page by page on request, until all listed matches are read', async () => {
		const {searcher, clock, reported, look, close} = searching(200);
		look('need');
		searcher.readMore();
		await clock.advance(100);
		const lengths = [reported.at(-1)?.found.length];
		for (let more = 0; more < 3; more++) {
			searcher.readMore();
			await clock.advance(100);
			lengths.push(reported.at(-1)?.found.length);
		}
		expect(lengths).toEqual([50, 100, 120, 120]);
		expect(reported.every(({isOver, found}) => isOver || found.length <= 50)).toBe(true);
		close();
	});

	test("reports a file that can't be read as incomplete, not as without matches", async () => {
		const clock = fakeClock();
		const reported: SearchProgress[] = [];
		const steps = (function* (): Generator<number> {
			yield 3;
			throw new StorageError('damaged', 'gone');
		})();
		const {messages, close} = keptMessages();
		const searcher = createSearcher({...messages, search: () => ({steps, listed: 0, read: () => []})}, clock);
		searcher.inAll('needle', 9, searching => reported.push(searching));
		await clock.advance(100);
		expect(reported).toEqual([{count: 3, listed: 0, found: [], isOver: true, isIncomplete: true}]);
		close();
	});

	test('reports nothing more once ended', async () => {
		const {searcher, clock, reported, look, close} = searching(20);
		look('need');
		searcher.endInAll();
		await clock.advance(100);
		searcher.readMore();
		await clock.advance(100);
		expect([reported.length, clock.pending]).toEqual([0, 0]);
		close();
	});
});
