import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';
import {tokenRow} from '../../../src/api/analytics.ts';
import {keepInSteps, readEach} from '../../../src/api/response-schemas.ts';
import {runSliced} from '../../../src/api/run-sliced.ts';
import {parseJson} from '../../../src/domain/parse-json.ts';
import {runToEnd} from '../../support/run-to-end.ts';

describe('work in slices', () => {
	test('lets other work have its turn, and returns the same result', async () => {
		let now = 0;
		const seen: string[] = [];
		setImmediate(() => seen.push('key'));
		function* work(): Generator<void, string> {
			for (let step = 0; step < 8; step++) {
				seen.push(`step ${step}`);
				now++;
				yield;
			}
			return 'done';
		}
		expect(await runSliced(work(), () => now)).toBe('done');
		// By this clock, the first slice is one step.
		expect(seen.indexOf('key')).toBe(1);
		expect(seen).toHaveLength(9);
	});

	test('is done at once if it is short', async () => {
		let isAsked = false;
		setImmediate(() => {
			isAsked = true;
		});
		await runSliced(parseJson(Buffer.from('{"data":[]}')), () => 0);
		expect(isAsked).toBe(false);
	});

	test('a signal ends it at its next turn', async () => {
		const ending = new AbortController();
		let now = 0;
		let steps = 0;
		function* work(): Generator<void, void> {
			for (;;) {
				now++;
				if (++steps === 5) ending.abort(new Error('ended'));
				yield;
			}
		}
		await expect(runSliced(work(), () => now, ending)).rejects.toThrow('ended');
		expect(steps).toBe(7);
	});

	test('passes a failure on', async () => {
		// biome-ignore lint/correctness/useYield: it fails before there is anything to pause at.
		function* failing(): Generator<void, never> {
			throw new Error('no');
		}
		await expect(runSliced(failing(), () => 0)).rejects.toThrow('no');
	});
});

test('a list read in steps equals the list read at once', () => {
	const item = z.object({id: z.string()});
	const one = fc.oneof(fc.record({id: fc.string()}), fc.integer(), fc.constant(null));
	fc.assert(
		fc.property(fc.array(one, {maxLength: 350}), list => {
			expect(runToEnd(keepInSteps(list, item)).result).toEqual(readEach(list, item).items);
		}),
	);
});

test('can pause at any stage of a day with thousands of users, from its bytes to its rows', () => {
	const users = Array.from({length: 20_000}, (_, index) => ({
		user_id: `user-${index}`,
		user_email: index % 7 === 0 ? null : `person${index}@example.org`,
		billable_tokens: index,
		added: 'later',
	}));
	const day = {date: '2026-03-01', billable_tokens: 7, by_user: [...users, 'no user'], added: 'later'};
	const parsed = runToEnd(parseJson(Buffer.from(JSON.stringify(day))));
	expect(parsed.pauses).toBeGreaterThan(8);
	expect(parsed.result).toEqual({value: day});
	const {pauses, result} = runToEnd(tokenRow(day));
	expect(pauses).toBeGreaterThan(100);
	expect(result).toMatchObject({date: '2026-03-01', billable_tokens: 7, added: 'later'});
	expect(result?.by_user).toEqual(
		users.map(({user_email: email, ...user}) => (email === null ? user : {...user, user_email: email})),
	);
	expect(runToEnd(tokenRow({...day, by_user: 'nobody'})).result).not.toHaveProperty('by_user');
	expect(runToEnd(tokenRow('no row')).result).toBeUndefined();
});

test('aborted work releases what it holds', async () => {
	const ending = new AbortController();
	let isReleased = false;
	function* work(): Generator<void> {
		try {
			for (;;) yield;
		} finally {
			isReleased = true;
		}
	}
	const run = runSliced(work(), () => performance.now(), ending);
	ending.abort();
	await expect(run).rejects.toThrow();
	expect(isReleased).toBe(true);
});
