import {ifPossible} from '../../domain/if-possible.ts';
import {base64Bytes} from '../../domain/messages/attachment.ts';
import {type ContentItem, type Message, reasoningOf} from '../../domain/messages/message.ts';
import {ownEntry} from '../../domain/objects.ts';
import type {ChangeLine} from './file-change.ts';

/** One displayable part of a message. Strings are raw. */
export type Part =
	/** `isOutput`: of a program; otherwise an agent's text is Markdown. */
	| {readonly kind: 'text'; readonly text: string; readonly isOutput?: true}
	/** `isSummary`: of the conversation so far, which the agent goes on from. */
	| {readonly kind: 'thinking'; readonly text: string; readonly isSummary?: boolean}
	| {readonly kind: 'tool-use'; readonly name: string; readonly input: unknown}
	| {
			readonly kind: 'tool-result';
			readonly text: string;
			readonly isError: boolean;
			readonly firstChange?: ChangeLine;
	  }
	| {
			readonly kind: 'attachment';
			readonly word: 'image' | 'file';
			readonly name?: string;
			readonly type?: string;
			readonly bytes?: number;
	  }
	/** A kind unknown to us: its type, or the names of its fields; never their values. */
	| {readonly kind: 'unknown'; readonly what: string};

/** Parts beyond this number are only counted on the screen. */
export const partsShown = 200;

/**
 * The parts of a message: its reasoning, then its content in order, at most `maxParts` items (exports and
 * copies take all). Infers the kind of an item without a type from its keys. Never reads encrypted fields.
 */
export function messageParts(message: Message, maxParts: number = partsShown): Part[] {
	const parts: Part[] = reasoningOf(message).map(text => ({kind: 'thinking', text}));
	for (const item of message.content?.slice(0, maxParts) ?? []) {
		const part = partOf(item);
		parts.push(part.kind === 'text' && message.isOutput ? {...part, isOutput: true} : part);
	}
	return parts;
}

export function partOf(item: ContentItem): Part {
	const kind = contentKind(item);
	switch (kind) {
		case 'text':
			return {kind, text: textOf(item.text ?? item.content)};
		case 'thinking':
			return {
				kind,
				text: textOf(item.thinking ?? item.reasoning ?? item.text),
				isSummary: item.isSummary === true,
			};
		case 'tool-use':
			return {kind, name: textOf(item.name) || 'tool', input: inputOf(item.input ?? item.arguments)};
		case 'tool-result':
			return {
				kind,
				text: textOf(item.content ?? item.output ?? item.text),
				isError: item.is_error === true || item.isError === true,
				...firstChangeOf(item.firstChange),
			};
		case 'image':
		case 'file':
			return attachment(kind, item);
		case undefined:
			return {
				kind: 'unknown',
				what: typeof item.type === 'string' ? item.type : Object.keys(item).slice(0, 8).join(', '),
			};
	}
}

/** The first changed line of a file, which only the messages of a transcript have. */
function firstChangeOf(value: unknown): {readonly firstChange?: ChangeLine} {
	if (!isRecord(value) || typeof value.text !== 'string' || !isLineNumber(value.number)) return {};
	return {firstChange: {text: value.text, number: value.number}};
}

function isLineNumber(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < 1e9;
}

const kindOfType: Readonly<Record<string, ReturnType<typeof inferredKind>>> = {
	text: 'text',
	input_text: 'text',
	output_text: 'text',
	thinking: 'thinking',
	reasoning: 'thinking',
	tool_use: 'tool-use',
	tool_call: 'tool-use',
	function_call: 'tool-use',
	tool_result: 'tool-result',
	function_call_output: 'tool-result',
	image: 'image',
	input_image: 'image',
	image_url: 'image',
	document: 'file',
	file: 'file',
	input_file: 'file',
};

/** The kind of a content item; undefined if unknown. */
export function contentKind(item: ContentItem) {
	if (typeof item.type !== 'string') return inferredKind(item);
	return ownEntry(kindOfType, item.type);
}

function inferredKind(
	item: ContentItem,
): 'text' | 'thinking' | 'tool-use' | 'tool-result' | 'image' | 'file' | undefined {
	if (typeof item.text === 'string') return 'text';
	if (typeof item.thinking === 'string' || typeof item.reasoning === 'string') return 'thinking';
	if ('tool_use_id' in item || 'toolUseId' in item || 'tool_call_id' in item) return 'tool-result';
	if (typeof item.name === 'string' && ('input' in item || 'arguments' in item)) return 'tool-use';
	if ('image' in item || 'image_url' in item || mediaType(item)?.startsWith('image/')) return 'image';
	if ('data' in item || 'parsedData' in item || 'path' in item || 'source' in item) return 'file';
	return undefined;
}

/** The text of a string, or of a list of items that contain text. */
function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return value.map(nestedText).join('\n');
	return value === undefined || value === null ? '' : nestedText(value);
}

function nestedText(item: unknown): string {
	if (typeof item === 'string') return item;
	if (!isRecord(item)) return typeof item === 'number' || typeof item === 'boolean' ? String(item) : '';
	if (typeof item.text === 'string') return item.text;
	return `[${typeof item.type === 'string' ? item.type : Object.keys(item).slice(0, 8).join(', ')}]`;
}

function attachment(word: 'image' | 'file', item: ContentItem): Part {
	const name = firstText(item.name, item.title, item.filename, item.path);
	const type = mediaType(item);
	const bytes = attachmentBytes(item);
	return {
		kind: 'attachment',
		word,
		name,
		type,
		bytes,
	};
}

function mediaType(item: ContentItem): string | undefined {
	const source = isRecord(item.source) ? item.source : {};
	const stated = firstText(
		item.media_type,
		item.mediaType,
		item.mimeType,
		source.media_type,
		source.mediaType,
	);
	return stated ?? /^data:([^;,]{1,100})/.exec(dataOf(item) ?? '')?.[1];
}

function attachmentBytes(item: ContentItem): number | undefined {
	const stated = isRecord(item.source) ? item.source.bytes : item.bytes;
	if (typeof stated === 'number') return stated;
	const data = dataOf(item);
	if (data === undefined || /^https?:/.test(data)) return undefined;
	return base64Bytes(data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data);
}

function dataOf(item: ContentItem): string | undefined {
	const source = isRecord(item.source) ? item.source : {};
	const url = isRecord(item.image_url) ? item.image_url.url : item.image_url;
	return firstText(item.data, source.data, item.image, url);
}

function firstText(...values: readonly unknown[]): string | undefined {
	return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** A call's input: some agents send it as JSON text, or one level deeper. */
function inputOf(value: unknown): unknown {
	const input = typeof value === 'string' && value.startsWith('{') ? (parsedJson(value) ?? value) : value;
	if (!isRecord(input) || !isRecord(input.arguments)) return input;
	return Object.keys(input).length === 1 ? input.arguments : input;
}

/** The value of a JSON text; undefined if it is none. */
export function parsedJson(text: string): unknown {
	return ifPossible(() => JSON.parse(text));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
