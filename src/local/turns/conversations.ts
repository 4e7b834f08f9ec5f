import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {imageType} from '../../domain/messages/attachment.ts';
import type {RequestAnswer, RequestOption} from '../../domain/sessions/agent-request.ts';
import {agentVariable, type PermissionMode, permissionModes} from '../../domain/sessions/session.ts';
import {
	type AgentEvent,
	AgentOpenError,
	type AgentSession,
	type NewRequest,
	type OpenOptions,
	type PromptBlock,
	type TurnEnd,
} from '../agents/agent-session.ts';
import {type ClientAgent, promptOf} from '../agents/agents.ts';
import type {BackgroundContext} from '../context.ts';
import type {StoredMessage} from '../storage/messages.ts';
import type {StoredSession} from '../storage/sessions.ts';
import {createTurnWriter, type TurnWriter} from './turn-writer.ts';

/** A request that waits for the user. `createdAt` is Unix ms. */
type OpenRequest = NewRequest & {readonly sessionId: string; readonly createdAt: number};

/** Conversations with clients: at most one process per session, closed when it has been idle for long. */
export type Conversations = ReturnType<typeof createConversations>;

/** Time for an agent to obey an interrupt before its process is ended, ms. */
const interruptLimit = 5000;

type Turn = {
	readonly writer: TurnWriter;
	readonly messageId: string;
	readonly requests: Map<string, OpenRequest>;
	isInterrupted: boolean;
	/** Aborted when the turn is interrupted before its process was ready. */
	readonly opening: AbortController;
};

type Conversation = {
	readonly agent: AgentSession;
	readonly model: string | undefined;
	readonly mode: PermissionMode;
};

/** `idleTime`: how long a process without a turn keeps running, ms. */
export function createConversations(context: BackgroundContext, idleTime: number) {
	const {storage, save, groups, folder, closing} = context;
	const conversations = new Map<string, Conversation>();
	const turns = new Map<string, Turn>();
	const idleTimers = new Map<string, NodeJS.Timeout>();

	const closeIdle = async (sessionId: string) => {
		clearTimeout(idleTimers.get(sessionId));
		idleTimers.delete(sessionId);
		const conversation = conversations.get(sessionId);
		conversations.delete(sessionId);
		await conversation?.agent.process.close();
	};

	const onEvent = (sessionId: string, event: AgentEvent) => {
		const turn = turns.get(sessionId);
		switch (event.kind) {
			case 'session-id':
				return storage.sessions.update(sessionId, {agentSession: event.id});
			case 'title':
				return storage.sessions.update(sessionId, {title: event.title.slice(0, 200)});
			case 'mode':
				return storage.sessions.update(sessionId, {mode: event.mode});
			case 'commands':
				return void storage.sessions.setCommands(sessionId, event.commands);
			case 'subagents':
				return storage.sessions.update(sessionId, {subagents: event.count});
			case 'context':
				return storage.sessions.update(sessionId, {
					context: {...storage.sessions.get(sessionId)?.context, ...event.context},
				});
			case 'usage':
				if (!turn) return;
				return storage.usage.addTokens({
					...event.usage,
					at: Date.now(),
					sessionId,
					messageId: turn.messageId,
				});
			case 'request': {
				if (!turn) return;
				const request = {...event.request, sessionId, createdAt: Date.now()};
				turn.requests.set(request.id, request);
				return turn.writer.openRequest(request);
			}
			case 'request-gone':
				turn?.requests.delete(event.id);
				return turn?.writer.closeRequest(event.id, 'gone');
			default:
				turn?.writer.write(event);
		}
	};

	/** Storage may fail, for example on a full disk; the agent continues. */
	const ignoringErrors = (sessionId: string) => (event: AgentEvent) => {
		try {
			onEvent(sessionId, event);
		} catch {
			// The event is missing from the session.
		}
	};

	/** The session's running process; a new one if it has another model, or another mode that it can't change. */
	const openFor = async (session: StoredSession, agent: ClientAgent, {writer, opening}: Turn) => {
		const {id: sessionId, cwd, agentSession, settings} = session;
		const mode = permissionModes.find(own => own === session.mode) ?? 'ask';
		const running = conversations.get(sessionId);
		const isUsable = (one: Conversation) =>
			one.model === settings.model &&
			(one.agent.setMode !== undefined || one.mode === mode) &&
			!one.agent.process.isEnded;
		if (running && isUsable(running)) return running.agent;
		await closeIdle(sessionId);
		const attachmentFolder = join(folder, 'sessions', sessionId);
		mkdirSync(attachmentFolder, {recursive: true, mode: 0o700});
		const options: OpenOptions = {
			groups: {
				...groups,
				open: (command, onOutput) =>
					groups.open(
						{...command, env: {...command.env, ...session.environment, [agentVariable]: sessionId}},
						onOutput,
					),
			},
			sessionId,
			resumeId: agentSession,
			cwd,
			attachmentFolder,
			model: settings.model,
			mode,
			signal: AbortSignal.any([closing, opening.signal]),
			onEvent: ignoringErrors(sessionId),
		};
		// A conversation without an answer here was started in a terminal.
		let note =
			agentSession !== undefined && !storage.messages.hasAnswer(sessionId)
				? continuedNote(agent, agentSession)
				: '';
		const opened = await agent.open(options).catch(async error => {
			if (!(error instanceof AgentOpenError) || agentSession === undefined || options.signal.aborted)
				throw error;
			const fresh = await agent.open({...options, resumeId: undefined}).catch(() => {
				throw error;
			});
			note = `[${agent.name} can't continue its conversation (${error.message}): it starts without the earlier messages]\n\n`;
			return fresh;
		});
		if (note) writer.write({kind: 'text', text: note});
		conversations.set(sessionId, {agent: opened, model: settings.model, mode});
		return opened;
	};

	const prompt = async (
		session: StoredSession,
		message: StoredMessage,
		agent: ClientAgent,
		turn: Turn,
	): Promise<TurnEnd> => {
		try {
			const conversation = await openFor(session, agent, turn);
			if (turn.isInterrupted) return {how: 'interrupted'};
			return await conversation.prompt(blocksOf(message));
		} catch (error) {
			return {how: 'failed', message: (error as Error).message};
		}
	};

	const endNoteOf = (end: TurnEnd, {isInterrupted}: Turn): string | undefined => {
		if (closing.aborted) return stopNote(closing);
		if (end.how === 'interrupted' || (end.how === 'failed' && isInterrupted)) return '[interrupted]';
		return end.how === 'failed' ? end.message : undefined;
	};

	return {
		/** Runs the turn of a message to its end and writes the answer. Rejects only when that can't be written. */
		async run(staleSession: StoredSession, message: StoredMessage, agent: ClientAgent): Promise<void> {
			const session = storage.sessions.get(staleSession.id) ?? staleSession;
			const writer = createTurnWriter(context, {sessionId: session.id, parentId: message.id});
			const turn: Turn = {
				writer,
				messageId: message.id,
				requests: new Map(),
				isInterrupted: false,
				opening: new AbortController(),
			};
			clearTimeout(idleTimers.get(session.id));
			turns.set(session.id, turn);
			const end = await prompt(session, message, agent, turn);
			for (const id of turn.requests.keys()) writer.closeRequest(id, 'gone');
			turns.delete(session.id);
			const note = endNoteOf(end, turn);
			const hasFailed = end.how === 'failed' && !turn.isInterrupted;
			if (end.how === 'failed')
				await save(() => storage.sessions.update(session.id, {limitedUntil: end.limitedUntil}));
			await writer.end(note, closing.aborted || hasFailed);
			const timer = setTimeout(() => void closeIdle(session.id), idleTime).unref();
			if (!closing.aborted) idleTimers.set(session.id, timer);
		},
		/** Ends the running turn; false if there is none. */
		interrupt(sessionId: string): boolean {
			const turn = turns.get(sessionId);
			if (!turn) return false;
			turn.isInterrupted = true;
			const conversation = conversations.get(sessionId);
			if (conversation) conversation.agent.interrupt();
			else turn.opening.abort();
			setTimeout(() => {
				if (turns.get(sessionId) === turn) void conversations.get(sessionId)?.agent.process.close();
			}, interruptLimit).unref();
			return true;
		},
		/** Changes the mode of a session: at once if its client runs, else for the next turn. Rejects with the reason. */
		async setMode(sessionId: string, mode: PermissionMode): Promise<void> {
			const agent = conversations.get(sessionId)?.agent;
			if (turns.has(sessionId) && !agent?.setMode)
				throw new Error(agent ? 'the agent takes a new mode only between turns' : 'the agent is starting');
			const inForce = agent?.process.isEnded === false ? await agent.setMode?.(mode) : undefined;
			storage.sessions.update(sessionId, {mode: inForce ?? mode, updatedAt: Date.now()});
		},
		requests: (): OpenRequest[] => [...turns.values()].flatMap(turn => [...turn.requests.values()]),
		/** False if the request is not open any more. Throws for an option that it doesn't have. */
		answer(sessionId: string, requestId: string, answer: RequestAnswer): boolean {
			const turn = turns.get(sessionId);
			const request = turn?.requests.get(requestId);
			if (!turn || !request) return false;
			const option = request.options.find(({word}) => word === answer.option);
			if (!option) throw new RangeError(answer.option);
			turn.requests.delete(requestId);
			const isAccepted = conversations.get(sessionId)?.agent.answer(requestId, answer) === true;
			const state = isAccepted ? answeredState(request, option) : 'gone';
			turn.writer.closeRequest(requestId, state, [...(option.changes ?? []), answer.words ?? '']);
			return isAccepted;
		},
		/** Stops the timers; the processes end with `closing`. */
		close(): void {
			for (const timer of idleTimers.values()) clearTimeout(timer);
			idleTimers.clear();
		},
	};
}

function continuedNote({name}: ClientAgent, id: string): string {
	return `[${name} continues its session ${id}, which keeps the earlier messages]\n\n`;
}

function answeredState({kind}: NewRequest, {word, allows}: RequestOption) {
	if (!allows) return 'denied';
	if (kind === 'question') return 'answered';
	return word === 'once' ? 'allowed' : 'always';
}

/** The message as blocks: images as images; files by their paths, in the text. */
function blocksOf({text, attachments}: StoredMessage): PromptBlock[] {
	const images: PromptBlock[] = [];
	const files = attachments.filter(({kind, path}) => {
		if (kind !== 'image' || path === undefined) return true;
		const bytes = readFileSync(path);
		const type = imageType(bytes);
		if (type === undefined) return true;
		images.push({kind: 'image', path, mimeType: `image/${type}`, data: bytes.toString('base64')});
		return false;
	});
	return [{kind: 'text', text: promptOf({text, attachments: files})}, ...images];
}

/** Why the service stops, if its user chose to end its agents. */
export const stoppedByUser = new Error('the user stopped the service');

/** The last line of an answer that was cut off when the service stopped, which is an error whoever stopped it. */
export function stopNote({reason}: AbortSignal): string {
	return reason === stoppedByUser
		? '[interrupted: you stopped the service]'
		: '[interrupted: the service was stopped]';
}
