import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Message} from '../../../src/domain/message.ts';
import {oldestFirst} from '../../../src/domain/order.ts';
import {createTimeline} from '../../../src/domain/timeline.ts';

/** A history: groups of messages that share a time; a group is a chain of parents or is told by its page alone. */
const history = fc
	.array(
		fc.record({size: fc.integer({min: 1, max: 4}), isChain: fc.boolean(), gap: fc.integer({min: 1, max: 9})}),
		{
			minLength: 1,
			maxLength: 12,
		},
	)
	.map(groups => {
		let time = 1_700_000_000_000;
		let parentId: string | undefined;
		const messages: Message[] = [];
		const starts: number[] = [];
		for (const group of groups) {
			time += group.gap;
			for (let index = 0; index < group.size; index++) {
				// A group without a chain must not be cut by a page: nothing else tells its order.
				if (index === 0 || group.isChain) starts.push(messages.length);
				const id = `m${(messages.length * 7919) % 1000}`;
				messages.push({
					id,
					createdAt: time,
					content: [{text: id}],
					...(group.isChain && parentId && {parentId}),
				});
				parentId = id;
			}
		}
		return {messages, starts: [...starts, messages.length]};
	});

test('pages in any order, doubled, late and edited, end in the same stream', () => {
	fc.assert(
		fc.property(
			history,
			fc.array(
				fc.record({
					from: fc.nat(),
					length: fc.nat(6),
					isDescending: fc.boolean(),
					edit: fc.boolean(),
					side: fc.constantFrom('older' as const, 'newer' as const),
				}),
				{maxLength: 12},
			),
			fc.infiniteStream(fc.nat()),
			({messages, starts}, extra, random) => {
				const timeline = createTimeline();
				const cuts = starts.slice(0, -1).map((start, index) => ({start, end: starts[index + 1] ?? start}));
				const windows = [
					...cuts.map(cut => ({...cut, isDescending: false, edit: false, side: 'newer' as const})),
					...extra.map(window => {
						const first = window.from % cuts.length;
						const last = Math.min(cuts.length - 1, first + window.length);
						return {...window, start: cuts[first]?.start ?? 0, end: cuts[last]?.end ?? 0};
					}),
				];
				const shuffled = windows
					.map(window => ({window, key: random.next().value}))
					.sort((a, b) => a.key - b.key)
					.map(({window}) => window);
				const edited = new Map<string, Message>();
				let revision = 0;
				for (const window of shuffled) {
					const page = messages.slice(window.start, window.end).map(message => {
						if (!window.edit) return edited.get(message.id) ?? message;
						const next = {
							...message,
							content: [{text: `edit ${++revision}`}],
							updatedAt: 1_800_000_000_000 + revision,
						};
						edited.set(message.id, next);
						return next;
					});
					const sent = window.isDescending ? page.toReversed() : page;
					const back = oldestFirst(sent, window.isDescending ? 'descending' : 'ascending');
					timeline.upsert(
						back.map(message => ({message})),
						window.side,
					);
				}
				expect(timeline.items().map(item => item.message)).toEqual(
					messages.map(message => edited.get(message.id) ?? message),
				);
			},
		),
		{numRuns: 500},
	);
});

test('only what changed gets a new version, and no version comes twice', () => {
	const timeline = createTimeline();
	const one = {id: 'a', createdAt: 1, content: [{text: 'x'}]};
	const two = {id: 'b', createdAt: 2, content: [{text: 'y'}]};
	timeline.upsert([{message: one}, {message: two}], 'newer');
	const before = timeline.items();
	const again = timeline.upsert([{message: {...one, content: [{text: 'x'}]}}, {message: two}], 'newer');
	expect(again).toEqual({added: [], changed: [], unchanged: ['a', 'b']});
	expect(timeline.items()).toBe(before);
	const grown = timeline.upsert([{message: one}, {message: {...two, content: [{text: 'yes'}]}}], 'newer');
	expect(grown).toEqual({added: [], changed: ['b'], unchanged: ['a']});
	expect(timeline.items()[0]).toBe(before[0]);
	expect(timeline.items()[1]?.version).toBeGreaterThan(before[1]?.version ?? 0);
	const last = timeline.get('b')?.version ?? 0;
	timeline.remove(['b']);
	timeline.upsert([{message: two}], 'newer');
	expect(timeline.get('b')?.version).toBeGreaterThan(last);
});

test('an answer from before the one we have is dropped', () => {
	const timeline = createTimeline();
	timeline.upsert([{message: {id: 'a', createdAt: 1, updatedAt: 9, content: [{text: 'long'}]}}], 'newer');
	const old = timeline.upsert(
		[{message: {id: 'a', createdAt: 1, updatedAt: 5, content: [{text: 'lo'}]}}],
		'newer',
	);
	expect(old.changed).toEqual([]);
	expect(timeline.get('a')?.message.content).toEqual([{text: 'long'}]);
});

test('messages without a time keep the order in which the pages hold them', () => {
	const timeline = createTimeline();
	const page = (...ids: string[]) => ids.map(id => ({message: {id}}));
	timeline.upsert(page('c', 'd'), 'newer');
	timeline.upsert(page('a', 'b'), 'older');
	timeline.upsert(page('d', 'e'), 'newer');
	timeline.upsert(page('c', 'x', 'd'), 'newer');
	expect(timeline.items().map(item => item.id)).toEqual(['a', 'b', 'c', 'x', 'd', 'e']);
});

test('the newest are kept when the window is cut', () => {
	const timeline = createTimeline();
	timeline.upsert(
		Array.from({length: 10}, (_, index) => ({message: {id: `${index}`, createdAt: index}})),
		'newer',
	);
	expect(timeline.trim(20)).toBe(false);
	expect(timeline.trim(3)).toBe(true);
	expect(timeline.items().map(item => item.id)).toEqual(['7', '8', '9']);
	expect(timeline.get('6')).toBeUndefined();
});
