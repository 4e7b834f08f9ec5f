import {z} from 'zod';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import {findAgents} from '../agents/installed.ts';
import type {LocalContext} from '../context.ts';
import {parseBody, parseQuery} from '../http/fields.ts';
import {badField, notFound} from '../http/refusal.ts';
import {get, post, type Route} from '../http/router.ts';
import {findSession} from './sessions.ts';

const listQuery = z.strictObject({sessionId: z.string().optional()});
const answer = z.string().max(16 * 1024);
const answerBody = z.strictObject({
	option: z.string(),
	words: answer.optional(),
	answers: z.array(answer).optional(),
});

/**
 * Serves an offer beyond the contract: open requests of agents, their answers, and the interruption of a turn.
 */
export function agentRequestRoutes(context: LocalContext): Route[] {
	const {conversations, turns, machines} = context;
	return [
		get(`${agentRoot}/agents`, () => ({
			agents: findAgents(process.env).map(({name, path}) => ({name, isInstalled: path !== undefined})),
		})),
		get(`${agentRoot}/requests`, async ({query}) => {
			const {sessionId} = parseQuery(listQuery, query);
			const own = conversations.requests().sort((a, b) => a.createdAt - b.createdAt);
			if (sessionId === undefined) return {requests: [...own, ...(await machines.requests())]};
			const computer = machines.ownerOf(sessionId);
			if (computer) return {requests: await machines.requests(computer, sessionId)};
			findSession(context, sessionId);
			return {requests: own.filter(request => request.sessionId === sessionId)};
		}),
		post(`${agentRoot}/sessions/:sessionId/requests/:requestId`, 200, ({params, body}) => {
			const {option, words, answers} = parseBody(answerBody, body);
			const {sessionId = '', requestId = ''} = params;
			const request = conversations
				.requests()
				.find(({id, sessionId: owner}) => id === requestId && owner === sessionId);
			if (!request) throw notFound('open request', requestId);
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
			const values = {option, ...(words && {words}), ...(answers && {answers})};
			if (!conversations.answer(sessionId, requestId, values)) throw notFound('open request', requestId);
			return {...request, answer: option};
		}),
		post(`${agentRoot}/sessions/:sessionId/interrupt`, 200, ({params}) => {
			const {id} = findSession(context, params.sessionId);
			return {interrupted: turns.interrupt(id)};
		}),
	];
}
