import fc from 'fast-check';
import {expect, test} from 'vitest';
import {following, type ScrollState} from '../../../src/state/view/view-states.ts';
import {
	atSelected,
	type Extent,
	scrolled,
	selectedMoved,
	toTop,
	windowOf,
} from '../../../src/ui/stream/viewport.ts';

function extent(rows: readonly number[], height = 10): Extent {
	return {
		ids: rows.map((_, index) => `m${index}`),
		rowsAt: index => rows[index] ?? 0,
		leadAt: () => 0,
		isTransientAt: () => false,
		indexOf(id) {
			return this.ids.indexOf(id);
		},
		...{height, pending: 0, hasNewer: false},
	};
}

const shown = (of: Extent, reading: ScrollState) =>
	windowOf(of, reading).slices.map(({index, from, to}) => `${index}:${from}-${to}`);

test('following keeps the last row at the end of the window', () => {
	expect(shown(extent([4, 5, 6]), following)).toEqual(['1:1-5', '2:0-6']);
	expect(shown(extent([2, 1]), following)).toEqual(['0:0-2', '1:0-1']);
	expect(windowOf(extent([]), following)).toEqual({
		slices: [],
		selected: -1,
		isAtStart: true,
		isAtEnd: true,
		unseen: 0,
	});
	expect(windowOf(extent([4, 5, 6]), following).isAtStart).toBe(false);
	expect(windowOf(extent([2, 1]), following).isAtStart).toBe(true);
});

test('what is being read stays in place while messages arrive, and they are counted', () => {
	const before = extent([4, 5, 6]);
	const reading = scrolled(before, following, -3);
	expect(shown(before, reading)).toEqual(['0:2-4', '1:0-5', '2:0-3']);
	const after = extent([4, 5, 6, 3, 9]);
	expect(shown(after, reading)).toEqual(['0:2-4', '1:0-5', '2:0-3']);
	expect(windowOf(after, reading)).toMatchObject({unseen: 2, isAtEnd: false});
});

test('counts only the new messages below the window', () => {
	const before = extent([2, 2, 2, 2, 2, 2]);
	const reading = atSelected(before, following, 3);
	expect(windowOf(extent([2, 2, 2, 2, 2, 2, 2, 2]), reading)).toMatchObject({unseen: 2, isAtEnd: false});
	expect(windowOf({...extent([2, 2, 2, 2, 2, 2, 2, 2]), height: 13}, reading)).toMatchObject({unseen: 1});
	expect(windowOf({...extent([2, 2, 2, 2, 2, 2, 2, 2]), height: 14}, reading)).toMatchObject({
		unseen: 0,
		isAtEnd: true,
	});
});

test("older messages added above don't move the window either", () => {
	const reading = scrolled(extent([4, 5, 6]), following, -3);
	const older: Extent = {
		...extent([]),
		ids: ['old', 'm0', 'm1', 'm2'],
		rowsAt: index => [7, 4, 5, 6][index] ?? 0,
		height: 10,
	};
	expect(shown(older, reading)).toEqual(['1:2-4', '2:0-5', '3:0-3']);
});

test('scrolling down to the end follows again', () => {
	const of = extent([4, 5, 6]);
	expect(scrolled(of, scrolled(of, following, -3), 3)).toEqual(following);
	expect(scrolled(of, toTop(of, following), 99)).toEqual(following);
});

test('reads an item taller than the window row by row before selecting the next one', () => {
	const of = extent([3, 25, 2]);
	let reading = selectedMoved(of, toTop(of, following), 1);
	expect([windowOf(of, reading).selected, shown(of, reading)]).toEqual([1, ['1:0-10']]);
	reading = selectedMoved(of, reading, 1);
	expect([windowOf(of, reading).selected, shown(of, reading)]).toEqual([1, ['1:1-11']]);
});

test('selecting upward keeps the selected item in view', () => {
	const of = extent([4, 5, 6]);
	const reading = selectedMoved(of, following, -1);
	expect(windowOf(of, reading)).toMatchObject({selected: 1});
	expect(windowOf(extent([4, 5, 6, 1]), reading).selected).toBe(1);
});

test("rows that come and go above an item with its neighbors don't move its own rows", () => {
	const before: Extent = {...extent([5, 5, 5, 5], 8), leadAt: () => 1};
	const reading = scrolled(before, following, -4);
	const after: Extent = {
		...extent([]),
		ids: ['old', 'm0', 'm1', 'm2', 'm3'],
		rowsAt: index => [9, 4, 5, 5, 5][index] ?? 0,
		leadAt: index => (index === 1 ? 0 : 1),
		height: 8,
	};
	const rowOf = (of: Extent, id: string) => {
		let row = 0;
		for (const {index, from, to} of windowOf(of, reading).slices) {
			if (of.ids[index] === id) return row + (of.leadAt?.(index) ?? 0) - from;
			row += to - from;
		}
		return undefined;
	};
	expect(rowOf(before, 'm2')).toBeDefined();
	expect(rowOf(after, 'm2')).toBe(rowOf(before, 'm2'));
});

test('never anchors at something transient, so that filling a gap moves nothing below it', () => {
	const before: Extent = {...extent([3, 1, 4, 6], 8), isTransientAt: index => index === 1};
	const reading = scrolled(before, following, -3);
	const top = !reading.isFollowing && reading.top;
	expect(top).toEqual({id: 'm2', line: -1});
	const filled: Extent = {
		...extent([]),
		ids: ['m0', 'x', 'y', 'm2', 'm3'],
		rowsAt: index => [3, 5, 5, 4, 6][index] ?? 0,
		height: 8,
	};
	expect(shown(filled, reading)).toEqual(['2:4-5', '3:0-4', '4:0-3']);
});

test("the end of the loaded messages isn't the end while there are newer ones", () => {
	const of: Extent = {...extent([4, 5, 6]), hasNewer: true};
	const reading = scrolled(of, toTop(of, following), 99);
	expect(reading.isFollowing).toBe(false);
	expect(selectedMoved(of, reading, 1).isFollowing).toBe(false);
});

const sizes = fc.array(fc.integer({min: 1, max: 30}), {minLength: 1, maxLength: 30});
const moves = fc.array(
	fc.oneof(
		fc
			.integer({min: -15, max: 15})
			.map(by => (of: Extent, reading: ScrollState) => scrolled(of, reading, by)),
		fc
			.constantFrom(1 as const, -1 as const)
			.map(by => (of: Extent, reading: ScrollState) => selectedMoved(of, reading, by)),
		fc.constant(toTop),
	),
	{maxLength: 30},
);

test('however it moves, the window is full or at the end, and the selected item is in view', () => {
	fc.assert(
		fc.property(sizes, fc.integer({min: 3, max: 20}), moves, (rows, height, steps) => {
			const of = extent(rows, height);
			let reading: ScrollState = following;
			for (const step of steps) {
				reading = step(of, reading);
				const {slices, selected} = windowOf(of, reading);
				const visible = slices.reduce((sum, {from, to}) => sum + to - from, 0);
				const all = rows.reduce((sum, count) => sum + count, 0);
				expect(visible).toBe(Math.min(height, all));
				expect(slices.some(({index}) => index === selected)).toBe(true);
			}
		}),
	);
});
