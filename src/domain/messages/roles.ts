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

/**
 * The result of a `role=` query: the ids it returned, and those of the queried messages that it would have returned if
 * they had its role.
 */
export type RoleAnswer = {readonly ids: ReadonlySet<string>; readonly covered: ReadonlySet<string>};

/** All evidence about the authors of some messages. */
export type RoleEvidence = {
	/** Results of `role=` queries. */
	readonly user?: RoleAnswer;
	readonly tool?: RoleAnswer;
	readonly assistant?: RoleAnswer;
	/** Ids returned by add-message. */
	readonly own?: ReadonlySet<string>;
};

/**
 * Assigns roles by the best evidence for each message: its explicit role, a `role=` query, being our own
 * post, then role-specific fields. A message that two `role=` queries cover but didn't return has the third role.
 * Messages without evidence are left out.
 */
export function assignRoles(
	messages: readonly Message[],
	evidence: RoleEvidence,
): ReadonlyMap<string, MessageRole> {
	const roles = new Map<string, MessageRole>();
	for (const message of messages) {
		const role = roleOf(message, evidence);
		if (role) roles.set(message.id, role);
	}
	return roles;
}

function roleOf(message: Message, {user, tool, assistant, own}: RoleEvidence): MessageRole | undefined {
	const {id} = message;
	const explicit = explicitRole(message);
	if (message.role?.trim()) return explicit.role;
	if (user?.ids.has(id)) return 'user';
	if (tool?.ids.has(id)) return 'tool';
	if (assistant?.ids.has(id)) return 'assistant';
	if (own?.has(id)) return 'user';
	if (explicit.role) return explicit.role;
	const answers = {user, tool, assistant};
	const [left, ...others] = messageRoles.filter(role => !answers[role]?.covered.has(id));
	return others.length === 0 ? left : undefined;
}

/** What `role=` queries returned. */
export type ListedByRole = {readonly [role in MessageRole]?: readonly Message[]};

/** Whether `role=` results fit together: a service that ignores the filter repeats messages. */
export function isFilterHonored({user = [], tool = [], assistant = []}: ListedByRole): boolean {
	const distinct = [user, tool, assistant].reduce((sum, items) => sum + idsOf(items).size, 0);
	if (idsOf([...user, ...tool, ...assistant]).size < distinct) return false;
	if (assistant.some(message => isExplicit(message, ['user', 'tool']))) return false;
	return ![...user, ...tool].some(message => isExplicit(message, ['assistant']));
}

function idsOf(messages: readonly Message[]): ReadonlySet<string> {
	return new Set(messages.map(({id}) => id));
}

function isExplicit(message: Message, roles: readonly MessageRole[]): boolean {
	const {role} = explicitRole(message);
	return role !== undefined && roles.includes(role);
}
