import {randomUUID} from 'node:crypto';
import {isObject} from '../../../hooks/json.ts';
import type {ContentItem, MessageRole} from '../../domain/messages/message.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {withoutMiddle} from '../../domain/without-middle.ts';
import {claudeFolder, claudeTranscript, TranscriptError} from '../../transcripts/transcript-file.ts';
import {TranscriptMessages} from '../../transcripts/transcript-messages.ts';
import type {StoredItem} from '../storage/messages.ts';

/** A message of a conversation before it was continued here. `at` is Unix ms, if it is known. */
export type EarlierMessage = {
	readonly role: MessageRole;
	readonly text: string;
	readonly content: readonly StoredItem[];
	readonly isError: boolean;
	readonly author?: string;
	readonly at?: number;
};

/** Maximum number of messages, and of UTF-16 units of a text in one. */
const maxMessages = 500;
const maxText = 64 * 1024;

type Conversation = {readonly agent: string; readonly id: string; readonly cwd: string};

/**
 * The newest messages of a conversation of Claude Code that was started in a terminal in `cwd`, oldest first, from its
 * transcript; those of sub-agents aren't among them. Empty without a transcript that can be read.
 */
export function earlierMessages({agent, id, cwd}: Conversation): EarlierMessage[] {
	if (agent !== 'claude') return [];
	const path = claudeTranscript(claudeFolder(), {cwd, sessionId: id});
	let transcript: TranscriptMessages | undefined;
	try {
		transcript = new TranscriptMessages(path, undefined);
		const found = transcript.newest(maxMessages + 1);
		const messages = found.slice(-maxMessages).flatMap(toEarlier);
		const first = messages[0];
		if (!first || (found.length <= maxMessages && !transcript.isCut)) return messages;
		const note = `[older messages are only in ${path}]`;
		const content = [{type: 'text', id: randomUUID(), text: note}] as const;
		return [{role: 'assistant', text: note, content, isError: false, at: first.at}, ...messages];
	} catch (error) {
		if (!(error instanceof TranscriptError)) throw error;
		return [];
	} finally {
		transcript?.close();
	}
}

function toEarlier({message, role}: TimelineItem): EarlierMessage[] {
	const {content = [], isUserVisible, isError = false, author, createdAt} = message;
	const items = content.flatMap(toStored);
	if (!role || author !== undefined || isUserVisible === false || items.length === 0) return [];
	const text = items.flatMap(item => (item.type === 'text' ? item.text : [])).join('\n');
	return [{role, text, content: items, isError, at: createdAt}];
}

function toStored(item: ContentItem): StoredItem[] {
	const {type = 'text', id = randomUUID(), text} = item;
	if (type === 'thinking' && typeof item.thinking === 'string')
		return [{type, id, thinking: cut(item.thinking)}];
	if (type === 'tool_use' && typeof item.name === 'string') {
		const input = isObject(item.input) ? item.input : {};
		const isShort = JSON.stringify(input).length <= maxText;
		return [{type, id, name: item.name, input: isShort ? input : {}}];
	}
	if (type === 'tool_result' && typeof item.tool_use_id === 'string') {
		const content = cut(plainText(item.content));
		return [{type, id, tool_use_id: item.tool_use_id, content, is_error: item.is_error === true}];
	}
	if (type === 'text') return typeof text === 'string' ? [{type, id, text: cut(text)}] : [];
	// Its data isn't in what is read of a transcript.
	return [{type: 'text', id, text: `[${type}]`}];
}

function plainText(content: unknown): string {
	if (typeof content === 'string') return content;
	const parts = Array.isArray(content) ? content : [];
	return parts.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}

function cut(text: string): string {
	return withoutMiddle(text, maxText);
}
