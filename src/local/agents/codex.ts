import {z} from 'zod';
import type {RequestOption} from '../../domain/sessions/agent-request.ts';
import type {PermissionMode} from '../../domain/sessions/session.ts';
import {
	AgentOpenError,
	type AgentSession,
	type OpenOptions,
	type PromptBlock,
	type RequestAnswer,
	type TurnEnd,
} from './agent-session.ts';
import {whenOpen} from './json-lines.ts';
import {RpcError, startJsonRpc} from './json-rpc.ts';
import {cutText} from './tool-text.ts';

const id = z.string().max(500);
const ofThread = {threadId: id};

const change = z.object({path: z.string(), diff: z.string().catch('')});
const item = z.union([
	z.object({
		type: z.literal('commandExecution'),
		id,
		command: z.string(),
		aggregatedOutput: z.string().nullish(),
		exitCode: z.number().nullish(),
		durationMs: z.number().nullish(),
		status: z.string(),
	}),
	z.object({type: z.literal('fileChange'), id, changes: z.array(change), status: z.string()}),
	z.object({
		type: z.literal('mcpToolCall'),
		id,
		server: z.string(),
		tool: z.string(),
		arguments: z.unknown().optional(),
		status: z.string(),
		error: z.object({message: z.string()}).nullish().catch(undefined),
	}),
	z.object({type: z.literal('webSearch'), id, query: z.string()}),
]);
type Item = z.infer<typeof item>;

const count = z.number().nonnegative().catch(0);
const notifications = z.discriminatedUnion('method', [
	z.object({
		method: z.literal('item/agentMessage/delta'),
		params: z.object({...ofThread, delta: z.string()}),
	}),
	z.object({
		method: z.enum(['item/reasoning/summaryTextDelta', 'item/reasoning/textDelta']),
		params: z.object({...ofThread, delta: z.string()}),
	}),
	z.object({method: z.enum(['item/started', 'item/completed']), params: z.object({...ofThread, item})}),
	z.object({
		method: z.literal('turn/plan/updated'),
		params: z.object({
			...ofThread,
			plan: z.array(z.object({step: z.string(), status: z.string().catch('pending')})),
		}),
	}),
	z.object({
		method: z.literal('thread/tokenUsage/updated'),
		params: z.object({
			...ofThread,
			tokenUsage: z.object({
				last: z.object({inputTokens: count, cachedInputTokens: count, outputTokens: count}),
			}),
		}),
	}),
	z.object({
		method: z.literal('thread/name/updated'),
		params: z.object({...ofThread, threadName: z.string().nullish()}),
	}),
	z.object({
		method: z.literal('turn/completed'),
		params: z.object({
			...ofThread,
			turn: z.object({
				status: z.string(),
				error: z.object({message: z.string()}).nullish().catch(undefined),
			}),
		}),
	}),
	z.object({
		method: z.literal('serverRequest/resolved'),
		params: z.object({requestId: z.union([id, z.number()])}),
	}),
]);

const approval = z.discriminatedUnion('method', [
	z.object({
		method: z.literal('item/commandExecution/requestApproval'),
		params: z.object({...ofThread, itemId: id, command: z.string().nullish(), reason: z.string().nullish()}),
	}),
	z.object({
		method: z.literal('item/fileChange/requestApproval'),
		params: z.object({...ofThread, itemId: id, reason: z.string().nullish()}),
	}),
]);

const started = z.object({thread: z.object({id}), model: z.string().max(200).optional().catch(undefined)});
const turnStarted = z.object({turn: z.object({id})});

const sandboxes: Readonly<Record<PermissionMode, {approvalPolicy: string; sandbox: string}>> = {
	ask: {approvalPolicy: 'on-request', sandbox: 'read-only'},
	'accept-edits': {approvalPolicy: 'on-request', sandbox: 'workspace-write'},
	plan: {approvalPolicy: 'never', sandbox: 'read-only'},
};

/** Opens a Codex thread over its app server. */
export async function openCodex(options: OpenOptions): Promise<AgentSession> {
	const {groups, resumeId, cwd, model, mode, signal, onEvent} = options;
	let threadId: string | undefined;
	let usedModel = model;
	let turnId: string | undefined;
	let endTurn: ((end: TurnEnd) => void) | undefined;
	let isInterrupted = false;
	const items = new Map<string, Item>();
	const requests = new Map<string, string | number>();

	const rpc = startJsonRpc({
		groups,
		file: 'codex',
		args: ['app-server'],
		cwd,
		signal,
		onNotification(method, params) {
			const read = notifications.safeParse({method, params});
			if (!read.success || !endTurn) return;
			const {data} = read;
			if ('threadId' in data.params && data.params.threadId !== threadId) return;
			readNotification(data);
		},
		onRequest(rpcId, method, params) {
			const read = approval.safeParse({method, params});
			if (!read.success) return false;
			if (!endTurn || isInterrupted) {
				rpc.respond(rpcId, {decision: 'cancel'});
				return true;
			}
			const {data} = read;
			const requestId = `${rpcId}`;
			requests.set(requestId, rpcId);
			const known = items.get(data.params.itemId);
			const command = 'command' in data.params ? data.params.command : undefined;
			const about = command ?? (known && itemText(known)) ?? '';
			onEvent({
				kind: 'request',
				request: {
					id: requestId,
					kind: 'permission',
					tool: data.method === 'item/fileChange/requestApproval' ? 'edit' : 'shell',
					text: cutText([about, data.params.reason].filter(Boolean).join('\n\n')),
					options: ['once', 'always', 'no'],
				},
			});
			return true;
		},
	});

	const readNotification = (event: z.infer<typeof notifications>) => {
		switch (event.method) {
			case 'item/agentMessage/delta':
				return onEvent({kind: 'text', text: event.params.delta});
			case 'item/reasoning/summaryTextDelta':
			case 'item/reasoning/textDelta':
				return onEvent({kind: 'thought', text: event.params.delta});
			case 'item/started':
			case 'item/completed': {
				const {item} = event.params;
				items.set(item.id, item);
				onEvent({kind: 'tool-call', id: item.id, name: itemName(item), input: itemInput(item)});
				if (event.method === 'item/completed')
					onEvent({kind: 'tool-result', id: item.id, text: resultText(item), isError: isFailed(item)});
				return;
			}
			case 'turn/plan/updated': {
				const steps = event.params.plan.map(
					({step, status}) => `- [${status === 'completed' ? 'x' : ' '}] ${step}`,
				);
				return onEvent({kind: 'plan', text: cutText(steps.join('\n'))});
			}
			case 'thread/tokenUsage/updated': {
				const {inputTokens, cachedInputTokens, outputTokens} = event.params.tokenUsage.last;
				return onEvent({
					kind: 'usage',
					usage: {
						...(usedModel && {model: usedModel}),
						inputTokens,
						outputTokens,
						cacheReadTokens: cachedInputTokens,
						cacheWriteTokens: 0,
					},
				});
			}
			case 'thread/name/updated':
				if (event.params.threadName) onEvent({kind: 'title', title: event.params.threadName});
				return;
			case 'turn/completed': {
				const {status, error} = event.params.turn;
				if (status === 'interrupted') return end({how: 'interrupted'});
				if (status === 'failed') return end({how: 'failed', message: error?.message ?? 'the turn failed'});
				return end({how: 'done'});
			}
			case 'serverRequest/resolved':
				if (requests.delete(`${event.params.requestId}`))
					onEvent({kind: 'request-gone', id: `${event.params.requestId}`});
		}
	};

	const end = (how: TurnEnd) => {
		for (const requestId of requests.keys()) onEvent({kind: 'request-gone', id: requestId});
		requests.clear();
		items.clear();
		turnId = undefined;
		endTurn?.(how);
		endTurn = undefined;
	};

	const open = async () => {
		await rpc.request('initialize', {
			clientInfo: {name: 'quarterdeck', title: 'Quarterdeck', version: '0.1.0'},
		});
		rpc.notify('initialized', {});
		const thread = {cwd, ...sandboxes[mode], ...(model && {model})};
		const method = resumeId === undefined ? 'thread/start' : 'thread/resume';
		const opened = started.parse(
			await rpc.request(method, resumeId === undefined ? thread : {...thread, threadId: resumeId}),
		);
		threadId = opened.thread.id;
		usedModel ??= opened.model;
		onEvent({kind: 'session-id', id: threadId});
	};
	await whenOpen(
		rpc.lines,
		'codex',
		open().catch(error => {
			throw error instanceof RpcError ? new AgentOpenError(error.message) : error;
		}),
	);
	void rpc.lines.ended.then(why => end({how: 'failed', message: why}));
	const sendInterrupt = () => {
		if (turnId !== undefined) rpc.request('turn/interrupt', {threadId, turnId}).catch(() => {});
	};

	return {
		async prompt(blocks) {
			if (rpc.lines.isEnded) return {how: 'failed', message: await rpc.lines.ended};
			const {promise, resolve} = Promise.withResolvers<TurnEnd>();
			rpc.lines.allowMore();
			isInterrupted = false;
			endTurn = resolve;
			rpc.request('turn/start', {threadId, input: blocks.map(toInput)}).then(
				result => {
					turnId = turnStarted.safeParse(result).data?.turn.id;
					if (isInterrupted) sendInterrupt();
				},
				error => end({how: 'failed', message: (error as Error).message}),
			);
			return promise;
		},
		interrupt() {
			isInterrupted = true;
			sendInterrupt();
		},
		answer(requestId, answer) {
			const rpcId = requests.get(requestId);
			if (rpcId === undefined || rpc.lines.isEnded) return false;
			requests.delete(requestId);
			rpc.respond(rpcId, {decision: decisionOf(answer)});
			return true;
		},
		close: rpc.lines.close,
		get isEnded() {
			return rpc.lines.isEnded;
		},
	};
}

const decisions: Readonly<Record<RequestOption, string>> = {
	once: 'accept',
	always: 'acceptForSession',
	no: 'decline',
};

function decisionOf({option}: RequestAnswer): string {
	return decisions[option];
}

function toInput(block: PromptBlock) {
	return block.kind === 'text' ? {type: 'text', text: block.text} : {type: 'localImage', path: block.path};
}

function itemName(item: Item): string {
	switch (item.type) {
		case 'commandExecution':
			return 'shell';
		case 'fileChange':
			return 'edit';
		case 'mcpToolCall':
			return `${item.server}: ${item.tool}`;
		case 'webSearch':
			return 'web search';
	}
}

function itemInput(item: Item) {
	switch (item.type) {
		case 'commandExecution':
			return {command: item.command};
		case 'fileChange':
			return {path: item.changes.map(({path}) => path).join(', ')};
		case 'mcpToolCall':
			return {arguments: item.arguments};
		case 'webSearch':
			return {query: item.query};
	}
}

function itemText(item: Item): string {
	if (item.type === 'commandExecution') return item.command;
	if (item.type === 'fileChange') return diffText(item);
	return '';
}

function diffText({changes}: Item & {type: 'fileChange'}): string {
	return changes.map(({path, diff}) => `--- ${path}\n+++ ${path}\n${diff}`).join('\n');
}

function resultText(item: Item): string {
	if (item.type === 'fileChange') return cutText(diffText(item));
	if (item.type === 'mcpToolCall') return cutText(item.error?.message ?? '');
	if (item.type !== 'commandExecution') return '';
	const exit = item.exitCode ? `[exit ${item.exitCode}]` : '';
	return cutText([item.aggregatedOutput ?? '', exit].filter(Boolean).join('\n'));
}

function isFailed(item: Item): boolean {
	return 'status' in item && (item.status === 'failed' || item.status === 'declined');
}
