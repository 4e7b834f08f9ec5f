import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {createTimeline} from '../../../../src/domain/messages/timeline.ts';

/** A history: groups of messages that share a time, in an order that their pages alone tell. */
const history = fc
	.array(fc.record({size: fc.integer({min: 1, max: 4}), gap: fc.integer({min: 1, max: 9})}), {
		minLength: 1,
		maxLength: 12,
	})
	.map(groups => {
		let time = 1_700_000_000_000;
		const messages: Message[] = [];
		const starts: number[] = [];
		for (const group of groups) {
			time += group.gap;
			for (let index = 0; index < group.size; index++) {
				// A group must not be cut by a page: nothing else tells its order.
				if (index === 0) starts.push(messages.length);
				const id = `m${(messages.length * 7919) % 1000}`;
				messages.push({id, createdAt: time, content: [{text: id}]});
			}
		}
		return {messages, starts: [...starts, messages.length]};
	});

const roles = ['user', 'assistant', 'tool'] as const;
const happening = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			type: fc.constant('page' as const),
			from: fc.nat(),
			length: fc.nat(6),
			side: fc.constantFrom('older' as const, 'newer' as const),
			/** Lists one of its messages twice. */
			again: fc.option(fc.nat(), {nil: undefined}),
			role: fc.option(fc.constantFrom(...roles), {nil: undefined}),
		}),
	},
	{weight: 2, arbitrary: fc.record({type: fc.constant('edit' as const), at: fc.nat()})},
	{weight: 1, arbitrary: fc.record({type: fc.constant('move' as const), at: fc.nat()})},
	{
		weight: 1,
		arbitrary: fc.record({type: fc.constant('role' as const), at: fc.nat(), role: fc.constantFrom(...roles)}),
	},
	{weight: 1, arbitrary: fc.record({type: fc.constant('trim' as const), count: fc.nat(12)})},
);

test('reading, repeating, editing, moving, deleting and dropping in any order yields the right stream', () => {
	fc.assert(
		fc.property(history, fc.array(happening, {maxLength: 30}), ({messages, starts}, happenings) => {
			const timeline = createTimeline();
			let group = 0;
			const groups = new Map(
				messages.map((message, index) => {
					if (starts.includes(index)) group++;
					return [message.id, group];
				}),
			);
			let service = messages;
			const reported = new Map<string, (typeof roles)[number]>();
			let revision = 0;
			const replace = (id: string, change: Partial<Message>) => {
				const updatedAt = 1_800_000_000_000 + ++revision;
				service = service.map(message => (message.id === id ? {...message, ...change, updatedAt} : message));
			};
			/** What is not cut by a page stays together. */
			const whole = (from: number, to: number) => {
				const inside = new Set(service.slice(from, to).map(({id}) => groups.get(id)));
				return service.filter(({id}) => inside.has(groups.get(id)));
			};
			const upsert = (page: readonly Message[], side: 'older' | 'newer', role?: (typeof roles)[number]) => {
				if (role) for (const {id} of page) reported.set(id, role);
				timeline.upsert(
					page.map(message => ({message, ...(role && {role})})),
					side,
				);
			};
			for (const one of happenings) {
				const picked = 'at' in one && service.length > 0 ? service[one.at % service.length] : undefined;
				if (one.type === 'page' && service.length > 0) {
					const from = one.from % service.length;
					const page = whole(from, from + one.length + 1);
					const again = one.again === undefined ? undefined : page[one.again % page.length];
					upsert(again ? [...page, again] : page, one.side, one.role);
				} else if (one.type === 'edit' && picked) replace(picked.id, {content: [{text: `edit ${revision}`}]});
				else if (one.type === 'move' && picked) {
					// To the end, where nothing else is.
					replace(picked.id, {createdAt: 1_710_000_000_000 + revision});
					groups.set(picked.id, ++group);
					service = [
						...service.filter(({id}) => id !== picked.id),
						...service.filter(({id}) => id === picked.id),
					];
				} else if (one.type === 'role' && picked && timeline.get(picked.id)) {
					reported.set(picked.id, one.role);
					timeline.setRoles(new Map([[picked.id, one.role]]));
				} else if (one.type === 'trim') {
					timeline.trim(one.count);
					for (const id of reported.keys()) if (!timeline.get(id)) reported.delete(id);
				}
			}
			for (let from = service.length - 1; from >= 0; from--) upsert(whole(from, from + 1), 'older');
			expect(timeline.items().map(({message, role}) => [message, role])).toEqual(
				service.map(message => [message, reported.get(message.id)]),
			);
			const {length} = service;
			expect(new Set(timeline.items().map(({version}) => version)).size).toBe(length);
			expect(messages.filter(({id}) => timeline.get(id))).toHaveLength(length);
		}),
		{numRuns: 200},
	);
});

test('gives a new version only to what changed', () => {
	const timeline = createTimeline();
	const one = {id: 'a', createdAt: 1, content: [{text: 'x'}]};
	const two = {id: 'b', createdAt: 2, content: [{text: 'y'}]};
	timeline.upsert([{message: one}, {message: two}], 'newer');
	const before = timeline.items();
	const again = timeline.upsert([{message: {...one, content: [{text: 'x'}]}}, {message: two}], 'newer');
	expect(again).toEqual({added: [], changed: [], unchanged: ['a', 'b'], moved: []});
	expect(timeline.items()).toBe(before);
	const grown = timeline.upsert([{message: one}, {message: {...two, content: [{text: 'yes'}]}}], 'newer');
	expect(grown).toEqual({added: [], changed: ['b'], unchanged: ['a'], moved: []});
	expect(timeline.items()[0]).toBe(before[0]);
	expect(timeline.items()[1]?.version).toBeGreaterThan(before[1]?.version ?? 0);
});

test('two timelines never give the same version, so that a reopened session gets new rows', () => {
	const versions = ['before', 'after'].map(text => {
		const timeline = createTimeline();
		timeline.upsert([{message: {id: 'a', createdAt: 1, content: [{text}]}}], 'newer');
		return timeline.get('a')?.version;
	});
	expect(versions[0]).not.toBe(versions[1]);
});

test('drops an answer from before the one it has', () => {
	const timeline = createTimeline();
	timeline.upsert([{message: {id: 'a', createdAt: 1, updatedAt: 9, content: [{text: 'long'}]}}], 'newer');
	const old = timeline.upsert(
		[{message: {id: 'a', createdAt: 1, updatedAt: 5, content: [{text: 'lo'}]}}],
		'newer',
	);
	expect(old.changed).toEqual([]);
	expect(timeline.get('a')?.message.content).toEqual([{text: 'long'}]);
});

test('takes an answer of the same moment that says something else', () => {
	const timeline = createTimeline();
	const said = (text: string) => [{message: {id: 'a', createdAt: 1, updatedAt: 9, content: [{text}]}}];
	timeline.upsert(said('lo'), 'newer');
	expect(timeline.upsert(said('long'), 'newer').changed).toEqual(['a']);
	expect(timeline.get('a')?.message.content).toEqual([{text: 'long'}]);
});

test('believes a page that holds known messages of the same time in another order', () => {
	const timeline = createTimeline();
	const page = (...ids: string[]) => ids.map(id => ({message: {id, createdAt: 1}}));
	timeline.upsert(page('a', 'b', 'c'), 'newer');
	timeline.upsert(page('c', 'b'), 'newer');
	expect(timeline.items().map(item => item.id)).toEqual(['a', 'c', 'b']);
	timeline.upsert(page('c', 'b', 'd'), 'newer');
	expect(timeline.items().map(item => item.id)).toEqual(['a', 'c', 'b', 'd']);
});

test('puts a message without a time beside its neighbor in the page, or at the side it came from', () => {
	const timeline = createTimeline();
	const page = (...reported: (readonly [id: string, createdAt?: number])[]) =>
		reported.map(([id, createdAt]) => ({message: {id, ...(createdAt !== undefined && {createdAt})}}));
	timeline.upsert(page(['e', 50], ['i', 90]), 'newer');
	timeline.upsert(page(['f'], ['g', 60], ['h'], ['i', 90]), 'newer');
	timeline.upsert(page(['c'], ['d']), 'older');
	timeline.upsert(page(['j'], ['k']), 'newer');
	expect(
		timeline
			.items()
			.map(item => item.id)
			.join(''),
	).toBe('cdefghijk');
});

test('orders messages of one time by sequence number, if sent', () => {
	const timeline = createTimeline();
	const page = (...sequence: number[]) =>
		sequence.map(seq => ({message: {id: `m${seq}`, createdAt: 1, seq}}));
	timeline.upsert(page(7, 8), 'newer');
	timeline.upsert(page(9, 6), 'older');
	expect(timeline.items().map(item => item.id)).toEqual(['m6', 'm7', 'm8', 'm9']);
});

test('restores places, and reports those that a page changes', () => {
	const timeline = createTimeline();
	const page = (...ids: string[]) => ids.map(id => ({message: {id, createdAt: 1}}));
	timeline.restore(page('b', 'a').map((one, index) => ({...one, at: 1, rank: index})));
	expect(timeline.upsert(page('b', 'a'), 'newer').moved).toEqual([]);
	expect(timeline.upsert(page('b', 'x', 'a'), 'newer')).toMatchObject({added: ['x'], moved: ['x', 'a']});
	expect(timeline.placeOf('a')).toEqual({at: 1, rank: 2});
	timeline.upsert(page('c'), 'older');
	expect(timeline.items().map(item => item.id)).toEqual(['c', 'b', 'x', 'a']);
});

test("a known role isn't a change", () => {
	const timeline = createTimeline();
	timeline.upsert([{message: {id: 'a'}, role: 'user'}], 'newer');
	const [before] = timeline.items();
	expect(
		timeline.setRoles(
			new Map([
				['a', 'user'],
				['b', 'tool'],
			]),
		),
	).toEqual([]);
	expect(timeline.items()[0]).toBe(before);
	expect(timeline.setRoles(new Map([['a', 'tool']]))).toEqual(['a']);
});

test('messages without a time keep the order of their pages', () => {
	const timeline = createTimeline();
	const page = (...ids: string[]) => ids.map(id => ({message: {id}}));
	timeline.upsert(page('c', 'd'), 'newer');
	timeline.upsert(page('a', 'b'), 'older');
	timeline.upsert(page('d', 'e'), 'newer');
	timeline.upsert(page('c', 'x', 'd'), 'newer');
	expect(timeline.items().map(item => item.id)).toEqual(['a', 'b', 'c', 'x', 'd', 'e']);
});

test('keeps the newest when the window is trimmed', () => {
	const timeline = createTimeline();
	timeline.upsert(
		Array.from({length: 10}, (_, index) => ({message: {id: `${index}`, createdAt: index}})),
		'newer',
	);
	expect(timeline.trim(20)).toBe(false);
	expect(timeline.trim(10)).toBe(false);
	expect(timeline.trim(3)).toBe(true);
	expect(timeline.items().map(item => item.id)).toEqual(['7', '8', '9']);
	expect(timeline.get('6')).toBeUndefined();
});
