import {z} from 'zod';
import type {JsonObject} from '../../../hooks/json.ts';
import {fieldsText, toolText} from '../../domain/sessions/hook-request.ts';
import {cutText, fileDiff} from './tool-text.ts';

export const textBlock = z.object({type: z.literal('text'), text: z.string()});
const toolContent = z.union([
	z.object({type: z.literal('content'), content: textBlock}),
	z.object({type: z.literal('diff'), path: z.string(), oldText: z.string().nullish(), newText: z.string()}),
	// Anything else, such as an image, is shown in a request as it is.
	z.unknown().transform(other => ({type: 'other' as const, other})),
]);
/** A tool call, or what changed in one. */
export const toolCall = z.object({
	toolCallId: z.string().max(500),
	title: z.string().nullish(),
	kind: z.string().max(100).nullish(),
	status: z.string().nullish(),
	content: z.array(toolContent).nullish().catch(undefined),
	locations: z
		.array(z.object({path: z.string()}))
		.nullish()
		.catch(undefined),
	rawInput: z.record(z.string(), z.unknown()).nullish().catch(undefined),
	rawOutput: z.unknown().optional(),
});
export type ToolCall = z.infer<typeof toolCall>;

/** The kind of a call, or the first word of its title. */
export function toolName({kind, title}: ToolCall): string {
	if (kind && kind !== 'other') return kind;
	return /^[\w.:-]+(?=\s|$)/.exec(title ?? '')?.[0] ?? 'tool';
}

/**
 * The text of a request: the whole change of files or the client's whole input, with its words. Clients may send only
 * a title, and may shorten it.
 */
export function askedText(call: ToolCall): string {
	const {title, content, rawInput} = call;
	const {command, ...fields} = rawInput ?? {};
	const words = commandText(command);
	const others = content?.flatMap(item => (item.type === 'other' ? JSON.stringify(item.other) : [])) ?? [];
	const output = [toolOutput(call), ...others].filter(Boolean).join('\n');
	const whole = words === undefined ? (rawInput ?? {}) : {command: words, ...fields};
	const paths = content?.flatMap(item => (item.type === 'diff' ? item.path : [])) ?? [];
	const isChange = paths.length > 0;
	const input = isChange ? fieldsText(besideChange(whole, paths)) : toolText(whole);
	const ownTitle = title && ![...paths, input].some(shown => shown.includes(title)) ? title : '';
	const titleField = ownTitle && fieldsText({title: ownTitle});
	if (isChange) return [output, input, titleField].filter(Boolean).join('\n');
	const isInputFirst = words !== undefined || input.startsWith('--- ');
	const parts = isInputFirst ? [input, titleField] : [ownTitle, input];
	return [...parts, output].filter(Boolean).join('\n\n').trim();
}

/** What an input has beside the change of these files, which opencode sends once more as a diff of its own. */
function besideChange({diff: _, ...input}: JsonObject, paths: readonly string[]): JsonObject {
	return Object.fromEntries(Object.entries(input).filter(([, value]) => !paths.some(path => path === value)));
}

/** A command as typed into a shell; undefined if it is neither a string nor a list of words. */
function commandText(command: unknown): string | undefined {
	const {data} = z.union([z.string(), z.array(z.string()).min(1)]).safeParse(command);
	return typeof data === 'string' ? data : data?.map(quoted).join(' ');
}

function quoted(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A tool's content: texts, and changes of files as diffs. */
export function toolOutput({content}: ToolCall): string {
	const parts = content?.flatMap(item => {
		if (item.type === 'diff') return fileDiff(item.path, item.oldText ?? '', item.newText);
		return item.type === 'content' ? item.content.text : [];
	});
	return parts?.join('\n') ?? '';
}

export function rawText(output: unknown): string {
	if (typeof output === 'string') return cutText(output);
	const read = z.object({output: z.string()}).safeParse(output);
	return read.success ? cutText(read.data.output) : '';
}
