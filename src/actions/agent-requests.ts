import {NotFoundError} from '../api/errors.ts';
import type {AgentRequest, RequestAnswer} from '../domain/sessions/agent-request.ts';
import type {Notice} from '../state/notices.ts';
import type {ActionContext} from './context.ts';
import {done, notify, notifyFailure, type Result} from './notify.ts';

/** The open requests of a session, or of all, oldest first: those of hooks, and those of the service. */
export async function openRequests(
	{service, stores}: ActionContext,
	sessionId?: string,
): Promise<readonly AgentRequest[]> {
	const fromHooks = [...stores.fleet.getState().requests.values()].filter(
		request => sessionId === undefined || request.sessionId === sessionId,
	);
	if (fromHooks.length === 0)
		return service.agentRequests.list(sessionId).catch(error => {
			// The service doesn't have a session that is known only from its hooks.
			if (error instanceof NotFoundError) return [];
			throw error;
		});
	if (sessionId !== undefined) return fromHooks;
	// Most services don't offer agent requests.
	const others = await service.agentRequests.list().catch(() => []);
	return [...fromHooks, ...others].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
}

/** The open requests of a request's session, oldest first; undefined if they can't be read. */
export async function requestsBeside(
	{service, stores}: ActionContext,
	{sessionId, isFromHook}: AgentRequest,
): Promise<readonly AgentRequest[] | undefined> {
	if (isFromHook)
		return [...stores.fleet.getState().requests.values()].filter(one => one.sessionId === sessionId);
	return service.agentRequests.list(sessionId).catch(() => undefined);
}

/** Reads which agents the embedded service has. If it doesn't say, those that were read last stay. */
export async function readAgents({service, stores}: ActionContext): Promise<void> {
	try {
		stores.connection.setState({agents: await service.agentRequests.agents()});
	} catch {}
}

/** Answers a request and notifies the user which answer was accepted; `gone` if the agent no longer waits for it. */
export async function answerRequest(
	context: ActionContext,
	request: AgentRequest,
	answer: RequestAnswer,
): Promise<Result<'answered' | 'gone'>> {
	const {service, engine} = context;
	const {sessionId, id, isFromHook} = request;
	if (isFromHook) {
		if (!(await engine.hooks.answerRequest(id, answer))) return done('gone');
		notify(context, 'good', answeredText(request, answer.option));
		return done('answered');
	}
	try {
		const answered = await service.agentRequests.answer(sessionId, id, answer);
		if (answered.answer === undefined)
			notify(context, 'info', "The service didn't say which answer it accepted: see the stream.");
		else notify(context, 'good', answeredText(request, answered.answer));
		return done('answered');
	} catch (error) {
		if (error instanceof NotFoundError) return done('gone');
		return notifyFailure(context, error, 'It may have been answered: the stream shows the result.');
	} finally {
		engine.refresh(sessionId);
	}
}

function answeredText({kind, isPlan, options = []}: AgentRequest, word: string): string {
	const option = options.find(each => each.word === word);
	if (!option?.allows) return 'Denied';
	if (kind === 'question') return 'Answered';
	if (word !== 'once') return `Allowed: ${(option.changes ?? [option.label]).join('; ')}`;
	return isPlan ? 'Plan approved' : 'Allowed once';
}

/** Ends the running turn of a session. `report` shows the result. */
export async function interruptAgent(
	context: ActionContext,
	sessionId: string,
	report = (tone: Notice['tone'], words: string) => notify(context, tone, words),
): Promise<void> {
	try {
		const isInterrupted = await context.service.agentRequests.interrupt(sessionId);
		report(
			isInterrupted ? 'good' : 'info',
			isInterrupted ? 'The agent is interrupted' : 'No turn is running: there is nothing to interrupt',
		);
	} catch (error) {
		notifyFailure(context, error);
	} finally {
		context.engine.refresh(sessionId);
	}
}
