import {randomUUID} from 'node:crypto';
import {z} from 'zod';
import {type PermissionMode, permissionModes} from '../../domain/sessions/session.ts';
import {
	AgentOpenError,
	type AgentSession,
	type OpenOptions,
	OpenRequests,
	type PromptBlock,
	type TurnEnd,
} from './agent-session.ts';
import {type ClientRequest, type FromClient, fromClient, toolResultText} from './claude-messages.ts';
import {cancelOf, requestOf, responseTo} from './claude-requests.ts';
import {type JsonLines, startJsonLines, whenOpen} from './json-lines.ts';

const modes: Readonly<Record<PermissionMode, string>> = {
	ask: 'default',
	'accept-edits': 'acceptEdits',
	plan: 'plan',
};

/** The client's mode in our words, if we have one for it. */
function ownMode(mode: string): string {
	return permissionModes.find(own => modes[own] === mode) ?? mode;
}

/**
 * Opens Claude Code over its stdio control protocol. The conversation gets our session's id, so that its hook events
 * name our session. If the client already has this id, it is resumed; if it has lost it, a new conversation starts.
 */
export async function openClaude(options: OpenOptions): Promise<AgentSession> {
	const {resumeId, sessionId} = options;
	const resume = `--resume=${resumeId ?? sessionId}`;
	const begin = `--session-id=${sessionId}`;
	// A conversation begun in a terminal: fail rather than silently start a new one.
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
	/** The tokens that the model's last call took, and with its answer. Only the end of a turn tells the window's size. */
	let sentTokens = 0;
	let usedTokens: number | undefined;
	let windowTokens: number | undefined;
	const requests = new OpenRequests<ClientRequest>(onEvent, (id, request) =>
		respond(`${id}`, cancelOf(request, 'Two requests had the same id.')),
	);
	const subagents = new Set<string>();
	type Answer = (FromClient & {type: 'control_response'})['response'];
	/** What we asked the client, by id. */
	const asked = new Map<string, PromiseWithResolvers<Answer>>();
	const ask = (request: Record<string, unknown>) => {
		const id = randomUUID();
		const answer = Promise.withResolvers<Answer>();
		asked.set(id, answer);
		answer.promise.catch(() => {});
		lines.send({type: 'control_request', request_id: id, request});
		return answer.promise;
	};

	const endTurn = (end: TurnEnd) => {
		requests.closeAll();
		subagents.clear();
		const ending = turn;
		turn = undefined;
		ending?.end(end);
	};

	const read = (message: FromClient) => {
		switch (message.type) {
			case 'system':
				if (message.subtype === 'init' && message.session_id)
					onEvent({kind: 'session-id', id: message.session_id});
				if (message.permissionMode) onEvent({kind: 'mode', mode: ownMode(message.permissionMode)});
				if (message.compact_metadata) reportContext(message.compact_metadata.post_tokens);
				if (message.task_id !== undefined) noteTask(message.task_id, message);
				// Retries can take minutes: show that it isn't stuck.
				if (message.subtype === 'api_retry' && turn) {
					const {error = 'error', attempt = 1, max_retries: max = '?'} = message;
					onEvent({kind: 'thought', text: `Retrying after ${error} (${attempt} of ${max})\n`});
				}
				return;
			case 'stream_event': {
				// Text of a subagent is not the agent's answer.
				if (message.parent_tool_use_id || !turn) return;
				if (message.event.usage) reportContext(sentTokens + message.event.usage.output_tokens);
				if (!message.event.delta) return;
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
				if (message.message.model !== '<synthetic>') {
					lastModel = message.message.model ?? lastModel;
					sentTokens = sentOf(message.message.usage) ?? sentTokens;
				}
				for (const block of message.message.content) {
					if (block.type === 'tool_use')
						onEvent({kind: 'tool-call', id: block.id, name: block.name, input: block.input});
					// Streamed text is complete by now; other text comes from the client itself.
					else if (block.type === 'text' && !turn.hasStreamed) onEvent({kind: 'text', text: block.text});
				}
				turn.hasStreamed = false;
				onEvent({kind: 'paragraph'});
				return;
			case 'user':
				if (message.parent_tool_use_id || !turn) return;
				for (const block of message.message.content) {
					if (block.type === 'tool_result')
						onEvent({
							kind: 'tool-result',
							id: block.tool_use_id,
							text: toolResultText(block.content, message.tool_use_result),
							isError: block.is_error === true,
						});
					// What a command such as /compact prints.
					const printed = block.type === 'text' && commandOutput.exec(block.text)?.[1]?.trim();
					if (printed) onEvent({kind: 'text', text: printed});
				}
				return;
			case 'result': {
				if (message.session_id) onEvent({kind: 'session-id', id: message.session_id});
				if (message.usage) onEvent({kind: 'usage', usage: usageOf(message)});
				windowTokens = windowOf(message.modelUsage, lastModel) ?? windowTokens;
				if (usedTokens !== undefined) reportContext(usedTokens);
				if (turn?.isInterrupted) return endTurn({how: 'interrupted'});
				const text = message.errors?.join('\n') || message.result || message.subtype;
				const isFailed = message.is_error || message.subtype !== 'success';
				return endTurn(isFailed ? {how: 'failed', message: text} : {how: 'done'});
			}
			case 'control_response': {
				const {response} = message;
				const waiting = asked.get(response.request_id);
				asked.delete(response.request_id);
				if (response.subtype === 'success') waiting?.resolve(response);
				else waiting?.reject(new AgentOpenError(response.error ?? 'claude refused'));
				return;
			}
			case 'control_request': {
				const {request_id: id, request} = message;
				if (!turn) return respond(id, cancelOf(request, 'No turn is running.'));
				return requests.open(id, request, ownId => requestOf(ownId, request, cwd));
			}
			case 'control_cancel_request':
				requests.withdraw(message.request_id);
		}
	};

	const noteTask = (id: string, {subtype, task_type}: FromClient & {type: 'system'}) => {
		if (subtype === 'task_started' && task_type === 'local_agent') subagents.add(id);
		else if (subtype !== 'task_notification' || !subagents.delete(id)) return;
		onEvent({kind: 'subagents', count: subagents.size});
	};

	const reportContext = (tokens: number | undefined) => {
		usedTokens = tokens;
		onEvent({kind: 'context', context: {usedTokens, windowTokens: windowTokens || undefined}});
	};

	const usageOf = (message: FromClient & {type: 'result'}) => {
		// The client reports the cost of its whole process.
		const cost = Math.max(0, (message.total_cost_usd ?? 0) - costBefore);
		costBefore = message.total_cost_usd ?? costBefore;
		return {
			model: lastModel,
			inputTokens: message.usage?.input_tokens ?? 0,
			outputTokens: message.usage?.output_tokens ?? 0,
			cacheReadTokens: message.usage?.cache_read_input_tokens ?? 0,
			cacheWriteTokens: message.usage?.cache_creation_input_tokens ?? 0,
			cost: message.total_cost_usd === undefined ? undefined : cost,
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
	/** A request that we can't read must not hang its turn. */
	const refuseUnknown = (raw: unknown) => {
		const parsed = z.object({type: z.literal('control_request'), request_id: z.string()}).safeParse(raw);
		if (parsed.success)
			lines.send({
				type: 'control_response',
				response: {subtype: 'error', request_id: parsed.data.request_id, error: 'unsupported request'},
			});
	};
	void lines.ended.then(why => {
		for (const {reject} of asked.values()) reject(new AgentOpenError(why));
		endTurn({how: 'failed', message: why});
	});

	const {response: about} = await whenOpen(lines, 'claude', ask({subtype: 'initialize'}));
	if (about?.commands) onEvent({kind: 'commands', commands: about.commands});
	return {
		async prompt(blocks) {
			if (lines.isEnded) return {how: 'failed', message: await lines.ended};
			const {promise, resolve} = Promise.withResolvers<TurnEnd>();
			lines.resetOutputLimit();
			turn = {end: resolve, isInterrupted: false, hasStreamed: false};
			lines.send({type: 'user', message: {role: 'user', content: blocks.map(toBlock)}});
			return promise;
		},
		interrupt() {
			if (!turn) return;
			turn.isInterrupted = true;
			void ask({subtype: 'interrupt'});
		},
		async setMode(mode) {
			const {response} = await ask({subtype: 'set_permission_mode', mode: modes[mode]});
			return ownMode(response?.mode ?? modes[mode]);
		},
		answer(id, answer) {
			const open = requests.take(id);
			if (!open || lines.isEnded) return false;
			respond(`${open.clientId}`, responseTo(open.request, answer));
			return true;
		},
		process: lines,
	};
}

const commandOutput = /^<local-command-stdout>([\s\S]*)<\/local-command-stdout>$/;

type Usage = NonNullable<(FromClient & {type: 'result'})['usage']>;

function sentOf(usage: Usage | undefined): number | undefined {
	return usage && usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
}

/** The context window of a model. The client may add to the model's name, as in `name[1m]`. */
function windowOf(
	models: (FromClient & {type: 'result'})['modelUsage'] = {},
	model: string | undefined,
): number | undefined {
	return (models[model ?? ''] ?? Object.entries(models).find(([name]) => name.startsWith(`${model}[`))?.[1])
		?.contextWindow;
}

function toBlock(block: PromptBlock) {
	return block.kind === 'text'
		? {type: 'text', text: block.text}
		: {type: 'image', source: {type: 'base64', media_type: block.mimeType, data: block.data}};
}
