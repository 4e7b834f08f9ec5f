import type {ExtraFields} from '../known.ts';

/** Root path of the endpoints that the embedded service offers beside the contract. */
export const agentRoot = '/quarterdeck/v0';

/** The name under which the embedded service announces these endpoints. */
export const agentOffer = 'agents';

/**
 * One answer that a request takes. Texts are raw. `once` and `always` allow, `no` denies; for a question, `once` sends
 * the answer.
 */
export type RequestOption = {
	/** Names it in an answer, uniquely in its request: `once`, `always`, `no` or another word. */
	readonly word: string;
	/** What it does. A client's own option has the client's words. */
	readonly label: string;
	readonly allows: boolean;
	/** Everything that it changes beyond this request, and where. */
	readonly changes?: readonly string[];
	/** The changes as the client suggested them: their indexes in its request. */
	readonly applies?: readonly number[];
};

export const onceOption: RequestOption = {word: 'once', label: 'allow once', allows: true};
export const noOption: RequestOption = {word: 'no', label: 'deny', allows: false};
export const questionOptions: readonly RequestOption[] = [
	{word: 'once', label: 'answer', allows: true},
	{word: 'no', label: 'decline to answer', allows: false},
];

/** One question of a request, with all that its client gets back. Texts are raw. */
export type AgentQuestion = {
	readonly text: string;
	readonly choices: readonly {readonly label: string; readonly description?: string}[];
	readonly takesSeveral?: boolean;
	/** Other words are no answer. */
	readonly takesOnlyChoices?: boolean;
};

/** The user's answer. `words` go to the agent: the answer to a question, or why it may not. */
export type RequestAnswer = {
	readonly option: string;
	readonly words?: string;
	/** An answer to each of several questions; without them, `words` answer all. */
	readonly answers?: readonly string[];
};

/** Longest text of a request, UTF-16 units: a longer one is cut, and its permission can only be denied. */
export const maxRequestLength = 128 * 1024;

/** A permission that an agent waits for, or its question. Texts are raw; `createdAt` is Unix ms. */
export type AgentRequest = ExtraFields & {
	readonly id: string;
	readonly sessionId: string;
	readonly kind?: string;
	readonly tool?: string;
	/** The full text of the request: a command, a diff, or the questions with their choices. */
	readonly text?: string;
	/** The text is the agent's plan, in markdown. */
	readonly isPlan?: boolean;
	/** Where its paths lead, if they are links or outside the session's folder. */
	readonly warnings?: readonly string[];
	readonly options?: readonly RequestOption[];
	readonly questions?: readonly AgentQuestion[];
	readonly createdAt?: number;
	/** Name of the computer, if it is on another one that the embedded service reaches. Raw. */
	readonly computer?: string;
	/** Set if the hook of a client outside the service waits for the answer. */
	readonly isFromHook?: boolean;
	/** In the service's answer to an answer: the word of the option it took. */
	readonly answer?: string;
};

/** A command of an agent's client, sent as the message `/name arguments`. `hint` says what its arguments are. Raw. */
export type SlashCommand = {readonly name: string; readonly description?: string; readonly hint?: string};
