import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createMissingMessages} from '../../../../src/domain/messages/missing-messages.ts';

const newestEnd = {isOldest: false, isNewest: true};
const inside = {isOldest: false, isNewest: false};

test('a message is gone if two reads in a row lack it between neighbors that are there', () => {
	const missingMessages = createMissingMessages();
	expect(missingMessages.removeMissing(['a', 'b', 'c', 'd'], newestEnd, 0)).toEqual([]);
	expect(missingMessages.removeMissing(['a', 'd'], newestEnd, 1)).toEqual([]);
	expect(missingMessages.removeMissing(['a', 'd', 'e'], newestEnd, 2)).toEqual(['b', 'c']);
	expect(missingMessages.removeMissing(['a', 'd', 'e'], newestEnd, 3)).toEqual([]);
});

test('a message that comes back was never gone', () => {
	const missingMessages = createMissingMessages();
	missingMessages.removeMissing(['a', 'b', 'c'], newestEnd, 0);
	missingMessages.removeMissing(['a', 'c'], newestEnd, 1);
	missingMessages.removeMissing(['a', 'b', 'c'], newestEnd, 2);
	expect(missingMessages.removeMissing(['a', 'c'], newestEnd, 3)).toEqual([]);
});

test('a listing may lag for a minute at its newest end', () => {
	const missingMessages = createMissingMessages();
	missingMessages.removeMissing(['a', 'b'], newestEnd, 0);
	expect(missingMessages.removeMissing(['a'], newestEnd, 1_000)).toEqual([]);
	expect(missingMessages.removeMissing(['a'], newestEnd, 30_000)).toEqual([]);
	expect(missingMessages.removeMissing(['a'], newestEnd, 61_000)).toEqual(['b']);
});

test('the very first message is gone if the listing begins after it, even if an earlier run saw it', () => {
	const missingMessages = createMissingMessages();
	const whole = {isOldest: true, isNewest: true};
	missingMessages.expect(['a', 'b', 'c'], true);
	expect(missingMessages.removeMissing(['b', 'c'], whole, 0)).toEqual([]);
	expect(missingMessages.removeMissing(['b', 'c'], newestEnd, 1)).toEqual([]);
	expect(missingMessages.removeMissing(['b', 'c'], whole, 2)).toEqual(['a']);
});

test('a window that begins later or ends earlier says nothing about messages outside it', () => {
	const missingMessages = createMissingMessages();
	missingMessages.removeMissing(['a', 'b', 'c', 'd'], newestEnd, 0);
	for (let read = 1; read < 5; read++) {
		expect(missingMessages.removeMissing(['b', 'c'], inside, read * 100_000)).toEqual([]);
		expect(missingMessages.removeMissing(['c', 'd'], newestEnd, read * 100_000)).toEqual([]);
		expect(missingMessages.removeMissing([], newestEnd, read * 100_000)).toEqual([]);
	}
});

test('a list that only grows never loses a message, whatever window is read', () => {
	fc.assert(
		fc.property(
			fc.array(fc.record({grow: fc.nat(3), from: fc.nat(), size: fc.integer({min: 1, max: 6})}), {
				maxLength: 30,
			}),
			reads => {
				const missingMessages = createMissingMessages();
				const all = ['0'];
				for (const [time, {grow, from, size}] of reads.entries()) {
					for (let index = 0; index < grow; index++) all.push(`${all.length}`);
					const start = from % all.length;
					const page = all.slice(start, start + size);
					const isEnd = start + size >= all.length;
					expect(
						missingMessages.removeMissing(page, {isOldest: start === 0, isNewest: isEnd}, time * 100_000),
					).toEqual([]);
				}
			},
		),
	);
});
