import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createAbsences} from '../../../src/domain/absence.ts';

test('a message that two reads in a row lack, between neighbours that are there, is gone', () => {
	const absences = createAbsences();
	expect(absences.observe(['a', 'b', 'c', 'd'], true, 0)).toEqual([]);
	expect(absences.observe(['a', 'd'], true, 1)).toEqual([]);
	expect(absences.observe(['a', 'd', 'e'], true, 2)).toEqual(['b', 'c']);
	expect(absences.observe(['a', 'd', 'e'], true, 3)).toEqual([]);
});

test('a message that comes back was never gone', () => {
	const absences = createAbsences();
	absences.observe(['a', 'b', 'c'], true, 0);
	absences.observe(['a', 'c'], true, 1);
	absences.observe(['a', 'b', 'c'], true, 2);
	expect(absences.observe(['a', 'c'], true, 3)).toEqual([]);
});

test('at the newest end a listing may lag for a minute', () => {
	const absences = createAbsences();
	absences.observe(['a', 'b'], true, 0);
	expect(absences.observe(['a'], true, 1_000)).toEqual([]);
	expect(absences.observe(['a'], true, 30_000)).toEqual([]);
	expect(absences.observe(['a'], true, 61_000)).toEqual(['b']);
});

test('a window that begins later or ends earlier tells nothing of what is outside', () => {
	const absences = createAbsences();
	absences.observe(['a', 'b', 'c', 'd'], true, 0);
	for (let read = 1; read < 5; read++) {
		expect(absences.observe(['b', 'c'], false, read * 100_000)).toEqual([]);
		expect(absences.observe(['c', 'd'], true, read * 100_000)).toEqual([]);
		expect(absences.observe([], true, read * 100_000)).toEqual([]);
	}
});

test('a list that only grows never loses a message, whatever window is read', () => {
	fc.assert(
		fc.property(
			fc.array(fc.record({grow: fc.nat(3), from: fc.nat(), size: fc.integer({min: 1, max: 6})}), {
				maxLength: 30,
			}),
			reads => {
				const absences = createAbsences();
				const all = ['0'];
				for (const [time, {grow, from, size}] of reads.entries()) {
					for (let index = 0; index < grow; index++) all.push(`${all.length}`);
					const start = from % all.length;
					const page = all.slice(start, start + size);
					const isEnd = start + size >= all.length;
					expect(absences.observe(page, isEnd, time * 100_000)).toEqual([]);
				}
			},
		),
	);
});
