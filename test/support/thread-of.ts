import {openThread} from '../../src/commands/messages/open-thread.ts';
import type {FollowerBench} from './follower-bench.ts';

/** Session `s` of a bench as a headless command reads it. */
export function threadOf({model, database, clock}: FollowerBench, computerId?: string) {
	return openThread({
		sessionId: 's',
		...(computerId !== undefined && {computerId}),
		service: model.service,
		database,
		clock,
		safeWrite: write => write(),
	});
}
