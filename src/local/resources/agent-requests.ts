import {z} from 'zod';
import {type AgentRequest, agentRoot} from '../../domain/sessions/agent-request.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import {findAgents} from '../agents/installed.ts';
import type {LocalContext} from '../context.ts';
import {parseBody, parseQuery} from '../http/fields.ts';
import {badField, get, notFound, post, type Route} from '../http/router.ts';
import {findSession} from './sessions.ts';

/**
 * With `outside`, for a Quarterdeck elsewhere: all of this machine alone, also the requests of hooks. Programs here have
 * those from the hooks themselves, and two machines that reach each other mustn't ask without end.
 */
const listQuery = z.strictObject({sessionId: z.string().optional(), outside: z.stringbool().optional()});
/** `path`: the PATH of the program that asks, which is that of the sessions it creates. */
const agentsQuery = z.strictObject({path: z.string().optional()});
const answer = z.string().max(16 * 1024);
const answerBody = z.strictObject({
	option: z.string(),
	words: answer.optional(),
	answers: z.array(answer).optional(),
});

/**
 * Serves an offer beyond the contract: open requests of agents, their answers, the commands that they take, and the
 * interruption of a turn.
 */
export function agentRequestRoutes(context: LocalContext): Route[] {
	const {conversations, turns, machines, hookEvents, storage} = context;
	return [
		get(`${agentRoot}/agents`, ({query}) => {
			const {path = process.env.PATH} = parseQuery(agentsQuery, query);
			const found = findAgents({PATH: path});
			return {agents: found.map(({name, path}) => ({name, isInstalled: path !== undefined}))};
		}),
		get(`${agentRoot}/requests`, async ({query}) => {
			const {sessionId, outside} = parseQuery(listQuery, query);
			const own = conversations.requests().sort((a, b) => a.createdAt - b.createdAt);
			if (outside) return {requests: [...own, ...hookEvents.requests()]};
			if (sessionId === undefined) return {requests: [...own, ...(await machines.requests())]};
			const computer = machines.ownerOf(sessionId);
			if (computer) return {requests: await machines.requests(computer, sessionId)};
			if (storage.sessions.get(sessionId))
				return {requests: own.filter(request => request.sessionId === sessionId)};
			const requests = (await machines.requests()).filter(request => request.sessionId === sessionId);
			if (requests.length === 0) findSession(context, sessionId);
			return {requests};
		}),
		post(`${agentRoot}/sessions/:sessionId/requests/:requestId`, 200, async ({params, body}) => {
			const {option, words, answers} = parseBody(answerBody, body);
			const {sessionId = '', requestId = ''} = params;
			const isMeant = ({id, sessionId: owner}: HookRequest | AgentRequest) =>
				id === requestId && owner === sessionId;
			const asked = conversations.requests().find(isMeant);
			const fromHook = asked ? undefined : hookEvents.requests().find(isMeant);
			const request = asked ?? fromHook;
			if (!request) {
				const there = storage.sessions.get(sessionId)
					? undefined
					: await machines.answerOutside(sessionId, requestId, body);
				if (!there) throw notFound('open request', requestId);
				return there;
			}
			const offered = request.options.map(({word}) => word);
			if (!offered.includes(option)) throw badField('option', `must be one of ${offered.join(', ')}`);
			const {questions = []} = request;
			if (answers && answers.length !== questions.length)
				throw badField('answers', 'must be as many as the questions');
			for (const [index, {choices, takesOnlyChoices}] of (option === 'once' ? questions : []).entries()) {
				const given = answers?.[index] ?? words;
				if (!given) throw badField(answers ? 'answers' : 'words', 'must answer the question');
				const labels = choices.map(({label}) => label);
				if (takesOnlyChoices && !labels.includes(given))
					throw badField('words', `must be one of ${labels.join(', ')}`);
			}
			const values = {option, words: words || undefined, answers};
			if (fromHook) {
				if (!(await hookEvents.answer(requestId, values))) throw notFound('open request', requestId);
			} else if (!conversations.answer(sessionId, requestId, values))
				throw notFound('open request', requestId);
			return {...request, answer: option};
		}),
		get(`${agentRoot}/sessions/:sessionId/commands`, ({params}) => ({
			commands: storage.sessions.commands(findSession(context, params.sessionId).id),
		})),
		post(`${agentRoot}/sessions/:sessionId/interrupt`, 200, ({params}) => {
			const {id} = findSession(context, params.sessionId);
			return {interrupted: turns.interrupt(id)};
		}),
	];
}
