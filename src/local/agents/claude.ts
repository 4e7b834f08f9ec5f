import {randomUUID} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {z} from 'zod';
import type {PermissionMode} from '../../domain/sessions/session.ts';
import {
	AgentOpenError,
	type AgentRequest,
	type AgentSession,
	type OpenOptions,
	type PromptBlock,
	type RequestAnswer,
	type ToolInput,
	type TurnEnd,
} from './agent-session.ts';
import {type JsonLines, startJsonLines, whenOpen} from './json-lines.ts';
import {cutText, fileDiff} from './tool-text.ts';

const toolInput = z.record(z.string(), z.unknown());
const count = z.number().nonnegative().catch(0);

const usage = z.object({
	input_tokens: count,
	output_tokens: count,
	cache_read_input_tokens: count,
	cache_creation_input_tokens: count,
});

const delta = z.union([
	z.object({type: z.literal('text_delta'), text: z.string()}),
	z.object({type: z.literal('thinking_delta'), thinking: z.string()}),
]);

const contentBlock = z.union([
	z.object({type: z.literal('text'), text: z.string()}),
	z.object({type: z.literal('thinking'), thinking: z.string()}),
	z.object({
		type: z.literal('tool_use'),
		id: z.string().max(200),
		name: z.string().max(200),
		input: toolInput.catch({}),
	}),
	z.object({
		type: z.literal('tool_result'),
		tool_use_id: z.string().max(200),
		content: z.unknown().optional(),
		is_error: z.boolean().nullish(),
	}),
]);

const content = z.union([
	z.string().transform(text => [{type: 'text' as const, text}]),
	z.array(z.unknown()).transform(items =>
		items.flatMap(item => {
			const read = contentBlock.safeParse(item);
			return read.success ? [read.data] : [];
		}),
	),
]);

const patch = z.object({
	filePath: z.string(),
	structuredPatch: z
		.array(z.object({oldStart: z.number(), newStart: z.number(), lines: z.array(z.string())}))
		.min(1),
});

/** The messages of the client that mean something here; all others are ignored. */
const fromClient = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('system'),
		subtype: z.string(),
		session_id: z.string().max(200).optional(),
		attempt: z.number().optional().catch(undefined),
		max_retries: z.number().optional().catch(undefined),
		error: z.string().optional().catch(undefined),
		permissionMode: z.string().optional().catch(undefined),
	}),
	z.object({
		type: z.literal('stream_event'),
		parent_tool_use_id: z.string().nullish(),
		event: z.object({type: z.string(), delta: delta.optional().catch(undefined)}),
	}),
	z.object({
		type: z.literal('assistant'),
		parent_tool_use_id: z.string().nullish(),
		message: z.object({content, model: z.string().max(200).optional()}),
	}),
	z.object({
		type: z.literal('user'),
		parent_tool_use_id: z.string().nullish(),
		message: z.object({content}),
		tool_use_result: z.unknown().optional(),
	}),
	z.object({
		type: z.literal('result'),
		subtype: z.string(),
		is_error: z.boolean().catch(false),
		result: z.string().optional(),
		errors: z.array(z.string()).optional().catch(undefined),
		session_id: z.string().max(200).optional(),
		total_cost_usd: count.optional(),
		usage: usage.optional().catch(undefined),
	}),
	z.object({
		type: z.literal('control_response'),
		response: z.object({subtype: z.string(), request_id: z.string(), error: z.string().optional()}),
	}),
	z.object({
		type: z.literal('control_request'),
		request_id: z.string().max(200),
		request: z.discriminatedUnion('subtype', [
			z.object({
				subtype: z.literal('can_use_tool'),
				tool_name: z.string().max(200),
				input: toolInput,
				permission_suggestions: z.array(z.unknown()).optional().catch(undefined),
			}),
		]),
	}),
	z.object({type: z.literal('control_cancel_request'), request_id: z.string()}),
]);

type FromClient = z.infer<typeof fromClient>;
type ToolRequest = (FromClient & {type: 'control_request'})['request'];

const questions = z.object({
	questions: z
		.array(
			z.object({
				question: z.string(),
				options: z.array(z.object({label: z.string(), description: z.string().catch('')})).catch([]),
			}),
		)
		.min(1),
});

const modes: Readonly<Record<PermissionMode, string>> = {
	ask: 'default',
	'accept-edits': 'acceptEdits',
	plan: 'plan',
};

/**
 * Opens Claude Code over its stdio control protocol. The conversation gets our session's id, so its hook events
 * name our session; an id that the client knows already is resumed, and one it has lost is begun anew.
 */
export async function openClaude(options: OpenOptions): Promise<AgentSession> {
	const {resumeId, sessionId} = options;
	const resume = `--resume=${resumeId ?? sessionId}`;
	const begin = `--session-id=${sessionId}`;
	// A conversation that was begun elsewhere is not begun anew without a word.
	if (resumeId !== undefined && resumeId !== sessionId) return openWith(options, resume);
	const [first, second] = resumeId === undefined ? [begin, resume] : [resume, begin];
	try {
		return await openWith(options, first);
	} catch (error) {
		const isOtherWay =
			error instanceof AgentOpenError && /already in use|No conversation found/i.test(error.message);
		if (!isOtherWay) throw error;
		return openWith(options, second);
	}
}

async function openWith(options: OpenOptions, conversation: string): Promise<AgentSession> {
	const {groups, cwd, model, mode, signal, attachmentFolder, onEvent} = options;
	let turn: {readonly end: (end: TurnEnd) => void; isInterrupted: boolean; hasStreamed: boolean} | undefined;
	let costBefore = 0;
	let lastModel: string | undefined;
	const requests = new Map<string, ToolRequest>();
	const initialized = Promise.withResolvers<void>();
	initialized.promise.catch(() => {});
	const initializeId = randomUUID();

	const endTurn = (end: TurnEnd) => {
		for (const id of requests.keys()) onEvent({kind: 'request-gone', id});
		requests.clear();
		const ending = turn;
		turn = undefined;
		ending?.end(end);
	};

	const read = (message: FromClient) => {
		switch (message.type) {
			case 'system':
				if (message.subtype === 'init' && message.session_id)
					onEvent({kind: 'session-id', id: message.session_id});
				// Left by an approved plan. What allows more is never taken from the client.
				if (message.subtype === 'status' && message.permissionMode === modes.ask)
					onEvent({kind: 'mode', mode: 'ask'});
				// It retries for minutes: without a word, it would look stuck.
				if (message.subtype === 'api_retry' && turn) {
					const {error = 'error', attempt = 1, max_retries: max = '?'} = message;
					onEvent({kind: 'thought', text: `Retrying after ${error} (${attempt} of ${max})\n`});
				}
				return;
			case 'stream_event': {
				// What a subagent writes is not the agent's answer.
				if (message.parent_tool_use_id || !message.event.delta || !turn) return;
				turn.hasStreamed = true;
				const {delta} = message.event;
				onEvent(
					delta.type === 'text_delta'
						? {kind: 'text', text: delta.text}
						: {kind: 'thought', text: delta.thinking},
				);
				return;
			}
			case 'assistant':
				if (message.parent_tool_use_id || !turn) return;
				if (message.message.model !== '<synthetic>') lastModel = message.message.model ?? lastModel;
				for (const block of message.message.content) {
					if (block.type === 'tool_use')
						onEvent({kind: 'tool-call', id: block.id, name: block.name, input: block.input});
					// Streamed text is complete by now; text that was not streamed is the client's own.
					else if (block.type === 'text' && !turn.hasStreamed) onEvent({kind: 'text', text: block.text});
				}
				turn.hasStreamed = false;
				return;
			case 'user':
				if (message.parent_tool_use_id || !turn) return;
				for (const block of message.message.content)
					if (block.type === 'tool_result')
						onEvent({
							kind: 'tool-result',
							id: block.tool_use_id,
							text: patchText(message.tool_use_result) ?? resultText(block.content),
							isError: block.is_error === true,
						});
				return;
			case 'result': {
				if (message.session_id) onEvent({kind: 'session-id', id: message.session_id});
				if (message.usage) onEvent({kind: 'usage', usage: usageOf(message)});
				if (turn?.isInterrupted) return endTurn({how: 'interrupted'});
				const words = message.errors?.join('\n') || message.result || message.subtype;
				const isFailed = message.is_error || message.subtype !== 'success';
				return endTurn(isFailed ? {how: 'failed', message: words} : {how: 'done'});
			}
			case 'control_response':
				if (message.response.request_id !== initializeId) return;
				if (message.response.subtype === 'success') initialized.resolve();
				else initialized.reject(new AgentOpenError(message.response.error ?? 'claude refused to start'));
				return;
			case 'control_request': {
				const {request_id: id, request} = message;
				if (!turn) return deny(id, 'There is no turn.');
				requests.set(id, request);
				onEvent({kind: 'request', request: requestOf(id, request)});
				return;
			}
			case 'control_cancel_request':
				if (requests.delete(message.request_id)) onEvent({kind: 'request-gone', id: message.request_id});
		}
	};

	const usageOf = (message: FromClient & {type: 'result'}) => {
		// The client reports the cost of its whole process.
		const cost = Math.max(0, (message.total_cost_usd ?? 0) - costBefore);
		costBefore = message.total_cost_usd ?? costBefore;
		return {
			...(lastModel !== undefined && {model: lastModel}),
			inputTokens: message.usage?.input_tokens ?? 0,
			outputTokens: message.usage?.output_tokens ?? 0,
			cacheReadTokens: message.usage?.cache_read_input_tokens ?? 0,
			cacheWriteTokens: message.usage?.cache_creation_input_tokens ?? 0,
			...(message.total_cost_usd !== undefined && {cost}),
		};
	};

	const lines: JsonLines = startJsonLines({
		groups,
		file: 'claude',
		args: [
			'-p',
			'--input-format=stream-json',
			'--output-format=stream-json',
			'--verbose',
			'--include-partial-messages',
			'--permission-prompt-tool=stdio',
			`--permission-mode=${modes[mode]}`,
			`--add-dir=${attachmentFolder}`,
			conversation,
			...(model ? [`--model=${model}`] : []),
		],
		cwd,
		signal,
		onMessage(raw) {
			const message = fromClient.safeParse(raw);
			if (message.success) read(message.data);
			else refuseUnknown(raw);
		},
	});
	const respond = (id: string, response: unknown) =>
		lines.send({type: 'control_response', response: {subtype: 'success', request_id: id, response}});
	const deny = (id: string, message: string) => respond(id, {behavior: 'deny', message});
	/** A request that we can't read must not hang its turn. */
	const refuseUnknown = (raw: unknown) => {
		const asked = z.object({type: z.literal('control_request'), request_id: z.string()}).safeParse(raw);
		if (asked.success)
			lines.send({
				type: 'control_response',
				response: {subtype: 'error', request_id: asked.data.request_id, error: 'unsupported request'},
			});
	};
	void lines.ended.then(why => endTurn({how: 'failed', message: why}));

	lines.send({type: 'control_request', request_id: initializeId, request: {subtype: 'initialize'}});
	await whenOpen(lines, 'claude', initialized.promise);
	return {
		async prompt(blocks) {
			if (lines.isEnded) return {how: 'failed', message: await lines.ended};
			const {promise, resolve} = Promise.withResolvers<TurnEnd>();
			lines.allowMore();
			turn = {end: resolve, isInterrupted: false, hasStreamed: false};
			lines.send({type: 'user', message: {role: 'user', content: blocks.map(toBlock)}});
			return promise;
		},
		interrupt() {
			if (!turn) return;
			turn.isInterrupted = true;
			lines.send({type: 'control_request', request_id: randomUUID(), request: {subtype: 'interrupt'}});
		},
		answer(id, answer) {
			const request = requests.get(id);
			if (!request || lines.isEnded) return false;
			requests.delete(id);
			respond(id, responseTo(request, answer));
			return true;
		},
		close: lines.close,
		get isEnded() {
			return lines.isEnded;
		},
	};
}

function toBlock(block: PromptBlock) {
	return block.kind === 'text'
		? {type: 'text', text: block.text}
		: {type: 'image', source: {type: 'base64', media_type: block.mimeType, data: block.data}};
}

/** The client's answer to `can_use_tool`. "Always" repeats what the client itself suggested. */
function responseTo(
	{tool_name: tool, input, permission_suggestions: suggestions}: ToolRequest,
	{option, words}: RequestAnswer,
) {
	if (option === 'no')
		return {behavior: 'deny', message: words || 'The user does not want this. Ask what to do instead.'};
	const asked = tool === 'AskUserQuestion' ? questions.safeParse(input) : undefined;
	return {
		behavior: 'allow',
		updatedInput: asked?.success
			? {
					...input,
					answers: Object.fromEntries(asked.data.questions.map(({question}) => [question, words ?? ''])),
				}
			: input,
		...(option === 'always' && suggestions && {updatedPermissions: suggestions}),
	};
}

function requestOf(id: string, request: ToolRequest): AgentRequest {
	const {tool_name: tool, input, permission_suggestions: suggestions} = request;
	const asked = tool === 'AskUserQuestion' ? questions.safeParse(input) : undefined;
	if (asked?.success) {
		const text = asked.data.questions
			.map(({question, options}) =>
				[
					question,
					...options.map(({label, description}) => `- ${label}${description && `: ${description}`}`),
				].join('\n'),
			)
			.join('\n\n');
		const [first, ...others] = asked.data.questions;
		const choices = others.length === 0 ? first?.options.map(({label}) => label) : undefined;
		return {
			id,
			kind: 'question',
			tool,
			text: cutText(text),
			options: ['once', 'no'],
			...(choices && {choices}),
		};
	}
	const plan = tool === 'ExitPlanMode' && typeof input.plan === 'string' ? input.plan : undefined;
	if (plan !== undefined)
		return {id, kind: 'permission', tool, text: cutText(plan), isPlan: true, options: ['once', 'no']};
	return {
		id,
		kind: 'permission',
		tool,
		text: changeText(input) ?? cutText(inputText(input)),
		options: suggestions?.length ? ['once', 'always', 'no'] : ['once', 'no'],
	};
}

const change = z.union([
	z.object({file_path: z.string(), content: z.string()}),
	z.object({file_path: z.string(), old_string: z.string(), new_string: z.string()}),
]);

/** Largest file that is read to show a change, bytes. */
const maxReadSize = 1024 * 1024;

/** The change of a file that the tool would make, as a diff; undefined for other tools. */
function changeText(input: ToolInput): string | undefined {
	const read = change.safeParse(input);
	if (!read.success) return undefined;
	const {data} = read;
	if ('old_string' in data) return fileDiff(data.file_path, data.old_string, data.new_string);
	return fileDiff(data.file_path, currentText(data.file_path), data.content);
}

function currentText(path: string): string {
	try {
		const {size} = statSync(path);
		return size <= maxReadSize ? readFileSync(path, 'utf8') : '';
	} catch {
		return '';
	}
}

/** A tool's input in words: the command of a shell, else every field. */
function inputText(input: ToolInput): string {
	if (typeof input.command === 'string') return input.command;
	return Object.entries(input)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join('\n');
}

/** A change that a tool made, as the client computed it. */
function patchText(result: unknown): string | undefined {
	const read = patch.safeParse(result);
	if (!read.success) return undefined;
	const {filePath, structuredPatch} = read.data;
	const hunks = structuredPatch.map(({oldStart, newStart, lines}) => {
		const old = lines.filter(line => !line.startsWith('+')).length;
		const added = lines.filter(line => !line.startsWith('-')).length;
		return [`@@ -${oldStart},${old} +${newStart},${added} @@`, ...lines].join('\n');
	});
	return cutText([`--- ${filePath}`, `+++ ${filePath}`, ...hunks].join('\n'));
}

function resultText(content: unknown): string {
	if (typeof content === 'string') return cutText(content);
	if (!Array.isArray(content)) return '';
	const words = content.map(item => {
		const read = z.object({type: z.string(), text: z.string().optional()}).safeParse(item);
		return read.success ? (read.data.text ?? `[${read.data.type}]`) : '';
	});
	return cutText(words.join('\n'));
}
