import {isObject, type JsonObject, parseObject} from '../../hooks/json.ts';
import {base64Bytes} from '../domain/messages/attachment.ts';
import type {ContentItem, Message, MessageRole} from '../domain/messages/message.ts';
import type {TimelineItem} from '../domain/messages/timeline.ts';
import {instantOf} from '../domain/time.ts';
import type {TranscriptLine} from './transcript-file.ts';

export type TranscriptMessage = {readonly message: Message; readonly role?: MessageRole};

type Meta = Pick<Message, 'author' | 'createdAt' | 'isUserVisible' | 'isError'> & {
	readonly uuid?: string;
};
type Draft = {readonly meta?: Meta; readonly content: Content; readonly role?: MessageRole};
type Content = readonly ContentItem[];

/** Maximum items of a message, and levels of a tool's input; content beyond them is dropped. */
const maxItems = 1000;
const maxDepth = 60;

/** Version of the last message. Rows are cached by version, so it is never reused, not even for another file. */
let version = 0;

/**
 * Reads a line of Claude Code or codex; undefined for their bookkeeping. The id of a message is the offset of its line. A
 * line that is too long, or nested deeper than the stack allows, counts as unreadable.
 */
export function messageIn({offset, text}: TranscriptLine): TimelineItem | 'unreadable' | undefined {
	const id = String(offset);
	try {
		const read = text === undefined ? 'unreadable' : readTranscriptLine(text, id);
		return read === undefined || read === 'unreadable' ? read : {id, version: ++version, ...read};
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return 'unreadable';
	}
}

/** Every field may have the wrong type. */
export function readTranscriptLine(text: string, id: string): TranscriptMessage | 'unreadable' | undefined {
	const line = parseObject(text);
	if (!line) return 'unreadable';
	const draft = isObject(line.payload) ? codexMessage(line.type, line.payload) : claudeMessage(line);
	if (!draft || draft.content.length === 0) return undefined;
	const {meta, content, role} = draft;
	const createdAt = instantOf(line.timestamp);
	return {message: {id, ...meta, content, createdAt}, role};
}

function claudeMessage(line: JsonObject): Draft | undefined {
	const {type, uuid} = line;
	const isHidden = line.isMeta === true || line.isVisibleInTranscriptOnly === true;
	const meta: Meta = {
		uuid: typeof uuid === 'string' ? uuid.slice(0, 100) : undefined,
		isUserVisible: isHidden ? false : undefined,
	};
	if (type === 'attachment') return attachmentDraft(line.attachment, meta);
	if (type === 'summary') return systemDraft(summary(line.summary), {...meta, isUserVisible: false});
	if (type === 'system') return systemDraft(textContent(withoutTags(line.content)), meta);
	if ((type !== 'user' && type !== 'assistant') || !isObject(line.message)) return undefined;
	const {content} = line.message;
	if (line.isCompactSummary === true)
		return systemDraft(summary(plainText(content)), {...meta, isUserVisible: true});
	const isSidechain = line.isSidechain === true;
	const withAuthor = {...meta, author: isSidechain ? 'sub-agent' : undefined};
	if (type === 'assistant') {
		const isError = line.isApiErrorMessage === true || undefined;
		return {
			meta: {...withAuthor, isError},
			content: contentOf(content),
			role: 'assistant',
		};
	}
	const items = contentOf(content);
	const results = items.filter(item => item.type === 'tool_result');
	if (results.length > 0) {
		const firstChange = results.length === 1 ? firstChangeOf(line.toolUseResult) : undefined;
		const numbered = firstChange
			? items.map(item => (item === results[0] ? {...item, firstChange} : item))
			: items;
		return {meta: withAuthor, content: numbered, role: 'tool'};
	}
	if (isSidechain) return {meta: {...meta, author: 'to sub-agent'}, content: items, role: 'assistant'};
	return typeof content === 'string' ? typedDraft(content, meta) : {meta, content: items, role: 'user'};
}

/** The first line that an edit of Claude Code changes, and its number in the file. */
function firstChangeOf(result: unknown): {readonly text: string; readonly number: number} | undefined {
	const [hunk] = isObject(result) && Array.isArray(result.structuredPatch) ? result.structuredPatch : [];
	if (!isObject(hunk) || !Array.isArray(hunk.lines) || typeof hunk.newStart !== 'number') return undefined;
	const index = hunk.lines.findIndex(line => typeof line !== 'string' || !line.startsWith(' '));
	const text: unknown = hunk.lines[index];
	// Before its first change, a file's lines have the same numbers.
	if (typeof text !== 'string' || hunk.oldStart !== hunk.newStart) return undefined;
	return {text: text.slice(0, 1000), number: hunk.newStart + index};
}

function systemDraft(content: Content, meta: Meta = {}): Draft {
	return {meta: {...meta, author: 'system'}, content};
}

/** What the user typed: a prompt, or a command of the client and its output. */
function typedDraft(text: string, meta: Meta): Draft {
	const command = /^\s*<command-/.test(text) ? tagged(text, 'command-name') : undefined;
	const shell = /^\s*<bash-input>/.test(text) ? tagged(text, 'bash-input') : undefined;
	if (/^\s*<(?:local-command|bash)-(?:stdout|stderr)>/.test(text))
		return systemDraft(textContent(withoutTags(text)), meta);
	const words =
		command !== undefined
			? `${command.trim()} ${tagged(text, 'command-args')?.trim() ?? ''}`.trim()
			: shell !== undefined
				? `! ${shell.trim()}`
				: text;
	return {meta, content: textContent(words), role: 'user'};
}

/** A message that the user wrote while the agent worked, or the name of a file that they added. */
function attachmentDraft(value: unknown, meta: Meta): Draft | undefined {
	if (!isObject(value)) return undefined;
	const {type, prompt, filename, commandMode = 'prompt'} = value;
	if (type === 'queued_command' && commandMode === 'prompt')
		return {meta, content: contentOf(prompt), role: 'user'};
	if (type === 'file' && typeof filename === 'string')
		return {meta, content: [{type: 'file', name: filename.slice(0, 4096)}], role: 'user'};
	return undefined;
}

/** Start of a text that codex adds to the user's prompts. */
const codexContext = /^\s*(?:<(?:environment_context|user_instructions)>|# AGENTS\.md instructions)/;

function codexMessage(type: unknown, payload: JsonObject): Draft | undefined {
	if (type === 'compacted') return systemDraft(summary(payload.message));
	if (type !== 'response_item') return undefined;
	const {role, call_id: id} = payload;
	switch (payload.type) {
		case 'message': {
			const content = contentOf(payload.content);
			if (role === 'assistant') return {content, role};
			const isTyped = role === 'user' && !codexContext.test(content[0]?.text ?? '');
			return isTyped ? {content, role} : systemDraft(content, {isUserVisible: false});
		}
		case 'reasoning': {
			const text = plainText(payload.summary);
			return {content: text === '' ? [] : [{type: 'thinking', thinking: text}], role: 'assistant'};
		}
		case 'function_call':
		case 'custom_tool_call':
		case 'local_shell_call':
		case 'web_search_call': {
			const name = typeof payload.name === 'string' ? payload.name : payload.type.replace('_call', '');
			const input = bounded(parsed(payload.arguments ?? payload.input ?? payload.action));
			return {content: [{type: 'tool_use', ...idOf('id', id), name, input}], role: 'assistant'};
		}
		case 'function_call_output':
		case 'custom_tool_call_output': {
			const output = parsed(payload.output);
			const content = bounded(isObject(output) ? (output.output ?? output.content) : output);
			return {content: [{type: 'tool_result', ...idOf('tool_use_id', id), content}], role: 'tool'};
		}
		default:
			return undefined;
	}
}

function idOf(name: string, id: unknown): ContentItem {
	return typeof id === 'string' ? {[name]: id} : {};
}

/** An object in a string of JSON; anything else as it is. */
function parsed(value: unknown): unknown {
	return (typeof value === 'string' && parseObject(value)) || value;
}

function contentOf(value: unknown): Content {
	if (typeof value === 'string') return textContent(value);
	if (!Array.isArray(value)) return [];
	return value.slice(0, maxItems).flatMap((item): ContentItem[] => {
		if (typeof item === 'string') return [{text: item}];
		if (!isObject(item)) return [];
		const {signature: _, ...rest} = bounded(item) as JsonObject;
		// Some models don't reveal their thinking.
		if (rest.type === 'thinking' && !rest.thinking) return [];
		const {type, id, text, ...others} = rest;
		return [
			{
				...others,
				type: typeof type === 'string' ? type : undefined,
				id: typeof id === 'string' ? id : undefined,
				text: typeof text === 'string' ? text : undefined,
			},
		];
	});
}

function textContent(text: unknown): Content {
	return typeof text === 'string' && text.trim() !== '' ? [{type: 'text', text}] : [];
}

function summary(text: unknown): Content {
	const words = typeof text === 'string' ? text : '';
	return words.trim() === '' ? [] : [{type: 'thinking', thinking: words, isSummary: true}];
}

function plainText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (!Array.isArray(value)) return '';
	return value
		.flatMap(item => (isObject(item) && typeof item.text === 'string' ? [item.text] : []))
		.join('\n');
}

/** Copies a value, with sizes in place of the data of images and files, and without what is nested too deep. */
function bounded(value: unknown, depth = 0): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (depth >= maxDepth) return undefined;
	if (Array.isArray(value)) return value.map(item => bounded(item, depth + 1));
	const fields = value as JsonObject;
	const isData = fields.type === 'base64' || fields.type === 'redacted_thinking';
	const copied = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
		if (isData && name === 'data' && typeof field === 'string') return [['bytes', base64Bytes(field)]];
		const isAddress = name === 'image_url' && typeof field === 'string';
		const [, start, data = ''] = isAddress ? (/^(data:[^,]{0,100},)(.*)/s.exec(field) ?? []) : [];
		if (start !== undefined)
			return [
				[name, start],
				['bytes', base64Bytes(data)],
			];
		return [[name, bounded(field, depth + 1)]];
	});
	return Object.fromEntries(copied);
}

/** The text between the tags of this name. */
function tagged(text: string, name: string): string | undefined {
	const from = text.indexOf(`<${name}>`);
	const to = text.indexOf(`</${name}>`, from);
	return from < 0 || to < 0 ? undefined : text.slice(from + name.length + 2, to);
}

function withoutTags(text: unknown): unknown {
	return typeof text === 'string' ? text.replace(/<\/?(?:local-command|bash)-(?:stdout|stderr)>/g, '') : text;
}
