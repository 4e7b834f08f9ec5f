import {readFileSync} from 'node:fs';
import type {ContentItem, MessageRole} from '../../src/domain/messages/message.ts';

/**
 * The texts, thoughts and tool calls of a conversation, in order. A call without a result is still open; `took` is in
 * seconds.
 */
type Step =
	| {readonly user: string}
	| {readonly agent: string}
	| {readonly thinks: string}
	| {
			readonly tool: string;
			readonly input: unknown;
			readonly result?: string;
			readonly isError?: true;
			readonly took?: number;
	  };

export type Conversation = {readonly title: string; readonly steps: Step[]};

/** `«3|, |item {n}»` stands for `item 0, item 1, item 2`. */
const repeated = /«(\d+)\|([^|]*)\|([^»]*)»/g;

/**
 * Forty conversations as agents have them: calls of Claude Code, codex, gemini, opencode and others, failures, diffs,
 * tables, lists, other scripts, long lines, colored and huge output, reasoning, questions.
 */
export function readConversations(): Conversation[] {
	const conversations: Conversation[] = [];
	for (const line of readFileSync(new URL('conversations.jsonl', import.meta.url), 'utf8')
		.trim()
		.split('\n')) {
		const step: Step | {readonly title: string} = JSON.parse(line, (_, value) =>
			typeof value === 'string'
				? value.replace(repeated, (_whole, count: string, joint: string, text: string) =>
						Array.from({length: Number(count)}, (_item, n) => text.replaceAll('{n}', String(n))).join(joint),
					)
				: value,
		);
		if ('title' in step) conversations.push({title: step.title, steps: []});
		else conversations.at(-1)?.steps.push(step);
	}
	return conversations;
}

/** The messages of a conversation as a service lists them, each with how many seconds ago it came. */
export function messagesOf({steps}: Conversation) {
	const lengthOf = (step: Step) => ('tool' in step ? (step.took ?? 0) : 0) + 2;
	let ago = 60 + steps.reduce((sum, step) => sum + lengthOf(step), 0);
	return steps.flatMap((step, index) => {
		const message = (role: MessageRole, content: ContentItem, later = 0) => ({
			role,
			content: [content],
			ago: ago - later,
		});
		const messages =
			'user' in step
				? [message('user', {id: 'text', text: step.user})]
				: 'agent' in step
					? [message('assistant', {id: 'text', text: step.agent})]
					: 'thinks' in step
						? [message('assistant', {type: 'thinking', thinking: step.thinks})]
						: [message('assistant', {type: 'tool_use', id: `${index}`, name: step.tool, input: step.input})];
		if ('tool' in step && step.result !== undefined) {
			const content = {type: 'tool_result', tool_use_id: `${index}`, content: step.result};
			messages.push(message('tool', {...content, is_error: step.isError === true}, step.took));
		}
		ago -= lengthOf(step);
		return messages;
	});
}
