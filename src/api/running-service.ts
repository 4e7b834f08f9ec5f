import {z} from 'zod';
import {changesOffer, type RunningService, type ServiceChanges} from '../domain/running-service.ts';
import {agentOffer, agentRoot} from '../domain/sessions/agent-request.ts';
import type {CallOptions, Client} from './client.ts';
import {id, lenientInstant, lenientObject, lenientText, readOne} from './response-schemas.ts';

const running = lenientObject({
	pid: z.int().positive(),
	version: z.string(),
	startedAt: z.number(),
	offers: z.array(z.string()),
	computerIds: z.array(z.string()),
	agentsAtWork: z.number(),
	isAtWork: z.boolean(),
	endsWhenIdle: z.boolean(),
	// Absent at an older service.
	cutOffIds: z.array(z.string()).default([]),
});
const settled = lenientObject({sessionIds: z.array(z.string())});
const changedSession = lenientObject({
	sessionId: id,
	computerId: lenientText,
	title: lenientText,
	status: lenientText,
	createdAt: lenientInstant,
	updatedAt: lenientInstant,
});
const changes = lenientObject({
	cursor: z.int().nonnegative(),
	sessions: z.array(changedSession),
	addedIds: z.array(id),
	computerIds: z.array(id),
});

/** How long the service waits for a change before it says that there is none, s, and all of that may take, ms. */
const changeWait = 600;
const changeTime = 660_000;

/** The process of the embedded service. Not in the contract. */
export function createRunningService(client: Client) {
	return {
		status: async (options?: CallOptions): Promise<RunningService> =>
			client.call({
				resource: 'runningService.status',
				method: 'GET',
				path: `${agentRoot}/service`,
				decode: response => readOne(response, running, 'service') as RunningService,
				...options,
			}),
		/** `now` ends the agents at work, too; `idle` waits for them. */
		stop: async (when: 'now' | 'idle', options?: CallOptions): Promise<void> =>
			client.call({
				resource: 'runningService.stop',
				method: 'POST',
				path: `${agentRoot}/service/stop`,
				body: {when},
				decode: () => undefined,
				isOnce: true,
				...options,
			}),
		/** Continues all sessions that the end of a service cut off, or leaves them so for good. Returns their ids. */
		settleCutOff: async (continues: boolean, options?: CallOptions): Promise<readonly string[]> =>
			client.call({
				resource: 'runningService.settleCutOff',
				offer: agentOffer,
				method: 'POST',
				path: `${agentRoot}/service/cut-off`,
				body: {continues},
				decode: response => readOne(response, settled, 'result').sessionIds ?? [],
				isOnce: true,
				...options,
			}),
		/** Resolves at the first change after the cursor, or without one after 10 minutes. */
		changes: async (after: number, options?: CallOptions): Promise<ServiceChanges> =>
			client.call({
				resource: 'runningService.changes',
				offer: changesOffer,
				method: 'GET',
				path: `${agentRoot}/changes`,
				query: {after: String(after), wait: String(changeWait)},
				timeout: changeTime,
				decode: response => readOne(response, changes, 'list of changes') as ServiceChanges,
				...options,
			}),
	};
}
