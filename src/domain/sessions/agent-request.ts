import type {ExtraFields} from '../known.ts';

/** Root path of the endpoints that the embedded service offers beside the contract. */
export const agentRoot = '/quarterdeck/v0';

/** The name under which the embedded service announces these endpoints. */
export const agentOffer = 'agents';

export const requestOptions = ['once', 'always', 'no'] as const;
export type RequestOption = (typeof requestOptions)[number];

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
	/** The answers it takes. */
	readonly options?: readonly string[];
	/** The answers that a single question suggests. */
	readonly choices?: readonly string[];
	readonly createdAt?: number;
	/** Set if the hook of a client outside the service waits for the answer. */
	readonly isFromHook?: boolean;
	/** In the service's answer to an answer: the option it took. */
	readonly answer?: string;
};
