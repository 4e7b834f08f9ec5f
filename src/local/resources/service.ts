import {z} from 'zod';
import {machineOffer} from '../../domain/computers/machine-host.ts';
import {
	authorOffer,
	changesOffer,
	idempotencyOffer,
	type RunningService,
} from '../../domain/running-service.ts';
import {agentOffer, agentRoot} from '../../domain/sessions/agent-request.ts';
import {workFolderOffer} from '../../domain/sessions/work-folder.ts';
import {todayOffer} from '../../domain/usage/range.ts';
import type {LocalContext} from '../context.ts';
import {parseBody} from '../http/fields.ts';
import {get, post, type Route} from '../http/router.ts';

const settleBody = z.strictObject({continues: z.boolean()});
const stopBody = z.strictObject({when: z.enum(['now', 'idle'])});

/** What the service offers beyond the contract. */
const offers: readonly string[] = [
	agentOffer,
	workFolderOffer,
	idempotencyOffer,
	machineOffer,
	changesOffer,
	authorOffer,
	todayOffer,
];

export function serviceStatus({storage, turns, lifetime}: LocalContext): RunningService {
	return {
		pid: process.pid,
		version: __VERSION__,
		startedAt: Math.round(performance.timeOrigin),
		offers,
		computerIds: storage.computers.all().map(({id}) => id),
		agentsAtWork: turns.atWork,
		isAtWork: lifetime.isAtWork(),
		endsWhenIdle: lifetime.endsWhenIdle,
		cutOffIds: storage.sessions.cutOff(),
	};
}

/**
 * Serves what the service says about its process, the request to end it, and what becomes of
 * sessions that the end of the one before cut off.
 */
export function serviceRoutes(context: LocalContext): Route[] {
	const {turns, lifetime} = context;
	const status = () => serviceStatus(context);
	return [
		get(`${agentRoot}/service`, status),
		post(`${agentRoot}/service/stop`, 202, ({body}) => {
			lifetime.stop(parseBody(stopBody, body).when);
			return status();
		}),
		post(`${agentRoot}/service/cut-off`, 200, ({body}) => ({
			sessionIds: turns.settleCutOff(parseBody(settleBody, body).continues),
		})),
	];
}
