import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {FoundMessages} from '../../../../src/db/database.ts';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {keptMessages} from '../../../support/kept-messages.ts';

let kept: ReturnType<typeof keptMessages>;
beforeEach(() => {
	kept = keptMessages();
});
afterEach(() => kept.close());

const put = (...messages: readonly Message[]) =>
	kept.messages.put(
		's',
		messages.map(message => ({message})),
	);
const text = (id: string, words: string, createdAt = 1): Message => ({
	id,
	createdAt,
	content: [{text: words}],
});

function lookThrough(found: FoundMessages): void {
	for (const _ of found.steps);
}

/** The ids that are found, newest first, without moving the cursor of the find. */
function idsIn({count}: FoundMessages, words: string): readonly (string | undefined)[] {
	const other = kept.messages.find('s', words);
	lookThrough(other);
	expect(other.count).toBe(count);
	return Array.from({length: count}, (_, number) => other.moveTo(number));
}

describe('a find that stays open', () => {
	test('adds later messages at any place, and drops those that no longer match', () => {
		put(text('b', 'needle', 20), text('d', 'hay', 40));
		let calls = 0;
		const found = kept.messages.find('s', 'need', {onWritten: () => calls++});
		lookThrough(found);
		expect([found.count, calls]).toEqual([1, 0]);
		put(text('e', 'needles', 50), text('a', 'a needle', 10), text('c', 'straw', 30));
		expect([found.count, calls]).toEqual([1, 1]);
		found.update();
		expect([0, 1, 2, 3].map(found.moveTo)).toEqual(['e', 'b', 'a', undefined]);
		put(text('b', 'nothing', 20), text('d', 'the needle', 40));
		found.update();
		expect([0, 1, 2, 3].map(found.moveTo)).toEqual(['e', 'd', 'a', undefined]);
		kept.messages.put('other', [{message: text('x', 'needle')}]);
		expect(calls).toBe(2);
		found.close();
		put(text('f', 'needle', 60));
		expect(calls).toBe(2);
	});

	test('keeps its cursor at the message, whatever comes before and after it', () => {
		put(text('b', 'needle', 20), text('c', 'needle', 30));
		const found = kept.messages.find('s', 'needle', {from: 'b'});
		lookThrough(found);
		expect([found.newer, found.isAtCursor]).toEqual([1, true]);
		put(text('a', 'needle', 10), text('d', 'needle', 40), text('e', 'needle', 50));
		found.update();
		expect([found.newer, found.isAtCursor, found.count]).toEqual([3, true, 5]);
		put(text('b', 'a needle that has moved', 45));
		found.update();
		expect([found.newer, found.isAtCursor]).toEqual([1, true]);
		put(text('b', 'no longer', 45));
		found.update();
		expect([found.newer, found.isAtCursor, found.count]).toEqual([1, false, 4]);
	});

	test('counts a message once when it is read again after another program moved it', () => {
		const all = Array.from({length: 8}, (_, index) => text(`m${index}`, 'needle'));
		put(...all);
		const found = kept.messages.find('s', 'needle');
		lookThrough(found);
		kept.elsewhere.put(
			's',
			all.map((message, index) => ({message, place: {at: 1, rank: -index}})),
		);
		for (const one of all) {
			put(one);
			found.update();
		}
		expect(Array.from({length: found.count}, (_, number) => found.moveTo(number))).toEqual(
			all.map(({id}) => id),
		);
	});

	test('lists a message once if another program moves it while all sessions are searched', () => {
		const all = Array.from({length: 5000}, (_, index) => text(`m${index}`, 'needle', index + 10));
		put(...all);
		const searched = kept.messages.search('needle', 6000);
		const steps = searched.steps[Symbol.iterator]();
		while (searched.listed === 0) steps.next();
		kept.elsewhere.put('s', [{message: text('m4999', 'needle', 1)}]);
		while (!steps.next().done);
		expect(searched.listed).toBe(5000);
	});

	test('finds a message that is written later among many others', () => {
		const all = Array.from({length: 5000}, (_, index) => text(`m${index}`, 'needle', index));
		put(...all);
		const found = kept.messages.find('s', 'needle');
		lookThrough(found);
		put(text('late', 'needle', 2500));
		found.update();
		expect(found.count).toBe(5001);
		expect(found.moveTo(2499)).toBe('late');
	});
});

const words = ['needle', 'needles', 'hay', 'Nëedle', '针线 needle', '找针', 'a needle here', ''];
const id = fc.integer({min: 0, max: 8}).map(number => `m${number}`);
const message = fc.record({
	id,
	text: fc.constantFrom(...words),
	createdAt: fc.integer({min: 1, max: 4}),
	parentId: fc.option(id, {nil: undefined}),
	sequence: fc.option(fc.nat(3), {nil: undefined, freq: 1}),
});
const action = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({name: fc.constant('put' as const), page: fc.array(message, {maxLength: 4})}),
	},
	{weight: 2, arbitrary: fc.record({name: fc.constant('step' as const)})},
	{weight: 2, arbitrary: fc.record({name: fc.constant('update' as const)})},
	{weight: 1, arbitrary: fc.record({name: fc.constant('move' as const), number: fc.nat(5)})},
);

test.each(['need', 'needle', '针', '找针', 'a needle'])(
	'%s: finds what a fresh search finds, whatever is written before, during and after it',
	asked => {
		fc.assert(
			fc.property(fc.array(action, {maxLength: 24}), actions => {
				kept.close();
				kept = keptMessages();
				put(...['m3', 'm7'].map(one => text(one, 'needle 找针', 3)));
				const found = kept.messages.find('s', asked, {from: 'm3'});
				const steps = found.steps[Symbol.iterator]();
				let cursor: string | undefined = 'm3';
				let isOver = false;
				for (const one of actions) {
					if (one.name === 'put')
						put(
							...one.page.map(({text: said, parentId, sequence, ...rest}) => ({
								...rest,
								...(parentId !== undefined && {parentId}),
								...(sequence !== undefined && {seq: sequence}),
								content: [{text: said}],
							})),
						);
					else if (one.name === 'step') isOver = steps.next().done === true || isOver;
					else if (one.name === 'update') found.update();
					else if (isOver) {
						found.update();
						cursor = found.moveTo(one.number) ?? cursor;
					}
				}
				while (!steps.next().done);
				found.update();
				const {count, newer, isAtCursor} = found;
				const afresh = idsIn(found, asked);
				const at = afresh.indexOf(cursor);
				if (at >= 0) expect([newer, isAtCursor]).toEqual([at, true]);
				else expect(isAtCursor).toBe(false);
				expect(Array.from({length: count}, (_, number) => found.moveTo(number))).toEqual(afresh);
				found.close();
			}),
			{numRuns: 30},
		);
	},
);

test('finds what is in the middle of a long message, deep in a call, or its name', () => {
	const filler = 'hay '.repeat(40_000);
	const edits = [{new_string: 'a stitch', line: 4711}];
	const call = {type: 'tool_use', name: 'MultiEdit', input: {edits}};
	put(text('long', `${filler} needle ${filler}`), {id: 'call', createdAt: 2, content: [call]});
	const idsOf = (words: string) => {
		const found = kept.messages.find('s', words);
		lookThrough(found);
		return idsIn(found, words);
	};
	expect(['needle', 'hay', 'stitch', '4711', 'multiedit', 'straw'].map(idsOf)).toEqual([
		['long'],
		['long'],
		['call'],
		['call'],
		['call'],
		[],
	]);
	const found = kept.messages.find('s', 'thimble');
	lookThrough(found);
	put(text('long', `${filler} thimble ${filler}`));
	found.update();
	expect(found.count).toBe(1);
});
