import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import type {RequestAnswer} from '../../../../src/domain/sessions/agent-request.ts';
import {sharedTestServices, temporaryFolder} from '../../../support/local-service.ts';
import {scriptAgent} from '../../../support/replayed-agents.ts';
import {createSession, readAll, textOf, whenAsked, whenIdle} from '../../../support/sessions.ts';

const client = fileURLToPath(new URL('fixtures/asking-client.ts', import.meta.url));

const shared = sharedTestServices();

/** A session of each agent, for all requests that need no folder of their own: a client takes long to start. */
const sessions = new Map<string, Promise<string>>();

/** A session whose client sends these messages in its turn and then tells the replies. */
async function ask(
	protocol: 'acp' | 'claude' | 'codex',
	send: readonly object[],
	replies: number,
	cwd?: string,
) {
	if (protocol !== 'acp') scriptAgent(protocol, `exec '${process.execPath}' '${client}' ${protocol}`);
	const agent = protocol === 'acp' ? `acp:'${process.execPath}' '${client}' acp` : protocol;
	const {service} = await shared({agent});
	const known = cwd === undefined ? sessions.get(agent) : undefined;
	const created = known ?? createSession(service, cwd);
	if (cwd === undefined) sessions.set(agent, created);
	const sessionId = await created;
	await service.messages.add(sessionId, {text: JSON.stringify({send, replies})});
	const told = async () => {
		await whenIdle(service, sessionId);
		return JSON.parse(textOf((await readAll(service, sessionId)).at(-1)));
	};
	return {
		service,
		sessionId,
		told,
		request: await (replies === 1 ? whenAsked(service, sessionId) : undefined),
		async answer(id: string, answer: RequestAnswer) {
			await service.agentRequests.answer(sessionId, id, answer);
			return told();
		},
	};
}

const toolOfClaude = (tool: string, input: object, suggestions: readonly object[] = [], id = '1') => ({
	type: 'control_request',
	request_id: id,
	request: {subtype: 'can_use_tool', tool_name: tool, input, permission_suggestions: suggestions},
});
const commandOfCodex = (id: string | number, command: string) => ({
	id,
	method: 'item/commandExecution/requestApproval',
	params: {threadId: 't', itemId: `i${command}`, command},
});
const callOfAcp = (id: string | number, title: string, options: readonly object[], more: object = {}) => ({
	jsonrpc: '2.0',
	id,
	method: 'session/request_permission',
	params: {sessionId: 's', toolCall: {toolCallId: title, title, ...more}, options},
});
const acpOptions = [
	{optionId: 'a', name: 'Allow EVERY tool of every server', kind: 'allow_always'},
	{optionId: 'b', name: 'Allow this tool', kind: 'allow_always'},
	{optionId: 'c', name: 'Just once', kind: 'allow_once'},
	{optionId: 'd', name: 'No', kind: 'reject_once'},
	{optionId: 'e', name: 'Never ask again', kind: 'reject_always'},
];

const ownRule = {
	type: 'addRules',
	behavior: 'allow',
	destination: 'localSettings',
	rules: [{toolName: 'Bash', ruleContent: 'npm test:*'}],
};
const anyCommand = {...ownRule, destination: 'userSettings', rules: [{toolName: 'Bash'}]};
const bypass = {type: 'setMode', mode: 'bypassPermissions', destination: 'userSettings'};

test.each([
	['once', undefined],
	['always', [ownRule]],
	['mode', [bypass]],
	['rules', [anyCommand]],
])('claude gets with "%s" the changes that this answer lists, and no other', async (option, updates) => {
	const input = {command: 'npm test', description: 'run the tests'};
	const {request, answer} = await ask(
		'claude',
		[toolOfClaude('Bash', input, [bypass, ownRule, anyCommand])],
		1,
	);
	expect(request?.text).toBe('npm test\n\ndescription: run the tests');
	const [{response}] = await answer(request?.id ?? '', {option});
	expect(response.response).toEqual({
		behavior: 'allow',
		updatedInput: input,
		...(updates && {updatedPermissions: updates}),
	});
});

test('a plan shows every field that its approval hands back', async () => {
	const input = {plan: '# Plan', allowedPrompts: [{tool: 'Bash', prompt: 'push to production'}]};
	const {request, answer} = await ask('claude', [toolOfClaude('ExitPlanMode', input)], 1);
	expect(request?.text).toBe('# Plan\n\nallowedPrompts: [{"tool":"Bash","prompt":"push to production"}]');
	const [{response}] = await answer(request?.id ?? '', {option: 'once'});
	expect(response.response.updatedInput).toEqual(input);
});

test('a question shows every field that its answer hands back', async () => {
	const options = [{label: 'Red', description: 'warm', preview: 'rm -rf ~'}];
	const questions = [{question: 'Which?', header: 'Color', multiSelect: true, options, extra: 'x'}];
	questions.push({...questions[0], question: 'And then?', multiSelect: false} as never);
	const {request, answer} = await ask(
		'claude',
		[toolOfClaude('AskUserQuestion', {questions, metadata: {source: 'y'}})],
		1,
	);
	const text = 'Color: Which?\nextra: x\nmetadata: {"source":"y"}';
	const choices = [{label: 'Red', description: 'warm\npreview: rm -rf ~'}];
	expect(request?.text).toMatch(
		`${text}\n(more than one may be chosen)\n- Red: warm\npreview: rm -rf ~\n\nColor: And`,
	);
	expect(request?.questions).toEqual([
		{text, choices, takesSeveral: true},
		{text: 'Color: And then?\nextra: x', choices},
	]);
	const [{response}] = await answer(request?.id ?? '', {option: 'once', answers: ['Red', 'no more']});
	expect(response.response.updatedInput.answers).toEqual({'Which?': 'Red', 'And then?': 'no more'});
});

test.each([
	{mode: 'url', url: 'https://evil.example'},
	{mode: 'form', requestedSchema: {properties: {name: {type: 'string'}}}},
])("codex: a server's own request in mode $mode can't pass for the use of a tool", async asked => {
	const _meta = {codex_approval_kind: 'mcp_tool_call', tool_name: 'look', tool_params: {at: 'tea'}};
	const params = {threadId: 't', serverName: 'shop', message: 'Trust me', _meta, ...asked};
	const {request, answer} = await ask('codex', [{id: 1, method: 'mcpServer/elicitation/request', params}], 1);
	expect(request?.text).toMatch(/Trust me\n\n(?:https:\/\/evil\.example|name)$/);
	expect(await answer(request?.id ?? '', {option: 'no'})).toMatchObject([{result: {action: 'decline'}}]);
});

test('a write through a link says where it leads', async () => {
	const home = temporaryFolder();
	const cwd = join(home, 'project');
	mkdirSync(cwd);
	writeFileSync(join(home, '.bashrc'), '');
	symlinkSync('../.bashrc', join(cwd, 'notes.md'));
	const path = join(cwd, 'notes.md');
	const warnings = [`${path} leads to ${home}/.bashrc, outside the session's folder`];
	const written = {file_path: path, content: 'x'};
	expect((await ask('claude', [toolOfClaude('Write', written)], 1, cwd)).request).toMatchObject({warnings});
	const content = [{type: 'diff', path, oldText: '', newText: 'x'}];
	const call = callOfAcp(1, 'Write', acpOptions, {kind: 'edit', content});
	expect((await ask('acp', [call], 1, cwd)).request).toMatchObject({warnings});
	const item = {
		id: 'i',
		type: 'fileChange',
		status: 'inProgress',
		changes: [{path, kind: {type: 'update'}, diff: ''}],
	};
	const change = [
		{method: 'item/started', params: {threadId: 't', item}},
		{id: 1, method: 'item/fileChange/requestApproval', params: {threadId: 't', itemId: 'i'}},
	];
	expect((await ask('codex', change, 1, cwd)).request).toMatchObject({warnings});
});

test.each(['a', 'b', 'c', 'd', 'e'])('an ACP client gets exactly the option with id %s', async optionId => {
	const {request, answer} = await ask('acp', [callOfAcp(1, 'run', acpOptions)], 1);
	expect(request?.options?.map(({word, label, allows}) => [word, label, allows])).toEqual([
		['always', 'Allow EVERY tool of every server', true],
		['option-2', 'Allow this tool', true],
		['once', 'Just once', true],
		['no', 'No', false],
		['never', 'Never ask again', false],
	]);
	const index = acpOptions.findIndex(option => option.optionId === optionId);
	const [{result}] = await answer(request?.id ?? '', {option: request?.options?.[index]?.word ?? ''});
	expect(result).toEqual({outcome: {outcome: 'selected', optionId}});
});

test.each([
	{
		protocol: 'claude' as const,
		send: [
			toolOfClaude('Bash', {command: 'ls'}, [], '7'),
			toolOfClaude('Bash', {command: 'rm -rf ~'}, [], '7'),
		],
		refusal: {behavior: 'deny', message: 'Two requests had the same id.'},
	},
	{
		protocol: 'codex' as const,
		send: [commandOfCodex(7, 'ls'), commandOfCodex('7', 'rm -rf ~')],
		refusal: {decision: 'cancel'},
	},
	{
		protocol: 'acp' as const,
		send: [callOfAcp(7, 'ls', acpOptions), callOfAcp('7', 'rm -rf ~', acpOptions)],
		refusal: {outcome: {outcome: 'cancelled'}},
	},
])('two requests of $protocol under one id are both refused', async ({protocol, send, refusal}) => {
	const {service, sessionId, told} = await ask(protocol, send, 2);
	const replies = await told();
	expect(
		replies.map(
			(reply: {response?: {response: object}; result?: object}) => reply.response?.response ?? reply.result,
		),
	).toEqual([refusal, refusal]);
	expect(await service.agentRequests.list(sessionId)).toEqual([]);
});

test('the mode of a session is the one in force', async () => {
	const status = (permissionMode: string) => ({type: 'system', subtype: 'status', permissionMode});
	const {service, sessionId, told} = await ask(
		'claude',
		[status('acceptEdits'), status('bypassPermissions')],
		0,
	);
	await told();
	expect((await service.sessions.update(sessionId, {})).mode).toBe('bypassPermissions');
});
