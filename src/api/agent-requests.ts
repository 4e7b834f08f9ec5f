import {z} from 'zod';
import {
	type AgentRequest,
	agentOffer,
	agentRoot,
	type SlashCommand,
} from '../domain/sessions/agent-request.ts';
import type {CallOptions, Client} from './client.ts';
import {anyText, pathId, validate} from './request-schemas.ts';
import {
	id,
	lenientBoolean,
	lenientInstant,
	lenientList,
	lenientObject,
	lenientText,
	listIn,
	readEach,
	readOne,
} from './response-schemas.ts';

/** An option that isn't known to deny counts as one that allows. */
const option = z.looseObject({
	word: z.string(),
	label: z.string().catch(''),
	allows: z.boolean().catch(true),
	changes: z.array(z.string()).optional(),
});
const question = z.looseObject({
	text: z.string(),
	choices: z.array(z.looseObject({label: z.string(), description: lenientText})),
	takesSeveral: lenientBoolean,
	takesOnlyChoices: lenientBoolean,
});
const request = lenientObject({
	id,
	sessionId: id,
	kind: lenientText,
	tool: lenientText,
	text: lenientText,
	isPlan: lenientBoolean,
	warnings: lenientList(z.string()),
	options: lenientList(option),
	questions: lenientList(question),
	computer: lenientText,
	answer: lenientText,
	createdAt: lenientInstant,
});
const agent = lenientObject({name: z.string(), isInstalled: lenientBoolean});
const command = lenientObject({name: z.string(), description: lenientText, hint: lenientText});
const interrupted = lenientObject({interrupted: lenientBoolean});
const answerBody = z.strictObject({
	option: anyText,
	words: anyText.optional(),
	answers: z.array(anyText).readonly().optional(),
});

const sessionPath = (sessionId: string) => `${agentRoot}/sessions/${pathId(sessionId, 'sessionId')}`;

/** Requests of agents. Not in the contract: only the embedded service offers them. */
export function createAgentRequests(client: Client) {
	return {
		list: async (sessionId?: string, options?: CallOptions): Promise<readonly AgentRequest[]> =>
			client.call({
				resource: 'agentRequests.list',
				offer: agentOffer,
				method: 'GET',
				path: `${agentRoot}/requests`,
				query: {sessionId},
				decode: response => readEach(listIn(response, 'requests'), request).items,
				...options,
			}),
		/** Names of the installed agents that a session created by this program can run. */
		agents: async (options?: CallOptions): Promise<readonly string[]> =>
			client.call({
				resource: 'agentRequests.agents',
				offer: agentOffer,
				method: 'GET',
				path: `${agentRoot}/agents`,
				query: {path: process.env.PATH},
				decode: response =>
					readEach(listIn(response, 'agents'), agent).items.flatMap(({name, isInstalled}) =>
						isInstalled ? [name] : [],
					),
				...options,
			}),
		/** Never repeated: the request may be another's by then. */
		answer: async (
			sessionId: string,
			requestId: string,
			values: z.input<typeof answerBody>,
			options?: CallOptions,
		): Promise<AgentRequest> =>
			client.call({
				resource: 'agentRequests.answer',
				offer: agentOffer,
				method: 'POST',
				path: `${sessionPath(sessionId)}/requests/${pathId(requestId, 'requestId')}`,
				body: validate(answerBody, values, 'answer'),
				decode: response => readOne(response, request, 'request'),
				isOnce: true,
				...options,
			}),
		/** The commands that a session's agent takes; none before its first turn. */
		commands: async (sessionId: string, options?: CallOptions): Promise<readonly SlashCommand[]> =>
			client.call({
				resource: 'agentRequests.commands',
				offer: agentOffer,
				method: 'GET',
				path: `${sessionPath(sessionId)}/commands`,
				decode: response => readEach(listIn(response, 'commands'), command).items,
				...options,
			}),
		/** Ends the running turn; false if there was none. */
		interrupt: async (sessionId: string, options?: CallOptions): Promise<boolean> =>
			client.call({
				resource: 'agentRequests.interrupt',
				offer: agentOffer,
				method: 'POST',
				path: `${sessionPath(sessionId)}/interrupt`,
				decode: response => readOne(response, interrupted, 'result').interrupted === true,
				...options,
			}),
	};
}
