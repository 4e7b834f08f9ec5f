import type {CallOptions} from './api/client.ts';
import {RejectedError, ValidationError} from './api/errors.ts';
import {type Service, withCalls} from './api/service.ts';
import type {Config} from './config/config.ts';
import {machineOffer} from './domain/computers/machine-host.ts';
import {authorOffer, changesOffer, idempotencyOffer} from './domain/running-service.ts';
import {agentOffer} from './domain/sessions/agent-request.ts';
import {sessionEnvironment} from './domain/sessions/session.ts';
import {workFolderOffer} from './domain/sessions/work-folder.ts';
import {todayOffer} from './domain/usage/range.ts';

type OfferOptions = Pick<Config, 'agent' | 'worktree'> & {readonly offers: () => Promise<readonly string[]>};

const hints: Readonly<Record<string, string>> = {
	[agentOffer]: 'Only sessions of the embedded service (--local) have agents that can be answered.',
	[workFolderOffer]: 'Only the embedded service (--local) knows the folders that its sessions work in.',
	[machineOffer]: 'Only the embedded service (--local) connects to other machines.',
};

/**
 * Makes calls beside the contract only at a service that announced them, and sends it the configured agent with each
 * new session.
 */
export function withOffers(service: Service, {agent, worktree, offers}: OfferOptions): Service {
	const hasOffer = async (name: string = agentOffer) => (await offers()).includes(name);
	const requireOffer = async (name: string) => {
		if (!(await hasOffer(name)))
			throw new RejectedError("This service can't do that.", {hint: hints[name] ?? ''});
	};
	const offered =
		<Args extends readonly unknown[], Answer>(
			call: (...args: Args) => Promise<Answer>,
			name: string = agentOffer,
		) =>
		async (...args: Args) => {
			await requireOffer(name);
			return call(...args);
		};
	const {agentRequests, analytics, workFolders, runningService} = service;
	const withToday =
		<Query extends object, Answer>(call: (query: Query, options?: CallOptions) => Promise<Answer>) =>
		async (query: Query, options?: CallOptions) =>
			call({...query, ...((await hasOffer(todayOffer)) && {includesToday: true})}, options);
	return withCalls(service, {
		messages: {
			async add(sessionId, {author, ...draft}, options) {
				const isTaken = author !== undefined && (await hasOffer(authorOffer));
				return service.messages.add(sessionId, {...draft, ...(isTaken && {author})}, options);
			},
			isAddIdempotent: () => hasOffer(idempotencyOffer),
		},
		sessions: {
			async create(values, options) {
				if (await hasOffer()) {
					const usual = worktree && (await hasOffer(workFolderOffer)) ? 'if-possible' : undefined;
					return service.sessions.create(
						{
							...values,
							agent: values.agent ?? agent,
							worktree: values.worktree ?? usual,
							// Agents find what they would find here, whichever program started the service.
							environment: sessionEnvironment(process.env),
						},
						options,
					);
				}
				const own = (['agent', 'mode', 'worktree'] as const).find(name => values[name] !== undefined);
				if (own !== undefined)
					throw new ValidationError(own, 'can be chosen only at the embedded service (--local)');
				return service.sessions.create(values, options);
			},
			async update(id, values, options) {
				if (values.mode !== undefined) await requireOffer(agentOffer);
				return service.sessions.update(id, values, options);
			},
		},
		computers: {
			async create(values, options) {
				if (values.host) await requireOffer(machineOffer);
				return service.computers.create(values, options);
			},
			connect: offered(service.computers.connect, machineOffer),
			forget: offered(service.computers.forget, machineOffer),
			folders: offered(service.computers.folders, workFolderOffer),
		},
		agentRequests: {
			list: offered(agentRequests.list),
			agents: offered(agentRequests.agents),
			answer: offered(agentRequests.answer),
			commands: offered(agentRequests.commands),
			interrupt: offered(agentRequests.interrupt),
		},
		runningService: {
			settleCutOff: offered(runningService.settleCutOff),
			changes: offered(runningService.changes, changesOffer),
		},
		analytics: {
			async lastDay(includesToday) {
				return analytics.lastDay(includesToday ?? (await hasOffer(todayOffer)));
			},
			tokens: withToday(analytics.tokens),
			tools: withToday(analytics.tools),
			activity: withToday(analytics.activity),
			productivity: withToday(analytics.productivity),
			users: withToday(analytics.users),
		},
		workFolders: {
			diff: offered(workFolders.diff, workFolderOffer),
			commit: offered(workFolders.commit, workFolderOffer),
			openPullRequest: offered(workFolders.openPullRequest, workFolderOffer),
			removeWorktree: offered(workFolders.removeWorktree, workFolderOffer),
		},
	});
}
