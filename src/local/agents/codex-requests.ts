import {z} from 'zod';
import {
	noOption,
	onceOption,
	type RequestAnswer,
	type RequestOption,
} from '../../domain/sessions/agent-request.ts';
import {toolText} from '../../domain/sessions/hook-request.ts';
import {pathsIn, pathWarnings} from '../../domain/sessions/path-warnings.ts';
import type {NewRequest} from './agent-session.ts';
import {changedPaths, type Item, requestedText} from './codex-items.ts';
import {
	type Elicitation,
	elicitationReply,
	elicitationRequest,
	formFields,
	question,
	questionRequest,
} from './questions.ts';
import {shownRequest} from './tool-text.ts';

const id = z.string().max(500);
const ofThread = {threadId: id};

/** Codex asks for a tool of an MCP server as if the server did. */
const toolApproval = z.object({
	codex_approval_kind: z.literal('mcp_tool_call'),
	tool_name: z.string().max(500).catch(''),
	tool_params: z.record(z.string(), z.unknown()).nullish(),
	/** How long codex can remember that it is allowed. */
	persist: z.union([z.string(), z.array(z.string())]).optional(),
});
/** Codex's other requests in this form name a kind, too: they are refused. */
const noApproval = z.object({codex_approval_kind: z.undefined().optional()});

const ofServer = {
	...ofThread,
	serverName: z.string(),
	message: z.string(),
	_meta: z.union([toolApproval, noApproval]).nullish(),
};
const elicitation = z.discriminatedUnion('mode', [
	z.object({...ofServer, mode: z.literal('form'), requestedSchema: formFields}),
	z.object({...ofServer, mode: z.literal('url'), url: z.string()}),
]);
type ElicitationParams = z.infer<typeof elicitation>;

/**
 * Codex's requests to us. In `requestUserInput`, each question has an id that keys its answer; an elicitation is a
 * request of an MCP server, or one for a tool of it.
 */
export const serverRequest = z.discriminatedUnion('method', [
	z.object({
		method: z.literal('item/commandExecution/requestApproval'),
		params: z.object({
			...ofThread,
			itemId: id,
			/** Input to a running terminal, for one, is asked for each time, whatever we answer. */
			kind: z.string().catch('command'),
			command: z.string().nullish(),
			cwd: z.string().nullish(),
			networkApprovalContext: z.unknown().optional(),
			additionalPermissions: z.unknown().optional(),
			reason: z.string().nullish(),
		}),
	}),
	z.object({
		method: z.literal('item/fileChange/requestApproval'),
		params: z.object({
			...ofThread,
			itemId: id,
			grantRoot: z.string().nullish(),
			reason: z.string().nullish(),
		}),
	}),
	z.object({
		method: z.literal('item/tool/requestUserInput'),
		params: z.object({
			...ofThread,
			// Answers are stored, so questions for secrets are refused.
			questions: z.array(question.extend({id, isSecret: z.literal(false).optional()})).min(1),
		}),
	}),
	z.object({method: z.literal('mcpServer/elicitation/request'), params: elicitation}),
]);
export type ServerRequest = z.infer<typeof serverRequest>;

/** A request, with everything that it would allow. `cwd` is the session's folder. */
export function requestOf(
	id: string,
	request: ServerRequest,
	items: ReadonlyMap<string, Item>,
	cwd: string,
): NewRequest {
	if (request.method === 'item/tool/requestUserInput')
		return questionRequest(
			id,
			'request_user_input',
			request.params.questions.map(({id: _, isSecret: __, ...shown}) => shown),
		);
	if (request.method === 'mcpServer/elicitation/request') return serverRequestOf(id, request.params);
	const {threadId: _, itemId, reason, ...params} = request.params;
	const known = items.get(itemId);
	const {command, kind, ...fields} = {command: undefined, kind: 'command', ...params};
	// Without its command, input to a terminal says nothing: its item is what runs there.
	const about = command || (known && kind === 'command' && requestedText(known));
	const others = Object.entries(fields).filter(
		([name, value]) => value !== undefined && value !== null && !(name === 'cwd' && value === cwd),
	);
	const rest = toolText(Object.fromEntries(others));
	// A folder alone says only where.
	const saysWhat = about || others.some(([name]) => name !== 'cwd');
	return {
		id,
		kind: 'permission',
		tool: request.method === 'item/fileChange/requestApproval' ? 'edit' : 'shell',
		...shownRequest(
			saysWhat ? [about, rest].filter(Boolean).join('\n\n') : '',
			kind === 'command' ? [onceOption, alwaysOption(remembered(request)), noOption] : [onceOption, noOption],
			{
				warnings: pathWarnings([...changedPaths(known), ...pathsIn(params)], cwd),
				reason: [saysWhat ? '' : rest, reason].filter(Boolean).join('\n\n'),
			},
		),
	};
}

/** What "always" allows: codex asks for a connection as if it were a command, and remembers its host. */
function remembered({method, params}: ServerRequest): string {
	if (method === 'item/fileChange/requestApproval') return 'changes of these files';
	const isConnection = 'networkApprovalContext' in params && params.networkApprovalContext;
	return isConnection ? 'connections of every command to this host' : 'this command';
}

/** Codex remembers what it allows until the session ends, and writes no settings. */
function alwaysOption(what: string): RequestOption {
	return {
		word: 'always',
		label: 'always allow',
		allows: true,
		changes: [`allow ${what}, until the session ends`],
	};
}

const decisions = new Map([
	['once', 'accept'],
	['always', 'acceptForSession'],
]);

/** Our response to a request. If the user declines a question, the model learns that. */
export function responseTo(request: ServerRequest, answer: RequestAnswer) {
	const {option, words, answers = []} = answer;
	switch (request.method) {
		case 'mcpServer/elicitation/request':
			return {
				content: null,
				_meta: option === 'always' ? {persist: 'session'} : null,
				...elicitationReply(elicitationOf(request.params), answer),
			};
		case 'item/tool/requestUserInput': {
			const given = request.params.questions.map(({id}, index) => [
				id,
				{answers: [answers[index] ?? (words || 'The user does not want to answer.')]},
			]);
			return {answers: Object.fromEntries(given)};
		}
		default:
			return {decision: decisions.get(option) ?? 'decline'};
	}
}

/** Why the user denies something: no response holds it, so it is a message to the running turn. */
export function wordsBeside({method}: ServerRequest, {option, words}: RequestAnswer) {
	return option === 'no' && method !== 'item/tool/requestUserInput' ? words : undefined;
}

/** Our response to a request that comes when no turn runs, or after an interrupt. */
export function cancelOf({method}: ServerRequest) {
	if (method === 'mcpServer/elicitation/request') return {action: 'cancel', content: null, _meta: null};
	return method === 'item/tool/requestUserInput' ? {answers: {}} : {decision: 'cancel'};
}

function elicitationOf(params: ElicitationParams): Elicitation {
	const {serverName: server, message} = params;
	return params.mode === 'url'
		? {server, message, url: params.url}
		: {server, message, fields: params.requestedSchema};
}

/** Codex's own question about a tool of an MCP server, or a question of the server, which can look like the former. */
function serverRequestOf(id: string, params: ElicitationParams): NewRequest {
	const {serverName, message, _meta: meta} = params;
	const asksMore = params.mode === 'url' || Object.keys(params.requestedSchema).length > 0;
	if (meta?.codex_approval_kind !== 'mcp_tool_call' || asksMore)
		return elicitationRequest(id, elicitationOf(params));
	const {tool_name: tool, tool_params: input, persist = []} = meta;
	return {
		id,
		kind: 'permission',
		tool: [serverName, tool].filter(Boolean).join(': '),
		...shownRequest(
			[toolText(input ?? {}), message].filter(Boolean).join('\n\n'),
			[persist].flat().includes('session')
				? [onceOption, alwaysOption('every use of this tool'), noOption]
				: [onceOption, noOption],
			{warnings: pathWarnings(pathsIn(input), undefined)},
		),
	};
}
