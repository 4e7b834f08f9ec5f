import type {ExtraFields, OpenEnum} from './open-enum.ts';
import type {SessionStatus} from './session.ts';

export const messageRoles = ['user', 'assistant', 'tool'] as const;
export type MessageRole = (typeof messageRoles)[number];

/** One part of a message's content. The contract shows `{text, id}` only; other kinds are kept as they came. */
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
	/** What the agent's model thought, or a summary of it; each provider has its own field. */
	readonly provider1ReasoningSummary?: string;
	readonly chatCompletionReasoningContent?: string;
	/** Not in the contract: used when a service sends it, never required. */
	readonly role?: string;
};

/** The reasoning texts of a message, each once. */
export function reasoningOf({provider1ReasoningSummary, chatCompletionReasoningContent}: Message): string[] {
	const texts = [provider1ReasoningSummary, chatCompletionReasoningContent].filter(
		text => typeof text === 'string' && text !== '',
	);
	return [...new Set(texts)] as string[];
}

/** base64 data, without a `data:` prefix. */
export type ImageAttachment = {data: string};
export type FileAttachment = {data?: string; parsedData?: string; name?: string; path?: string};

/** Request body for adding a message. */
export type MessageDraft = {
	text: string;
	images?: readonly ImageAttachment[];
	files?: readonly FileAttachment[];
	computerId?: string;
};

/** Answer of add message: the new user message's id and the agent's status after submission. */
export type AddedMessage = ExtraFields & {
	readonly messageId: string;
	readonly status?: OpenEnum<SessionStatus>;
};
