import type {ExtraFields, OpenEnum} from '../known.ts';
import type {SessionStatus} from '../sessions/session.ts';

export const messageRoles = ['user', 'assistant', 'tool'] as const;
export type MessageRole = (typeof messageRoles)[number];

/** One part of a message's content. The contract documents `{text, id}` only; other kinds are kept verbatim. */
export type ContentItem = ExtraFields & {
	readonly type?: string;
	readonly id?: string;
	readonly text?: string;
};

/** A session message. Only `id` is guaranteed; times are Unix ms. The contract gives it no role. */
export type Message = ExtraFields & {
	readonly id: string;
	readonly content?: readonly ContentItem[];
	readonly createdAt?: number;
	readonly updatedAt?: number;
	readonly parentId?: string;
	readonly isUserVisible?: boolean;
	readonly isError?: boolean;
	/** The model's reasoning or a summary of it; the field depends on the provider. */
	readonly provider1ReasoningSummary?: string;
	readonly chatCompletionReasoningContent?: string;
	/** Not in the contract: used if present, never required. */
	readonly role?: string;
	/** Not in the contract: whether the turn of a user's message is still to come, if the service says it. */
	readonly isWaiting?: boolean;
	/** Not in the contract: whether its text is a program's output, which is shown as it is, and not as Markdown. */
	readonly isOutput?: boolean;
	/** Not in the contract: who wrote the message, if it is neither the user nor the session's agent itself. */
	readonly author?: string;
};

/** The distinct reasoning texts of a message. */
export function reasoningOf({provider1ReasoningSummary, chatCompletionReasoningContent}: Message): string[] {
	const texts = [provider1ReasoningSummary, chatCompletionReasoningContent].filter(
		text => typeof text === 'string' && text !== '',
	);
	return [...new Set(texts)] as string[];
}

/** The author of a message that the agent of another session sent, with the session's name if it is known. */
export function agentAuthor(sessionName?: string): string {
	return sessionName === undefined ? 'agent' : `agent ${sessionName}`;
}

/** The session whose agent sent a message, empty if it isn't known; undefined if no agent did. */
export function sendingSession({author = ''}: Message): string | undefined {
	return author === 'agent' || author.startsWith('agent ') ? author.slice('agent '.length) : undefined;
}

/** base64 data, without a `data:` prefix. */
export type ImageAttachment = {data: string};
export type FileAttachment = {data?: string; parsedData?: string; name?: string; path?: string};

export type MessageDraft = {
	text: string;
	images?: readonly ImageAttachment[];
	files?: readonly FileAttachment[];
	computerId?: string;
	/** Only the embedded service takes it: that an agent sent it (`agentAuthor`). */
	author?: string;
};

/** Response to add-message: the new user message's id and the agent's status after submission. */
export type AddedMessage = ExtraFields & {
	readonly messageId: string;
	readonly status?: OpenEnum<SessionStatus>;
};
