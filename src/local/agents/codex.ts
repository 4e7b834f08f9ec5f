import {z} from 'zod';
import type {PermissionMode} from '../../domain/sessions/session.ts';
import {
	AgentOpenError,
	type AgentSession,
	type OpenOptions,
	OpenRequests,
	type PromptBlock,
	type TurnEnd,
} from './agent-session.ts';
import {type Item, isFailed, item, itemInput, itemName, requestedText, resultText} from './codex-items.ts';
import {
	cancelOf,
	requestOf,
	responseTo,
	type ServerRequest,
	serverRequest,
	wordsBeside,
} from './codex-requests.ts';
import {whenOpen} from './json-lines.ts';
import {RpcError, startJsonRpc} from './json-rpc.ts';
import {cutText, planText} from './tool-text.ts';

const id = z.string().max(500);
const ofThread = {threadId: id};

const count = z.number().nonnegative().catch(0);
/** One of the account's usage limits; it ends at `resetsAt`, Unix seconds. */
const rateLimit = z
	.object({usedPercent: count, resetsAt: z.int().positive().max(8.64e12)})
	.nullish()
	.catch(undefined);
const notifications = z.discriminatedUnion('method', [
	z.object({
		method: z.literal('item/agentMessage/delta'),
		params: z.object({...ofThread, itemId: id.catch(''), delta: z.string()}),
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
				last: z.object({
					totalTokens: count.optional(),
					inputTokens: count,
					cachedInputTokens: count,
					outputTokens: count,
				}),
				total: z.object({totalTokens: count}).optional().catch(undefined),
				modelContextWindow: count.nullish(),
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
				error: z.object({message: z.string(), codexErrorInfo: z.unknown()}).nullish().catch(undefined),
			}),
		}),
	}),
	z.object({
		method: z.literal('account/rateLimits/updated'),
		params: z.object({rateLimits: z.object({primary: rateLimit, secondary: rateLimit})}),
	}),
	z.object({
		method: z.literal('serverRequest/resolved'),
		params: z.object({requestId: z.union([id, z.number()])}),
	}),
]);

const openedThread = z.object({
	thread: z.object({id}),
	model: z.string().max(200).optional().catch(undefined),
});
const turnStarted = z.object({turn: z.object({id})});

const accessOfMode: Readonly<Record<PermissionMode, {approvalPolicy: string; sandbox: string}>> = {
	ask: {approvalPolicy: 'on-request', sandbox: 'read-only'},
	'accept-edits': {approvalPolicy: 'on-request', sandbox: 'workspace-write'},
	plan: {approvalPolicy: 'never', sandbox: 'read-only'},
};

export async function openCodex(options: OpenOptions): Promise<AgentSession> {
	const {groups, resumeId, cwd, model, mode, signal, onEvent} = options;
	let threadId: string | undefined;
	let usedModel = model;
	let turnId: string | undefined;
	let endTurn: ((end: TurnEnd) => void) | undefined;
	let isInterrupted = false;
	const items = new Map<string, Item>();
	/** Changes of files as diffs, by item: made before they are done, while a file still has its old text. */
	const diffs = new Map<string, string>();
	const requests = new OpenRequests<ServerRequest>(onEvent, (rpcId, request) =>
		rpc.respond(rpcId, cancelOf(request)),
	);
	/** Words with denials on their way to the running turn; each resolves with them if it doesn't take them. */
	const steered: Promise<string | undefined>[] = [];
	/** The tokens of the whole thread that were last reported. */
	let totalBefore: number | undefined;
	/** When the account's usage limits end that are reached, Unix seconds. A report may leave one out. */
	const reached = {primary: 0, secondary: 0};
	let writtenId: string | undefined;

	const rpc = startJsonRpc({
		groups,
		file: 'codex',
		// Without this, codex lets its models ask questions only in plan mode.
		args: ['app-server', '-c', 'features.default_mode_request_user_input=true'],
		cwd,
		signal,
		onNotification(method, params) {
			const read = notifications.safeParse({method, params});
			if (!read.success) return;
			const {data} = read;
			if (data.method === 'account/rateLimits/updated') return noteLimits(data.params.rateLimits);
			if (!endTurn) return;
			if ('threadId' in data.params && data.params.threadId !== threadId) return;
			readNotification(data);
		},
		onRequest(rpcId, method, params) {
			const read = serverRequest.safeParse({method, params});
			if (!read.success) return false;
			const request = read.data;
			if (!endTurn || isInterrupted) {
				rpc.respond(rpcId, cancelOf(request));
				return true;
			}
			noteDiff('itemId' in request.params ? items.get(request.params.itemId) : undefined);
			requests.open(rpcId, request, requestId => requestOf(requestId, request, items, cwd));
			return true;
		},
	});

	const noteLimits = (limits: {readonly [Name in keyof typeof reached]?: z.infer<typeof rateLimit>}) => {
		for (const name of ['primary', 'secondary'] as const) {
			const {usedPercent, resetsAt} = limits[name] ?? {};
			if (usedPercent !== undefined) reached[name] = usedPercent >= 100 ? (resetsAt ?? 0) : 0;
		}
	};

	const noteDiff = (item: Item | undefined) => {
		if (item?.type === 'fileChange') diffs.set(item.id, cutText(requestedText(item)));
	};

	const readNotification = (event: z.infer<typeof notifications>) => {
		switch (event.method) {
			case 'item/agentMessage/delta': {
				const {itemId, delta} = event.params;
				if (itemId !== writtenId) onEvent({kind: 'paragraph'});
				writtenId = itemId;
				return onEvent({kind: 'text', text: delta});
			}
			case 'item/reasoning/summaryTextDelta':
			case 'item/reasoning/textDelta':
				return onEvent({kind: 'thought', text: event.params.delta});
			case 'item/started':
			case 'item/completed': {
				const {item} = event.params;
				items.set(item.id, item);
				onEvent({kind: 'tool-call', id: item.id, name: itemName(item), input: itemInput(item)});
				if (event.method === 'item/started') noteDiff(item);
				else {
					const text = diffs.get(item.id) ?? resultText(item);
					onEvent({kind: 'tool-result', id: item.id, text, isError: isFailed(item)});
				}
				return;
			}
			case 'turn/plan/updated':
				return onEvent({
					kind: 'plan',
					text: planText(event.params.plan.map(({step: text, status}) => ({text, status}))),
				});
			case 'thread/tokenUsage/updated': {
				const {last, total, modelContextWindow: windowTokens} = event.params.tokenUsage;
				const {totalTokens: usedTokens, inputTokens, cachedInputTokens, outputTokens} = last;
				if (usedTokens !== undefined && windowTokens)
					onEvent({kind: 'context', context: {usedTokens, windowTokens}});
				// A call that was refused repeats the tokens of the one before.
				if (total && total.totalTokens === totalBefore) return;
				totalBefore = total?.totalTokens;
				return onEvent({
					kind: 'usage',
					usage: {
						model: usedModel,
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
				if (status === 'failed') {
					const until = error?.codexErrorInfo === 'usageLimitExceeded' && Math.max(...Object.values(reached));
					return end({
						how: 'failed',
						message: error?.message ?? 'the turn failed',
						limitedUntil: until ? until * 1000 : undefined,
					});
				}
				return steered.length === 0 ? end({how: 'done'}) : void goOn();
			}
			case 'serverRequest/resolved':
				requests.withdraw(event.params.requestId);
		}
	};

	const end = (how: TurnEnd) => {
		requests.closeAll();
		items.clear();
		diffs.clear();
		steered.length = 0;
		turnId = undefined;
		endTurn?.(how);
		endTurn = undefined;
	};

	const startTurn = (blocks: readonly PromptBlock[]) => {
		turnId = undefined;
		rpc.request('turn/start', {threadId, input: blocks.map(toInput)}).then(
			result => {
				turnId = turnStarted.safeParse(result).data?.turn.id;
				if (isInterrupted) sendInterrupt();
			},
			error => end({how: 'failed', message: (error as Error).message}),
		);
	};

	/** Ends a turn that is done, or starts another one with the words that it didn't take. */
	const goOn = async () => {
		const refused = (await Promise.all(steered.splice(0))).filter(words => words !== undefined);
		if (!endTurn) return;
		if (isInterrupted) return end({how: 'interrupted'});
		if (refused.length === 0) return end({how: 'done'});
		startTurn([{kind: 'text', text: refused.join('\n\n')}]);
	};

	const open = async () => {
		await rpc.request('initialize', {
			clientInfo: {name: 'quarterdeck', title: 'Quarterdeck', version: '0.1.0'},
		});
		rpc.notify('initialized', {});
		const thread = {cwd, ...accessOfMode[mode], model: model || undefined};
		const method = resumeId === undefined ? 'thread/start' : 'thread/resume';
		const opened = openedThread.parse(
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
			rpc.lines.resetOutputLimit();
			isInterrupted = false;
			endTurn = resolve;
			startTurn(blocks);
			return promise;
		},
		interrupt() {
			isInterrupted = true;
			sendInterrupt();
		},
		answer(requestId, answer) {
			const open = requests.take(requestId);
			if (!open || rpc.lines.isEnded) return false;
			const words = wordsBeside(open.request, answer);
			if (words) {
				const input = [toInput({kind: 'text', text: words})];
				const steering = rpc.request('turn/steer', {threadId, expectedTurnId: turnId, input});
				steered.push(
					steering.then(
						() => undefined,
						() => words,
					),
				);
			}
			rpc.respond(open.clientId, responseTo(open.request, answer));
			return true;
		},
		process: rpc.lines,
	};
}

function toInput(block: PromptBlock) {
	return block.kind === 'text' ? {type: 'text', text: block.text} : {type: 'localImage', path: block.path};
}
