import {base64Bytes} from '../../domain/messages/attachment.ts';
import {type ContentItem, type Message, reasoningOf} from '../../domain/messages/message.ts';
import {cleanLine} from '../cells/clean.ts';
import {type Safe, safe} from '../cells/safe.ts';

/** One displayable part of a message. Strings are raw. */
export type Part =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'thinking'; readonly text: string}
	| {readonly kind: 'tool-use'; readonly name: string; readonly input: unknown}
	| {readonly kind: 'tool-result'; readonly text: string; readonly isError: boolean}
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
	for (const item of message.content?.slice(0, maxParts) ?? []) parts.push(partOf(item));
	return parts;
}

/** One content item as a part. */
export function partOf(item: ContentItem): Part {
	const kind = contentKind(item);
	switch (kind) {
		case 'text':
			return {kind, text: textOf(item.text ?? item.content)};
		case 'thinking':
			return {kind, text: textOf(item.thinking ?? item.reasoning ?? item.text)};
		case 'tool-use':
			return {kind, name: textOf(item.name) || 'tool', input: item.input ?? item.arguments};
		case 'tool-result':
			return {
				kind,
				text: textOf(item.content ?? item.output ?? item.text),
				isError: item.is_error === true || item.isError === true,
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
	return Object.hasOwn(kindOfType, item.type) ? kindOfType[item.type] : undefined;
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
	if (Array.isArray(value)) return value.slice(0, partsShown).map(nestedText).join('\n');
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
		...(name !== undefined && {name}),
		...(type !== undefined && {type}),
		...(bytes !== undefined && {bytes}),
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

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields that best say what a call is about, best first. */
const summaryKeys = [
	...['command', 'cmd', 'pattern', 'query', 'file_path', 'filePath', 'path', 'notebook_path', 'url'],
	...['description', 'issue_id', 'issue', 'issue_number', 'title', 'name', 'id', 'prompt'],
] as const;
const maxWordsLength = 400;

type Summary = {
	/** What the call is about, in one line; never the name of a field. */
	readonly words: Safe;
	/** All of the input by field. */
	readonly details: string;
	/** The field that `words` is made from (raw), or all of the input. */
	readonly main: string;
	/** What of the input `words` doesn't show; empty if nothing. */
	readonly rest: string;
};

/** Summarizes a tool's input. */
export function toolSummary(input: unknown): Summary {
	if (input === undefined || input === null) return {words: safe``, details: '', main: '', rest: ''};
	if (!isRecord(input)) {
		const text = valueText(input);
		return {words: cleanLine(text, maxWordsLength), details: text, main: text, rest: hiddenPart(text)};
	}
	const fields = Object.entries(input);
	const details = fields.map(([name, value]) => `${name}: ${valueText(value)}`).join('\n');
	const known = summaryKeys.find(name => Object.hasOwn(input, name) && fieldText(input[name]) !== undefined);
	const best = known ?? fields.find(([, value]) => fieldText(value) !== undefined)?.[0];
	const main = best === undefined ? undefined : fieldText(input[best]);
	if (best === undefined || main === undefined) return {words: safe``, details, main: details, rest: details};
	const folder = (best === 'pattern' || best === 'query') && fieldText(input.path);
	const words = folder ? `${main} in ${folder}` : main;
	return {
		words: cleanLine(words.trim(), maxWordsLength),
		details,
		main: known === undefined ? details : main,
		rest: fields.length > (folder ? 2 : 1) ? details : hiddenPart(words),
	};
}

/** The value of a field as text: a number, a string, or a command as a list of its words. */
function fieldText(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (!Array.isArray(value) || value.length === 0) return undefined;
	if (!value.every((word): word is string => typeof word === 'string')) return undefined;
	// A script given to a shell is what matters.
	return /^(?:.*\/)?(?:ba|z|da)?sh$/.test(value[0] ?? '') && value.length === 3 ? value[2] : value.join(' ');
}

/** The text itself if one line can't show all of it. */
function hiddenPart(text: string): string {
	return text.length > maxWordsLength || text.trim().includes('\n') ? text : '';
}

function valueText(value: unknown): string {
	return typeof value === 'string' ? value : jsonOf(value);
}

/** A value of any depth as JSON, indented by `indent` if given, else on one line. */
export function jsonOf(value: unknown, indent?: number): string {
	try {
		return JSON.stringify(value, undefined, indent) ?? '';
	} catch {
		// Nested too deeply for the stack, and useless to a reader anyway.
		return '(nested too deep to show)';
	}
}
