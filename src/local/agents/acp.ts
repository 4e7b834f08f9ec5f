import {realpathSync} from 'node:fs';
import {sep} from 'node:path';
import type {z} from 'zod';
import {noOption, type RequestAnswer, type RequestOption} from '../../domain/sessions/agent-request.ts';
import {pathsIn, pathWarnings} from '../../domain/sessions/path-warnings.ts';
import {type PermissionMode, permissionModes} from '../../domain/sessions/session.ts';
import {
	askedText,
	initialized,
	openedSession,
	type Permission,
	permission,
	promptResult,
	rawText,
	type ToolCall,
	toolName,
	toolOutput,
	type Update,
	update,
	usagesOf,
} from './acp-messages.ts';
import {
	AgentOpenError,
	type AgentSession,
	type OpenOptions,
	OpenRequests,
	type PromptBlock,
	type TurnEnd,
} from './agent-session.ts';
import {whenOpen} from './json-lines.ts';
import {RpcError, startJsonRpc} from './json-rpc.ts';
import {cutText, planText, shownRequest} from './tool-text.ts';

/** A client that speaks the Agent Client Protocol. `name` is shown to the user. */
export type AcpClient = {readonly name: string; readonly file: string; readonly args: readonly string[]};

const modeNames: Readonly<Record<PermissionMode, RegExp | undefined>> = {
	ask: undefined,
	'accept-edits': /^(auto|accept).?edits?$/i,
	plan: /^plan$/i,
};

/** The client's mode in our words, if we have one for it. */
function ownMode(modeId: string): string {
	if (/^(default|ask)$/i.test(modeId)) return 'ask';
	return permissionModes.find(own => modeNames[own]?.test(modeId)) ?? modeId;
}

/** Opens a conversation over the Agent Client Protocol, version 1. */
export async function openAcp(client: AcpClient, options: OpenOptions): Promise<AgentSession> {
	const {groups, resumeId, cwd, model, mode: permissionMode, attachmentFolder, signal, onEvent} = options;
	let sessionId: string | undefined;
	/** A resumed client repeats the conversation before it answers. */
	let isReplaying = false;
	let isPrompting = false;
	let isInterrupted = false;
	let cost = 0;
	/** The client reports the cost of the whole conversation. Undefined when resumed: its earlier cost isn't known. */
	let costBefore = resumeId === undefined ? 0 : undefined;
	let usedModel = model;
	let modes: z.infer<typeof openedSession>['modes'];
	const tools = new Map<string, ToolCall>();
	const cancel = (rpcId: string | number) => rpc.respond(rpcId, {outcome: {outcome: 'cancelled'}});
	const requests = new OpenRequests<Permission>(onEvent, cancel);
	/** Tool calls that the user denied. Gemini reports no result for them, so we do before its next message. */
	const denied = new Set<string>();
	/** Why the user denied them: no response holds that, so the turn goes on with it. */
	const reasons: string[] = [];

	const rpc = startJsonRpc({
		groups,
		...client,
		cwd,
		signal,
		onNotification(method, params) {
			if (method !== 'session/update') return;
			const {data} = update.safeParse(params);
			// Commands may come before the answer that names the session.
			if (data?.update.sessionUpdate === 'available_commands_update')
				onEvent({kind: 'commands', commands: data.update.availableCommands});
			else if (data && data.sessionId === sessionId && !isReplaying && isPrompting) readUpdate(data.update);
		},
		onRequest(rpcId, method, params) {
			if (method !== 'session/request_permission') return false;
			const read = permission.safeParse(params);
			if (!read.success || !isPrompting || isInterrupted) {
				cancel(rpcId);
				return true;
			}
			const {toolCall: call, options: choices} = read.data;
			noteTool(call);
			const known = tools.get(call.toolCallId) ?? call;
			const once = choices.find(({kind}) => kind === 'allow_once');
			if (once && readsAttachments(known, attachmentFolder)) {
				rpc.respond(rpcId, {outcome: {outcome: 'selected', optionId: once.optionId}});
				return true;
			}
			const paths = [...pathsIn(known.rawInput), ...pathsIn(known.content), ...pathsIn(known.locations)];
			requests.open(rpcId, read.data, id => ({
				id,
				kind: 'permission',
				tool: toolName(known),
				...shownRequest(askedText(known), optionsOf(read.data), {warnings: pathWarnings(paths, cwd)}),
			}));
			return true;
		},
	});

	const noteTool = (call: ToolCall) => {
		const before = tools.get(call.toolCallId);
		const next = {
			...before,
			...Object.fromEntries(
				Object.entries(call).filter(([, value]) => value !== undefined && value !== null),
			),
		} as ToolCall;
		tools.set(call.toolCallId, next);
		const input = next.rawInput ?? (next.title ? {description: next.title} : {});
		onEvent({kind: 'tool-call', id: call.toolCallId, name: toolName(next), input});
		if (next.status !== 'completed' && next.status !== 'failed') return;
		tools.delete(call.toolCallId);
		onEvent({
			kind: 'tool-result',
			id: call.toolCallId,
			text: cutText(toolOutput(next)) || rawText(next.rawOutput),
			isError: next.status === 'failed',
		});
	};

	const reportDenied = () => {
		for (const toolId of denied)
			if (tools.delete(toolId)) onEvent({kind: 'tool-result', id: toolId, text: 'Denied.', isError: true});
		denied.clear();
	};

	const readUpdate = (event: Exclude<Update, {sessionUpdate: 'available_commands_update'}>) => {
		switch (event.sessionUpdate) {
			case 'agent_message_chunk':
				reportDenied();
				return onEvent({kind: 'text', text: event.content.text});
			case 'agent_thought_chunk':
				return onEvent({kind: 'thought', text: event.content.text});
			case 'tool_call':
			case 'tool_call_update':
				return noteTool(event);
			case 'plan':
				return onEvent({
					kind: 'plan',
					text: planText(event.entries.map(({content: text, status}) => ({text, status}))),
				});
			case 'session_info_update':
				if (event.title) onEvent({kind: 'title', title: event.title});
				return;
			case 'current_mode_update':
				return onEvent({kind: 'mode', mode: ownMode(event.currentModeId)});
			case 'usage_update':
				if (event.used !== undefined && event.size !== undefined)
					onEvent({kind: 'context', context: {usedTokens: event.used, windowTokens: event.size}});
				if (event.cost?.currency === 'USD') cost = event.cost.amount;
		}
	};

	const setMode = async (own: PermissionMode) => {
		const modeId = modes?.availableModes.find(each => ownMode(each.id) === own)?.id ?? startMode(own);
		if (modeId === undefined) throw new AgentOpenError(`${client.name} has no mode "${own}"`);
		await rpc.request('session/set_mode', {sessionId, modeId});
		return own;
	};
	/** What the client does unless told otherwise, under a name of its own: it asks. */
	const startMode = (own: PermissionMode) => {
		const id = modes?.currentModeId;
		const isOther = permissionModes.some(mode => modeNames[mode]?.test(id ?? ''));
		return own === 'ask' && !isOther ? id : undefined;
	};

	const open = async () => {
		const info = initialized.parse(
			await rpc.request('initialize', {
				protocolVersion: 1,
				clientCapabilities: {fs: {readTextFile: false, writeTextFile: false}, terminal: false},
			}),
		);
		const {loadSession, promptCapabilities} = info.agentCapabilities;
		const conversation = {cwd, mcpServers: []};
		const newSession = async () => openedSession.parse(await rpc.request('session/new', conversation));
		const resumeSession = async (knownId: string) => {
			isReplaying = true;
			const result = await rpc.request('session/load', {...conversation, sessionId: knownId});
			isReplaying = false;
			return {...openedSession.parse(result ?? {}), sessionId: knownId};
		};
		const canLoad = loadSession && resumeId !== undefined;
		const session = canLoad ? await resumeSession(resumeId) : await newSession();
		if (session.sessionId === undefined) throw new AgentOpenError(`${client.name} opened no session`);
		sessionId = session.sessionId;
		onEvent({kind: 'session-id', id: sessionId});
		usedModel ??= session.configOptions?.find(option => option?.category === 'model')?.currentValue;
		modes = session.modes;
		if (permissionMode !== 'ask') await setMode(permissionMode);
		if (model) await rpc.request('session/set_model', {sessionId, modelId: model});
		return {takesImages: promptCapabilities.image};
	};

	const {takesImages} = await whenOpen(
		rpc.lines,
		client.name,
		open().catch(error => {
			throw error instanceof RpcError ? new AgentOpenError(advice(client, error)) : error;
		}),
	);

	const promptOnce = async (blocks: readonly PromptBlock[]): Promise<TurnEnd> => {
		const result = promptResult.parse(
			await rpc.request('session/prompt', {
				sessionId,
				prompt: blocks.map(each => toBlock(each, takesImages)),
			}),
		);
		const turnCost = costBefore === undefined ? 0 : cost - costBefore;
		for (const usage of usagesOf(result, usedModel, turnCost)) onEvent({kind: 'usage', usage});
		costBefore = cost;
		if (result.stopReason === 'cancelled' || isInterrupted) return {how: 'interrupted'};
		if (result.stopReason === 'end_turn') return {how: 'done'};
		return {how: 'failed', message: stopText(result.stopReason)};
	};

	const prompt = async (blocks: readonly PromptBlock[]): Promise<TurnEnd> => {
		isPrompting = true;
		isInterrupted = false;
		rpc.lines.resetOutputLimit();
		try {
			let end = await promptOnce(blocks);
			while (end.how !== 'failed' && !isInterrupted && reasons.length > 0) {
				onEvent({kind: 'paragraph'});
				end = await promptOnce([{kind: 'text', text: reasons.splice(0).join('\n\n')}]);
			}
			return end;
		} catch (error) {
			if (isInterrupted && !rpc.lines.isEnded) return {how: 'interrupted'};
			return {how: 'failed', message: advice(client, error as Error)};
		} finally {
			isPrompting = false;
			requests.closeAll();
			reportDenied();
			tools.clear();
			reasons.length = 0;
		}
	};

	return {
		prompt,
		interrupt() {
			if (!isPrompting) return;
			isInterrupted = true;
			requests.cancelAll();
			rpc.notify('session/cancel', {sessionId});
		},
		answer(requestId, answer) {
			const open = requests.take(requestId);
			if (!open || rpc.lines.isEnded) return false;
			const {request, clientId} = open;
			if (!optionsOf(request).find(({word}) => word === answer.option)?.allows) {
				denied.add(request.toolCall.toolCallId);
				if (answer.words) reasons.push(answer.words);
			}
			rpc.respond(clientId, {outcome: outcomeOf(request, answer)});
			return true;
		},
		setMode,
		process: rpc.lines,
	};
}

const wordsOfKinds = new Map([
	['allow_once', 'once'],
	['allow_always', 'always'],
	['reject_once', 'no'],
	['reject_always', 'never'],
]);

/**
 * The client's options, under its own names for them. A word stands for the first option of its kind; further ones are
 * numbered. A call can be denied even if the client offers no option for it.
 */
function optionsOf({options}: Permission): readonly (RequestOption & {readonly optionId?: string})[] {
	const words = new Set<string>();
	const offered = options.map(({optionId, name, kind}, index) => {
		const known = wordsOfKinds.get(kind);
		const word = known === undefined || words.has(known) ? `option-${index + 1}` : known;
		words.add(word);
		return {word, label: name.trim() || optionId, allows: !kind.startsWith('reject'), optionId};
	});
	return words.has('no') ? offered : [...offered, noOption];
}

/** Chooses exactly the user's option; cancels the call if the client doesn't offer it. */
function outcomeOf(permission: Permission, {option}: RequestAnswer) {
	const optionId = optionsOf(permission).find(({word}) => word === option)?.optionId;
	return optionId === undefined ? {outcome: 'cancelled'} : {outcome: 'selected', optionId};
}

/** Whether the call only reads files that the user attached, which needs no permission. */
function readsAttachments(call: ToolCall, attachmentFolder: string): boolean {
	const {kind, title, locations, content, rawInput} = call;
	const isInside = (path: string) => {
		try {
			const real = realpathSync(path);
			const folder = realpathSync(attachmentFolder);
			return real === folder || real.startsWith(folder + sep);
		} catch {
			return false;
		}
	};
	// Opencode asks for access to the file's folder, named in the title.
	const isReading = kind === 'read' || (kind === 'other' && isInside(title ?? ''));
	if (!isReading || content?.length || !locations?.length || rawInput?.command !== undefined) return false;
	return [...pathsIn(locations), ...pathsIn(rawInput)].every(isInside);
}

function toBlock(block: PromptBlock, takesImages: boolean) {
	if (block.kind === 'text') return {type: 'text', text: block.text};
	if (takesImages) return {type: 'image', mimeType: block.mimeType, data: block.data};
	return {type: 'resource_link', name: 'image', uri: `file://${block.path}`, mimeType: block.mimeType};
}

const stopReasons = new Map([
	['max_tokens', 'the answer reached the token limit'],
	['max_turn_requests', 'the turn reached its limit of requests'],
	['refusal', 'the model refused to answer'],
]);

function stopText(reason: string): string {
	return stopReasons.get(reason) ?? `the turn ended: ${reason}`;
}

/** The protocol's code for "log in first". */
const authRequired = -32_000;

function advice({name}: AcpClient, error: Error): string {
	const isLogin = error instanceof RpcError && error.code === authRequired;
	if (isLogin) return `${error.message}: log in with ${name} in a terminal, then send again`;
	if (/untrusted folder/i.test(error.message))
		return `${error.message} Trust the folder with ${name} in a terminal, then send again`;
	return error.message;
}
