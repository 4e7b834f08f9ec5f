import {z} from 'zod';
import type {JsonObject} from '../../../hooks/json.ts';
import {fieldsText, toolText} from '../../domain/sessions/hook-request.ts';
import {agentCommands, type TurnUsage} from './agent-session.ts';
import {cutText, fileDiff} from './tool-text.ts';

const textBlock = z.object({type: z.literal('text'), text: z.string()});
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

const id = z.string().max(500);
export const update = z.object({
	sessionId: id,
	update: z.discriminatedUnion('sessionUpdate', [
		z.object({sessionUpdate: z.literal('agent_message_chunk'), content: textBlock}),
		z.object({sessionUpdate: z.literal('agent_thought_chunk'), content: textBlock}),
		toolCall.extend({sessionUpdate: z.enum(['tool_call', 'tool_call_update'])}),
		z.object({
			sessionUpdate: z.literal('plan'),
			entries: z.array(z.object({content: z.string(), status: z.string().catch('pending')})),
		}),
		z.object({sessionUpdate: z.literal('session_info_update'), title: z.string().nullish()}),
		z.object({sessionUpdate: z.literal('available_commands_update'), availableCommands: agentCommands}),
		z.object({sessionUpdate: z.literal('current_mode_update'), currentModeId: z.string().max(40)}),
		z.object({
			sessionUpdate: z.literal('usage_update'),
			used: z.number().nonnegative().optional().catch(undefined),
			size: z.number().positive().optional().catch(undefined),
			cost: z.object({amount: z.number().nonnegative(), currency: z.string()}).nullish().catch(undefined),
		}),
	]),
});

export type Update = z.infer<typeof update>['update'];

export const permission = z.object({
	toolCall,
	options: z.array(z.object({optionId: id, name: z.string(), kind: z.string()})).min(1),
});
export type Permission = z.infer<typeof permission>;

const mode = z.object({id, name: z.string().catch('')});
export const openedSession = z.object({
	sessionId: id.optional(),
	configOptions: z
		.array(z.object({category: z.string(), currentValue: z.string()}).nullable().catch(null))
		.nullish()
		.catch(undefined),
	modes: z
		.object({availableModes: z.array(mode), currentModeId: id.optional().catch(undefined)})
		.nullish()
		.catch(undefined),
});

export const initialized = z.object({
	agentCapabilities: z
		.object({
			loadSession: z.boolean().catch(false),
			promptCapabilities: z.object({image: z.boolean().catch(false)}).catch({image: false}),
		})
		.catch({loadSession: false, promptCapabilities: {image: false}}),
});

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

const count = z.number().nonnegative().catch(0);
const tokens = z.object({inputTokens: count, outputTokens: count, cachedReadTokens: count.optional()});
/** Gemini's own format, which lists tokens by model. */
const quota = z.object({input_tokens: count, output_tokens: count}).transform(counts => ({
	inputTokens: counts.input_tokens,
	outputTokens: counts.output_tokens,
}));

/** The end of a turn over the Agent Client Protocol, with its tokens. */
export const promptResult = z.object({
	stopReason: z.string(),
	usage: tokens.nullish().catch(undefined),
	_meta: z
		.object({
			quota: z.object({
				token_count: quota,
				model_usage: z
					.array(z.object({model: z.string().max(200), token_count: quota}))
					.catch([])
					.default([]),
			}),
		})
		.nullish()
		.catch(undefined),
});

type Counts = z.infer<typeof tokens> & {readonly model?: string | undefined};

/** The tokens of a turn, by model if the client lists several. `cost` (US dollars) goes to the first. */
export function usagesOf(
	{usage, _meta}: z.infer<typeof promptResult>,
	model: string | undefined,
	cost: number,
): TurnUsage[] {
	return countsOf().map(({model, inputTokens, outputTokens, cachedReadTokens = 0}, index) => ({
		model,
		inputTokens,
		outputTokens,
		cacheReadTokens: cachedReadTokens,
		cacheWriteTokens: 0,
		cost: cost > 0 && index === 0 ? cost : undefined,
	}));

	function countsOf(): Counts[] {
		if (usage) return [{...usage, model}];
		if (!_meta) return [];
		const {token_count: total, model_usage: parts} = _meta.quota;
		const sum = (field: keyof typeof total) => parts.reduce((all, part) => all + part.token_count[field], 0);
		const isComplete = sum('inputTokens') === total.inputTokens && sum('outputTokens') === total.outputTokens;
		return isComplete ? parts.map(part => ({...part.token_count, model: part.model})) : [{...total, model}];
	}
}
