import {expect, test} from 'vitest';
import {followerBench} from '../../../support/follower-bench.ts';
import {transcriptOf} from '../../../support/transcript-of.ts';

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
