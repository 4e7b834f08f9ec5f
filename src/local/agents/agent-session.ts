import {randomUUID} from 'node:crypto';
import {z} from 'zod';
import type {
	AgentQuestion,
	RequestAnswer,
	RequestOption,
	SlashCommand,
} from '../../domain/sessions/agent-request.ts';
import type {ContextUse, PermissionMode} from '../../domain/sessions/session.ts';
import type {ProcessGroups} from '../processes/process-group.ts';
import type {JsonLines} from './json-lines.ts';

/**
 * One conversation with an agent's client, over a process of its own. The vocabulary is that of the Agent Client
 * Protocol; each transport translates its client's messages into it.
 */
export type AgentSession = {
	/** Sends a message and resolves when its turn is over; never rejects. One turn at a time. */
	prompt(blocks: readonly PromptBlock[]): Promise<TurnEnd>;
	/** Asks the client to end the running turn; `prompt` then resolves. */
	interrupt(): void;
	/** Answers an open request with one of its options; false if it is not open any more. */
	answer(requestId: string, answer: RequestAnswer): boolean;
	/**
	 * Changes the mode, also within a turn, and resolves with the one in force; rejects with the client's reason. A client
	 * without it takes a mode only when it is opened.
	 */
	setMode?(mode: PermissionMode): Promise<string>;
	/** Once it has ended, a further prompt needs a new session, resumed by the client's own id. */
	readonly process: Pick<JsonLines, 'close' | 'isEnded'>;
};

/** One part of a message to an agent. A `file` was saved by the service; `path` is absolute. */
export type PromptBlock =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'image'; readonly data: string; readonly mimeType: string; readonly path: string};

/** How a turn ended. `message` is the reason for a failure, raw; `limitedUntil`: a usage limit ends then, Unix ms. */
export type TurnEnd =
	| {readonly how: 'done'}
	| {readonly how: 'interrupted'}
	| {readonly how: 'failed'; readonly message: string; readonly limitedUntil?: number};

/** An agent's reports during a turn. Texts are raw. */
export type AgentEvent =
	| {readonly kind: 'text' | 'thought'; readonly text: string}
	/** The next text begins a paragraph. */
	| {readonly kind: 'paragraph'}
	/** A tool call; a later one with the same id replaces its name and input. */
	| {readonly kind: 'tool-call'; readonly id: string; readonly name: string; readonly input: ToolInput}
	| {readonly kind: 'tool-result'; readonly id: string; readonly text: string; readonly isError: boolean}
	| {readonly kind: 'request'; readonly request: NewRequest}
	/** The client withdrew a request: it no longer waits for the answer. */
	| {readonly kind: 'request-gone'; readonly id: string}
	| {readonly kind: 'plan'; readonly text: string}
	| {readonly kind: 'usage'; readonly usage: TurnUsage}
	/** A window without a size has the one told before. */
	| {readonly kind: 'context'; readonly context: ContextUse}
	/** How many sub-agents are at work now; none are when a turn ends. */
	| {readonly kind: 'subagents'; readonly count: number}
	| {readonly kind: 'title'; readonly title: string}
	/** The mode in force: one of ours, or the client's own name of another. */
	| {readonly kind: 'mode'; readonly mode: string}
	/** All commands that the client takes as messages that begin with a slash. */
	| {readonly kind: 'commands'; readonly commands: readonly SlashCommand[]}
	/** The client's own id of the conversation, to resume it by. */
	| {readonly kind: 'session-id'; readonly id: string};

export type ToolInput = Readonly<Record<string, unknown>>;

/** A permission that the agent asks for, or a question, as its client tells it. */
export type NewRequest = {
	readonly id: string;
	readonly kind: 'permission' | 'question';
	/** The tool, such as `Bash`; empty if the client doesn't name it. */
	readonly tool: string;
	/** The full text: a command, the diff of a file, a plan, or the questions with their choices. */
	readonly text: string;
	/** Where its paths lead, if they are links or outside the session's folder. */
	readonly warnings?: readonly string[];
	/** The text is the agent's plan, in markdown. */
	readonly isPlan?: boolean;
	readonly options: readonly RequestOption[];
	readonly questions?: readonly AgentQuestion[];
};

/** Tokens and cost (US dollars) of one turn, or of a part of it: they add up. */
export type TurnUsage = {
	readonly model?: string;
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cacheReadTokens: number;
	readonly cacheWriteTokens: number;
	readonly cost?: number;
};

export type OpenOptions = {
	readonly groups: ProcessGroups;
	/** Our session's id. */
	readonly sessionId: string;
	/** The client's own id of the conversation to continue. */
	readonly resumeId?: string | undefined;
	readonly cwd: string;
	/** Folder outside `cwd` that the agent may read: the session's attachments. */
	readonly attachmentFolder: string;
	readonly model?: string | undefined;
	readonly mode: PermissionMode;
	readonly signal: AbortSignal;
	readonly onEvent: (event: AgentEvent) => void;
};

/** The client could not be started, or refused the conversation; the message says what to do. */
export class AgentOpenError extends Error {
	override readonly name = 'AgentOpenError';
}

const maxCommands = 500;
const text = z.string().transform(whole => whole.slice(0, 500));

/** A client's list of commands; those that can't be typed as one word are left out. */
export const agentCommands = z.array(z.unknown()).transform(items =>
	items.slice(0, maxCommands).flatMap(item => {
		const read = command.safeParse(item);
		return read.success ? [read.data] : [];
	}),
);

/** As Claude Code (`argumentHint`) and the Agent Client Protocol (`input`) write it. */
const command = z
	.object({
		name: z.string().regex(/^[^\s/]{1,100}$/),
		description: text.optional().catch(undefined),
		argumentHint: text.optional().catch(undefined),
		input: z.object({hint: text}).nullish().catch(undefined),
	})
	.transform(({name, description, argumentHint, input}) => ({
		name,
		description,
		hint: argumentHint || input?.hint,
	}));

/** The id of a request in its client's protocol. */
type ClientId = string | number;

/**
 * The requests of a client that wait for the user, under ids of ours, and their events. While one is open, no other may
 * have its client's id: the client could take the answer to the one for an answer to the other.
 */
export class OpenRequests<Request> {
	readonly #open = new Map<string, {readonly clientId: ClientId; readonly request: Request}>();
	readonly #onEvent: OpenOptions['onEvent'];
	readonly #cancel: (clientId: ClientId, request: Request) => void;

	/** `cancel` tells the client that nobody answers a request. */
	constructor(onEvent: OpenOptions['onEvent'], cancel: (clientId: ClientId, request: Request) => void) {
		this.#onEvent = onEvent;
		this.#cancel = cancel;
	}

	/** Shows a request to the user; `shown` gets our id of it. Cancels two with the same id of the client. */
	open(clientId: ClientId, request: Request, shown: (id: string) => NewRequest): void {
		const other = this.withdraw(clientId);
		if (other) {
			for (const one of [other, request]) this.#cancel(clientId, one);
			return;
		}
		const id = randomUUID();
		this.#open.set(id, {clientId, request});
		this.#onEvent({kind: 'request', request: shown(id)});
	}

	/** Takes a request that is about to be answered; undefined if it is no longer open. */
	take(id: string): {readonly clientId: ClientId; readonly request: Request} | undefined {
		const open = this.#open.get(id);
		this.#open.delete(id);
		return open;
	}

	/** Closes the request with this id of the client, be it a number or the same digits; undefined if none is open. */
	withdraw(clientId: ClientId): Request | undefined {
		for (const [id, {clientId: other, request}] of this.#open)
			if (`${other}` === `${clientId}`) {
				this.#close(id);
				return request;
			}
		return undefined;
	}

	closeAll(): void {
		for (const id of this.#open.keys()) this.#close(id);
	}

	cancelAll(): void {
		for (const {clientId, request} of this.#open.values()) this.#cancel(clientId, request);
		this.closeAll();
	}

	#close(id: string): void {
		this.#open.delete(id);
		this.#onEvent({kind: 'request-gone', id});
	}
}
