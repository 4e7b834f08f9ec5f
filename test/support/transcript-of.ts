import {openSessionMessages} from '../../src/commands/messages/session-messages.ts';
import type {FollowerBench} from './follower-bench.ts';

/** Session `s` of a bench as a headless command reads it. */
export function transcriptOf({model, database, clock}: FollowerBench, computerId?: string) {
	return openSessionMessages({
		sessionId: 's',
		...(computerId !== undefined && {computerId}),
		service: model.service,
		database,
		clock,
		safeWrite: write => write(),
	});
}
