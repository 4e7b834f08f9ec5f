import {type ContentItem, type Message, type MessageRole, messageRoles} from './message.ts';

/** The role a message declares. `isExplicit`: it names a role, even one we don't know. */
export type ExplicitRole = {readonly role?: MessageRole; readonly isExplicit: boolean};

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
