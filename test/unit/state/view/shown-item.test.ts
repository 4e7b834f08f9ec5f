import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	maxSplit,
	neighborOf,
	splitAfterOpening,
	splitMoved,
	splitWith,
	splitWithout,
	streamsOf,
	withCursor,
	withOpened,
	withoutShown,
} from '../../../../src/state/view/shown-item.ts';
import {createViewStore, type View} from '../../../../src/state/view/view.ts';

const view = createViewStore().getState();

test('moving the cursor shows a computer at once, and the open session again when it goes back', () => {
	const open = withOpened(view, {kind: 'session', id: 's'}, 'main');
	const onComputer = withCursor(open, {section: 'computers', id: 'c'});
	expect(onComputer.shown).toEqual({kind: 'computer', id: 'c'});
	expect(withCursor(onComputer, {section: 'sessions', id: 'other'}).shown).toEqual({
		kind: 'session',
		id: 's',
	});
});

test('with no session open, leaving the computers shows nothing', () => {
	const onComputer = withCursor(view, {section: 'computers', id: 'c'});
	expect(withCursor(onComputer, {section: 'sessions', id: 's'}).shown).toBeUndefined();
});

test('a forgotten session leaves the main area, and focus returns to the lists', () => {
	const open = withOpened(view, {kind: 'session', id: 's'}, 'composer');
	expect(withoutShown(open, 's')).toMatchObject({focus: 'lists'});
	expect(withoutShown(open, 's').shown).toBeUndefined();
	expect(withoutShown(open, 'x')).toMatchObject({focus: 'composer', shown: {id: 's'}, lastSession: 's'});
});

const start = createViewStore().getState();
const show = (view: View, id: string) => withOpened(view, {kind: 'session', id}, 'main');

test('opens a session beside the focused one, and the next in its place', () => {
	let view = show(start, 'a');
	view = show({...view, split: splitWith(view, 'b')}, 'b');
	expect(streamsOf(view)).toEqual(['a', 'b']);
	view = show({...view, split: splitWith(view, 'c')}, 'c');
	view = show({...show(view, 'a'), split: splitWith(show(view, 'a'), 'd')}, 'd');
	expect(streamsOf(view)).toEqual(['a', 'd', 'b', 'c']);
	// Full: nothing more, nothing lost.
	expect(splitWith(view, 'e')).toBe(view.split);
	view = show(view, 'e');
	expect(streamsOf(view)).toEqual(['a', 'e', 'b', 'c']);
	// One that is there already gets the focus where it is.
	view = show(view, 'c');
	expect([streamsOf(view), view.shown?.id]).toEqual([['a', 'e', 'b', 'c'], 'c']);
});

test('moves and closes sessions, and a split of two ends when one is closed', () => {
	expect(splitMoved(['a', 'b', 'c'], 'a', -1)).toEqual(['b', 'c', 'a']);
	expect(splitMoved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
	expect([neighborOf(['a', 'b'], 'b', 1), neighborOf([], 'b', 1)]).toEqual(['a', undefined]);
	expect(splitWithout(['a', 'b', 'c'], 'b')).toEqual(['a', 'c']);
	expect(splitWithout(['a', 'b'], 'b')).toEqual([]);
});

test('a forgotten session leaves the split, and its neighbor gets the focus', () => {
	let view = show(start, 'a');
	view = show({...view, split: splitWith(view, 'b')}, 'b');
	view = show({...view, split: splitWith(view, 'c')}, 'c');
	const without = withoutShown(view, 'c');
	expect([streamsOf(without), without.shown?.id, without.lastSession]).toEqual([['a', 'b'], 'b', 'b']);
	const single = withoutShown(without, 'b');
	expect([streamsOf(single), single.shown?.id, single.split]).toEqual([['a'], 'a', []]);
	expect(withoutShown(single, 'a').shown).toBeUndefined();
});

test('the split always holds two to four different sessions, including the shown one, or none', () => {
	const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
	const step = fc.oneof(
		fc.record({
			do: fc.constantFrom('open' as const, 'beside' as const, 'close' as const, 'forget' as const),
			id,
		}),
		fc.record({do: fc.constantFrom('left' as const, 'right' as const), id}),
		fc.record({do: fc.constant('computer' as const), id}),
	);
	fc.assert(
		fc.property(fc.array(step, {maxLength: 40}), steps => {
			let view: View = start;
			for (const {do: what, id: one} of steps) {
				if (what === 'open') view = show(view, one);
				else if (what === 'beside') view = show({...view, split: splitWith(view, one)}, one);
				else if (what === 'close') view = {...view, split: splitWithout(view.split, one)};
				else if (what === 'forget') view = withoutShown(view, one);
				else if (what === 'computer') view = {...view, shown: {kind: 'computer', id: one}};
				else view = {...view, split: splitMoved(view.split, one, what === 'left' ? -1 : 1)};
				const {split} = view;
				expect(new Set(split).size).toBe(split.length);
				expect(split.length === 0 || (split.length >= 2 && split.length <= maxSplit)).toBe(true);
				const streams = streamsOf(view);
				if (view.shown?.kind === 'session') expect(streams).toContain(view.shown.id);
				else expect(streams).toEqual([]);
				expect(splitAfterOpening(view, one).length).toBe(split.length);
			}
		}),
	);
});
