import {isServiceError, NotFoundError, RejectedError} from '../../api/errors.ts';
import {ConfigError} from '../../config/config.ts';
import {stateFolder} from '../../config/folders.ts';
import {isOutsideService} from '../../domain/known.ts';
import {maskSecrets} from '../../domain/masking.ts';
import {
	type AgentRequest,
	noOption,
	onceOption,
	type RequestAnswer,
} from '../../domain/sessions/agent-request.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {markDeceptive} from '../../text/cells/deceptive.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {age} from '../../text/values/times.ts';
import type {CommandContext, CommandRun} from '../cli/context.ts';
import {changing, exitCodes, NothingFoundError, UsageError} from '../cli/errors.ts';
import {connect} from '../cli/registry.ts';
import {cliStrings} from '../cli/strings.ts';
import {limitOf, printList, type RowFormat} from '../output/print-rows.ts';
import {strings} from './strings.ts';

const {oneOf, wrongValue} = cliStrings.usage;

export const agentRequests = {
	async requests(context) {
		const limit = limitOf(context);
		const requests = await openRequests(context);
		await printList(context, requestFormat(context.clock.now()), requests.slice(0, limit));
		return exitCodes.done;
	},

	async answer(context) {
		const {flags, output, signal} = context;
		const [id = '', requestId = '', word = ''] = context.args;
		const values = {option: word, words: flags.text('text')};
		const request = (await openRequests(context)).find(one => one.id === requestId);
		if (!request) throw new NotFoundError(strings.requestOver, {hint: strings.requestOverHint});
		const option = request.options?.find(each => each.word === word);
		const words = request.options?.map(each => each.word) ?? [];
		if (!option) throw new UsageError(wrongValue('WORD', word, oneOf(words)));
		const service = request.isFromHook ? undefined : (await connect(context)).service;
		const answered = await changing(strings.mayBeAnswered, async () =>
			service
				? service.agentRequests.answer(id, requestId, values, {signal})
				: answerHook(context, request, values),
		);
		if (output.isJson) output.json(maskSecrets(answered));
		else if (!option.allows) output.note(strings.answered.no);
		else if (request.kind === 'question') output.note(strings.answered.question);
		else output.note(strings.answered.allowed(shownTexts(option.changes ?? [])));
		return exitCodes.done;
	},

	async interrupt(context) {
		const {args, output, signal} = context;
		const {service} = await connect(context);
		const isInterrupted = await service.agentRequests.interrupt(args[0] ?? '', {signal});
		if (output.isJson) output.json({interrupted: isInterrupted});
		else output.note(isInterrupted ? strings.interrupted : strings.noTurn);
		return exitCodes.done;
	},
} satisfies Record<string, CommandRun>;

/** The open requests of hooks that wait in running programs, and those of the service. */
async function openRequests(context: CommandContext): Promise<readonly AgentRequest[]> {
	const [sessionId] = context.args;
	const fromHooks = await requestsOfHooks(context, sessionId);
	const known =
		sessionId === undefined ? undefined : (await (await context.wiring()).database()).sessions.get(sessionId);
	const isOutside = known !== undefined && isOutsideService(known);
	// Not for a session of the service: any process of the user can send a request, which mustn't hide the service's.
	if (fromHooks && fromHooks.length > 0 && isOutside) return fromHooks;
	try {
		const {service} = await connect(context);
		const others = await service.agentRequests.list(sessionId, {signal: context.signal});
		return [...(fromHooks ?? []), ...others].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
	} catch (error) {
		if (isOutside && error instanceof NotFoundError) return [];
		// Most services refuse the call, since they offer no agent requests.
		const isNotOffered = error instanceof RejectedError || error instanceof ConfigError;
		if (!fromHooks || !(isNotOffered || (fromHooks.length > 0 && isServiceError(error)))) throw error;
		if (sessionId !== undefined && !known && fromHooks.length === 0)
			throw new NothingFoundError(cliStrings.registry.unknown('session', sessionId));
		return fromHooks;
	}
}

/** The open requests of hooks, of one session if `sessionId` is set; undefined if no program runs. */
async function requestsOfHooks(
	{input}: CommandContext,
	sessionId?: string,
): Promise<readonly AgentRequest[] | undefined> {
	const {runningRequests} = await import('./hook-requests.ts');
	const requests = await runningRequests(stateFolder(input.env, input.home));
	return requests?.filter(request => sessionId === undefined || request.sessionId === sessionId);
}

/** Throws `NotFoundError` if the answer came too late. */
async function answerHook(
	{input}: CommandContext,
	request: AgentRequest,
	answer: RequestAnswer,
): Promise<AgentRequest> {
	const {answerRunning} = await import('./hook-requests.ts');
	if (await answerRunning(stateFolder(input.env, input.home), request.id, answer))
		return {...request, answer: answer.option};
	throw new NotFoundError(strings.requestOver, {hint: strings.requestOverHint});
}

function shownTexts(texts: readonly string[]): Safe {
	return cleanLine(markDeceptive(texts.join('; ')), 400);
}

const requestFormat = (now: number): RowFormat<AgentRequest> => ({
	// What looks like a secret may be what is to be decided on.
	objectOf: request => request,
	isMasked: true,
	none: strings.noRequests,
	columns: [
		{name: 'session', show: ({sessionId}) => cleanLine(sessionId)},
		{name: 'request', show: ({id}) => cleanLine(id)},
		{name: 'asked', show: ({createdAt}) => age(createdAt === undefined ? undefined : now - createdAt)},
		{name: 'tool', show: ({tool, kind}) => cleanLine(tool || kind || '-')},
		{name: 'answers', show: ({options = []}) => cleanLine(options.map(({word}) => word).join('|'))},
		{name: 'what', show: ({text = '', warnings = []}) => shownTexts([...warnings, text])},
		{
			name: 'changes',
			show: ({options = []}) =>
				shownTexts(
					options.flatMap(({word, label, changes = []}) => {
						if ([onceOption, noOption].some(one => one.word === word && one.label === label)) return [];
						return `${word}: ${[label, ...changes].join(', ')}`;
					}),
				),
		},
	],
});
