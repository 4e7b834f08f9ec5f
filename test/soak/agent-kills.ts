import {runKillRounds} from '../support/kill-rounds.ts';
import {Failures, lengthOf, type Part} from './part.ts';

const rounds = lengthOf('SOAK_AGENT_ROUNDS', 500, 8);

/** K1: the screen, the service, agents and hooks killed -9 while requests are open. Run `npm run build` first. */
export const agentKills: Part = {
	name: 'K1',
	title: 'kill -9 of the screen, the service, agents and hooks',
	async run(progress) {
		const wrong = new Failures();
		const {kills, made} = await runKillRounds(
			rounds,
			what => wrong.add(what),
			all => progress(all.rounds, rounds, `${Object.values(all.kills).join(', ')} kills`),
		);
		return [
			...Object.entries(kills).map(([victim, count]) => ({what: `kills: ${victim}`, value: String(count)})),
			{what: 'requests that were allowed, and run', value: String(made)},
			wrong.finding('orphans, answers that nobody gave, and states that are not so'),
		];
	},
};
