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

/** The role a message declares. `isExplicit`: it names a role, even one we don't know. */
type ExplicitRole = {readonly role?: MessageRole; readonly isExplicit: boolean};

const roleWords: ReadonlyMap<string, MessageRole> = new Map([
	...messageRoles.map(role => [role, role] as const),
	['human', 'user'],
	['agent', 'assistant'],
	['ai', 'assistant'],
	['model', 'assistant'],
	['function', 'tool'],
	['tool_result', 'tool'],
]);

/** Reads a message's own role: the explicit role, otherwise fields that only one kind of message has. */
export function explicitRole(message: Message): ExplicitRole {
	const word = message.role?.trim().toLowerCase();
	if (word) {
		const role = roleWords.get(word);
		return role ? {role, isExplicit: true} : {isExplicit: true};
	}
	const role = roleOfFields(message);
	return role ? {role, isExplicit: true} : {isExplicit: false};
}

const assistantKeys = /^provider[12][A-Z]/;

function roleOfFields(message: Message): MessageRole | undefined {
	const content = message.content ?? [];
	if (content.length > 0 && content.every(isToolResult)) return 'tool';
	if (isFilled(message.chatCompletionReasoningContent) || content.some(isAssistantPart)) return 'assistant';
	const isAssistant = Object.entries(message).some(
		([key, value]) => assistantKeys.test(key) && isFilled(value),
	);
	return isAssistant ? 'assistant' : undefined;
}

function isFilled(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

function isToolResult(item: ContentItem): boolean {
	return item.type === 'tool_result' || (item.type === undefined && 'tool_use_id' in item);
}

function isAssistantPart(item: ContentItem): boolean {
	return item.type === 'tool_use' || item.type === 'thinking' || item.type === 'redacted_thinking';
}

/** Whether a message can't be of this role: a list by role that holds it ignores the filter. */
export function isOfOtherRole(message: Message, role: MessageRole): boolean {
	const {role: own} = explicitRole(message);
	if (own === undefined || own === role) return false;
	// A service may list the results of tools as the user's.
	return message.role !== undefined || own === 'assistant' || role === 'assistant';
}

/** What the embedded service ends a field of a tool's input with that it has cut. */
export const cutMark = ' [cut]';
