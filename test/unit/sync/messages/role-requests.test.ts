import {expect, test} from 'vitest';
import {followerBench} from '../../../support/follower-bench.ts';
import {transcriptOf} from '../../../support/transcript-of.ts';

test.each([
	['user', 'tool'],
	['tool', 'user'],
] as const)("oldest first: a long role=%s doesn't make it reread role=%s", async (long, short) => {
	const bench = followerBench({pages: 'head'});
	try {
		const {model} = bench;
		model.add('s', 6_000, long);
		model.add('s', 150, short);
		model.add('s', 50, 'assistant');
		const transcript = transcriptOf(bench);
		const {items} = await transcript.newest(6_200, new AbortController().signal);
		expect(items.filter(({id, role}) => role !== model.roleOf('s', id))).toEqual([]);
		const requests = (role: string) => model.requests.filter(({query}) => query?.role === role).length;
		// The short one is read to its end, and from there once more when the other one is at its end, too.
		expect([requests(long), requests(short)]).toEqual([60, 3]);
	} finally {
		await bench.end();
	}
});

test.each([
	['tail', 'tool', 3_000, 65],
	['tail', 'user', 3_000, 65],
	['head', 'tool', 3_000, 70],
	['head', 'assistant', 12_000, 380],
] as const)(
	'%s first: %s messages, %i of them within a minute, take at most %i requests',
	async (pages, role, count, max) => {
		const bench = followerBench({pages, isLive: true});
		try {
			const {model} = bench;
			model.add('s', count, role);
			const transcript = transcriptOf(bench);
			model.intercept = () => {
				if (model.requests.length > 2 * max) throw new Error('too many requests');
			};
			const {items} = await transcript.newest(count, new AbortController().signal);
			expect(items.filter(item => item.role !== undefined && item.role !== role)).toEqual([]);
			expect(items.filter(item => item.role === undefined).length).toBeLessThanOrEqual(2_000);
			expect(model.requests.length).toBeLessThanOrEqual(max);
		} finally {
			await bench.end();
		}
	},
);

test.each(['tail', 'head'] as const)(
	'%s first: an undated newest message costs no more than a dated one',
	async pages => {
		const bench = followerBench({pages});
		try {
			const {model} = bench;
			model.add('s', 12_000, 'assistant');
			const newest = model.ids('s').at(-1);
			model.shape = page => ({
				...page,
				items: page.items.map(({createdAt, ...one}) => (one.id === newest ? one : {...one, createdAt})),
			});
			model.intercept = () => {
				if (model.requests.length > 600) throw new Error('too many requests');
			};
			const transcript = transcriptOf(bench);
			const {items} = await transcript.newest(12_000, new AbortController().signal);
			expect(items.filter(item => item.role !== 'assistant')).toEqual([]);
			expect(model.requests.length).toBeLessThanOrEqual(pages === 'tail' ? 130 : 255);
		} finally {
			await bench.end();
		}
	},
);

test('oldest first: a screen asks no more for messages of the last minute', async () => {
	const bench = followerBench({pages: 'head', isLive: true, latency: 20});
	try {
		const {model, clock} = bench;
		model.add('s', 4_500, 'assistant');
		await clock.advance(3_600_000);
		model.add('s', 100, 'assistant');
		model.add('s', 200, 'user');
		bench.open('s').setFocused(true);
		await clock.advance(20_000);
		expect(model.requests.filter(({query}) => query?.role).length).toBeLessThanOrEqual(60);
	} finally {
		await bench.end();
	}
});

test.each(['tail', 'head'] as const)(
	'%s first: a command reads the roles that the screen could not know',
	async pages => {
		const bench = followerBench({pages});
		try {
			const {model} = bench;
			for (let turn = 0; turn < 15; turn++)
				for (const [role, count] of [
					['user', 1],
					['tool', 3],
					['assistant', 6],
				] as const)
					model.add('s', count, role);
			const young = new Set(model.ids('s').slice(-30));
			const isListed = ({id}: {id: string}) => !young.has(id);
			model.shape = (page, {role}) => (role ? {...page, items: page.items.filter(isListed)} : page);
			bench.open('s').setFocused(true);
			for (let turn = 0; turn < 10; turn++) await bench.arrive();
			await bench.stop();
			const rolesRead = async () => {
				const transcript = transcriptOf(bench);
				const {items} = await transcript.newest(150, new AbortController().signal);
				return items.map(({id, role}) => [id, role]);
			};
			const all = model.ids('s').map(id => [id, model.roleOf('s', id)] as const);
			expect(await rolesRead()).toEqual(all.map(([id, role]) => [id, young.has(id) ? undefined : role]));
			young.clear();
			expect(await rolesRead()).toEqual(all);
			model.clear();
			expect(await rolesRead()).toEqual(all);
			expect(model.requests.filter(({query}) => query?.role)).toEqual([]);
		} finally {
			await bench.end();
		}
	},
);
