import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Service} from '../../../../src/api/service.ts';
import {noOption, onceOption} from '../../../../src/domain/sessions/agent-request.ts';
import {askedText, toolCall} from '../../../../src/local/agents/acp-messages.ts';
import {requestOf} from '../../../../src/local/agents/claude-requests.ts';
import {item as codexItem} from '../../../../src/local/agents/codex-items.ts';
import {requestOf as codexRequestOf, serverRequest} from '../../../../src/local/agents/codex-requests.ts';
import {shownRequest} from '../../../../src/local/agents/tool-text.ts';
import {eventually} from '../../../support/eventually.ts';
import {sharedTestServices, temporaryFolder} from '../../../support/local-service.ts';
import {scriptAgent} from '../../../support/replayed-agents.ts';
import {optionsNamed} from '../../../support/request-options.ts';
import {createSession, whenAsked, whenIdle} from '../../../support/sessions.ts';

const shared = sharedTestServices();

function textOf(tool: 'Edit' | 'MultiEdit' | 'Write', input: Record<string, unknown>): string {
	return requestOf('id', {subtype: 'can_use_tool', tool_name: tool, input}, '/').text;
}

/** A file with this content, and an edit of it. */
function editOf(content: string, old: string, replacement: string, isAll = false) {
	const path = join(temporaryFolder(), 'file');
	writeFileSync(path, content);
	const text = textOf('Edit', {
		file_path: path,
		old_string: old,
		new_string: replacement,
		replace_all: isAll,
	});
	return {path, text};
}

const line = `${'x'.repeat(38)}\n`;

test.each([
	{name: 'of 270 KB', content: `${line.repeat(7000)}the old line\n${line.repeat(100)}`},
	{name: 'above 1 MiB', content: `${line.repeat(40_000)}the old line\n`},
	{name: 'with one line of 200 KB', content: `${'x'.repeat(200 * 1024)}the old line`},
])('an edit of a file $name shows what it replaces', ({content}) => {
	const {path, text} = editOf(content, 'the old line', 'the new line');
	expect(text.split('\n').slice(0, 2)).toEqual([`--- ${path}`, `+++ ${path}`]);
	expect(text).toMatch(/^-the old line$/m);
	expect(text).toMatch(/^\+the new line$/m);
	expect(text.match(/^@@.*/gm)).toEqual(['@@ replaced @@']);
	expect(text.length).toBeLessThan(1000);
});

test.each([
	{lines: 9000, count: '9000'},
	{lines: 30_000, count: 'unknown number'},
])('an edit of every occurrence in a file of $lines long lines says so', ({lines, count}) => {
	const {path, text} = editOf(`${'x'.repeat(42)} false\n`.repeat(lines), 'false', 'true', true);
	expect(text).toBe(`--- ${path}\n+++ ${path}\n@@ every occurrence (${count}) @@\n-false\n+true\n`);
});

test('a part of a file is shown whole, whatever its line ends', () => {
	const part = 'a\r\\b\u2028\\c\r@@ d @@\n';
	const {path, text} = editOf(line.repeat(40_000), 'a\n', part);
	expect(text).toBe(`--- ${path}\n+++ ${path}\n@@ replaced @@\n-a\n+${part}`);
});

test.each([
	{tool: 'mcp__x__run', input: {file_path: '/a', content: 'b', command: 'rm -rf ~', description: 'safe'}},
	{tool: 'mcp__x__run', input: {file_path: '/a', old_string: 'b', new_string: 'c', script: 'rm -rf ~'}},
	{tool: 'Write', input: {file_path: '/a', content: 'b', mode: '0777'}},
	{tool: 'Write', input: {file_path: 'package.json', content: 'of another folder than ours'}},
	{tool: 'Edit', input: {file_path: '/a', old_string: 'b', new_string: 'c', replace_all: 'true'}},
	{tool: 'Edit', input: {file_path: '/a', old_string: 'b', new_string: 'c', mode: '0777'}},
	{tool: 'Bash', input: {command: 'ls', dangerouslyDisableSandbox: true}},
])('every field of $tool is shown: $input', ({tool, input}) => {
	const {text} = requestOf('id', {subtype: 'can_use_tool', tool_name: tool, input}, '/');
	for (const value of Object.values(input)) expect(text).toContain(String(value));
});

test('shows several edits of a file with its line numbers, made one after the other', () => {
	const path = join(temporaryFolder(), 'file');
	writeFileSync(path, `a\n${line.repeat(20)}b\n`);
	const edits = [
		{old_string: 'a\n', new_string: 'a\nc\n'},
		{old_string: 'c\n', new_string: 'd\n'},
		{old_string: 'b', new_string: 'e', replace_all: true},
	];
	const text = textOf('MultiEdit', {file_path: path, edits});
	expect(text.match(/^@@.*/gm)).toEqual(['@@ -1,4 +1,5 @@', '@@ -19,4 +20,4 @@']);
	expect(text.match(/^[-+](?![-+]).*/gm)).toEqual(['+d', '-b', '+e']);
	const unknown = textOf('MultiEdit', {file_path: path, edits: [{old_string: 'z', new_string: 'y'}]});
	expect(unknown).toBe(`--- ${path}\n+++ ${path}\n@@ replaced @@\n-z\n+y`);
});

const limit = 128 * 1024;
const cannotAllow =
	/\n\[[\d,]+ characters left out\]\n[\s\S]*\n\nThis is too long to be shown whole: it can only be denied\.$/;

test.each([
	{tool: 'Bash', input: {command: 'x'.repeat(limit + 1)}},
	{tool: 'ExitPlanMode', input: {plan: 'x'.repeat(limit + 1)}},
	{tool: 'Write', input: {file_path: '/a', content: `${line.repeat(6000)}rm -rf ~`}},
	{tool: 'Edit', input: {file_path: '/a', old_string: 'a', new_string: `${line.repeat(6000)}rm -rf ~`}},
])('claude: what $tool would do can only be denied if it is too long to show', ({tool, input}) => {
	const suggestions = [{type: 'setMode', mode: 'acceptEdits'}];
	const request = {subtype: 'can_use_tool' as const, tool_name: tool, input};
	const {text, options} = requestOf('id', {...request, permission_suggestions: suggestions}, '/');
	expect(options).toEqual(optionsNamed('no'));
	expect(text).toMatch(cannotAllow);
});

test('a text of exactly the limit can be allowed, and so can one that replaces a long text', () => {
	const path = join(temporaryFolder(), 'file');
	writeFileSync(path, 'old\n'.repeat(30_000));
	for (const [tool, input] of [
		['Bash', {command: 'x'.repeat(limit)}],
		['Write', {file_path: path, content: 'new\n'.repeat(20_000)}],
	] as const) {
		const {text, options} = requestOf('id', {subtype: 'can_use_tool', tool_name: tool, input}, '/');
		expect(options).toEqual(optionsNamed('once', 'no'));
		expect(text).toMatch(/(?:xxx|\+new)$/);
	}
});

test('shows a replacement before the long text that it replaces', () => {
	const long = line.repeat(20_000);
	const {path, text} = editOf(`${long}end\n`, long, 'the new line\n');
	expect(text).toContain(`--- ${path}\n+++ ${path}\n@@ replaced @@\n+the new line\n-xxx`);
	expect(text).toMatch(cannotAllow);
});

test.each(['a', ''])('does not replace a million matches of "%s" in a file to show the edit', old => {
	const {path, text} = editOf('a'.repeat(1_000_000), old, 'b'.repeat(1000), true);
	expect(text).toMatch(new RegExp(`^--- ${path}\n\\+\\+\\+ ${path}\n`));
	expect(text).toContain('b'.repeat(1000));
	expect(text.length).toBeLessThan(2000);
});

test('shows all matches in a smaller file where they are', () => {
	const {text} = editOf('a 1\nb\na 2\n', 'a', '$&', true);
	expect(text).toContain('@@ -1,3 +1,3 @@\n-a 1\n+$& 1\n b\n-a 2\n+$& 2\n');
});

test('never shows a replaced file as a new one', () => {
	const folder = temporaryFolder();
	const [large, empty, directory] = ['large', 'empty', 'directory'].map(name => join(folder, name)) as [
		string,
		string,
		string,
	];
	writeFileSync(large, line.repeat(40_000));
	writeFileSync(empty, '');
	mkdirSync(directory);
	const write = (path: string) => textOf('Write', {file_path: path, content: 'new\n'});
	expect(write(large)).toBe(`--- ${large}\n+++ ${large}\n@@ the whole file @@\n+new`);
	expect(write(directory)).toBe(`--- ${directory}\n+++ ${directory}\n@@ the whole file @@\n+new`);
	expect(write(empty)).toBe(`--- ${empty}\n+++ ${empty}\n@@ -0,0 +1,1 @@\n+new\n`);
	expect(write(join(folder, 'new'))).toMatch(/^--- \/dev\/null\n/);
});

/** What an agent asks for in its first turn. */
async function askedBy(agent: string, cwd: string) {
	const {service} = await shared({agent});
	const sessionId = await createSession(service, cwd);
	await service.messages.add(sessionId, {text: 'move'});
	return {request: await whenAsked(service, sessionId), service, sessionId};
}

function writeMessages(cwd: string, messages: readonly object[], name = 'messages'): void {
	const path = join(cwd, name);
	writeFileSync(`${path}-new`, messages.map(message => `${JSON.stringify(message)}\n`).join(''));
	renameSync(`${path}-new`, path);
}

/** A shell script's part that begins a turn of codex with the messages that were written. */
const codexBegins = (cwd: string) => `read line; echo '{"id":1,"result":{}}'; read line
read line; echo '{"id":2,"result":{"thread":{"id":"t"}}}'
read line; echo '{"id":3,"result":{"turn":{"id":"u"}}}'; cat '${cwd}/messages'`;

function codexAsks(cwd: string, messages: readonly object[]) {
	writeMessages(cwd, messages);
	scriptAgent(
		'codex',
		`${codexBegins(cwd)}
until cat '${cwd}/result' 2>/dev/null || [ ! -e '${cwd}' ]; do sleep 0.05; done; read line`,
	);
	return askedBy('codex', cwd);
}

/** What codex asks for with a command; `items` are those that it has told of. */
function codexCommand(params: object, cwd = '/', items: readonly object[] = []) {
	const request = serverRequest.parse({
		method: 'item/commandExecution/requestApproval',
		params: {threadId: 't', turnId: 'u', itemId: 'c', ...params},
	});
	const known = items.map(each => codexItem.parse(each));
	return codexRequestOf('id', request, new Map(known.map(each => [each.id, each])), cwd);
}

test('codex: a command that is too long to show can only be denied', () => {
	const {options, text} = codexCommand({command: `${'x'.repeat(limit)}; rm -rf ~`});
	expect(options).toEqual(optionsNamed('no'));
	expect(text).toMatch(cannotAllow);
});

test.each([
	{fields: {command: ''}, shown: ''},
	{fields: {reason: 'to build'}, shown: '\n\nto build'},
	{fields: {cwd: '/'}, shown: '\n\ncwd: /'},
])('codex: a request without a command can only be denied: $fields', ({fields, shown}) => {
	const {options, text} = codexCommand({cwd: '/work', ...fields}, '/work');
	expect(options).toEqual(optionsNamed('no'));
	expect(text).toBe(`The agent doesn't say what this would allow: it can only be denied.${shown}`);
});

test.each([
	{
		fields: {cwd: '/', networkApprovalContext: {host: 'a.example'}},
		shown: 'cwd: /\nnetworkApprovalContext: {"host":"a.example"}',
		always: 'connections of every command to this host',
	},
	{
		fields: {additionalPermissions: {network: true}},
		shown: 'additionalPermissions: {"network":true}',
		always: 'this command',
	},
])('codex: a request shows everything that it would allow: $shown', ({fields, shown, always}) => {
	const {options, text} = codexCommand({command: 'make', cwd: '/work', reason: 'why', ...fields}, '/work');
	expect(text).toBe(`make\n\n${shown}\n\nwhy`);
	expect(options[1]?.changes).toEqual([`allow ${always}, until the session ends`]);
});

test('codex: input to a running terminal can be allowed once, but not always', () => {
	const request = codexCommand({kind: 'writeStdin', approvalId: 'd', command: 'ls'});
	expect(request).toMatchObject({text: 'ls', options: optionsNamed('once', 'no')});
});

test('codex: input to a running terminal is never shown as the command that runs there', () => {
	const psql = {type: 'commandExecution', id: 'c', command: 'psql', status: 'inProgress'};
	expect(codexCommand({}, '/', [psql]).text).toBe('psql');
	const {options, text} = codexCommand({kind: 'writeStdin', command: null}, '/', [psql]);
	expect(options).toEqual(optionsNamed('no'));
	expect(text).not.toContain('psql');
});

test('codex: words with a denial that the running turn refuses become their own turn', async () => {
	const cwd = temporaryFolder();
	const completed = {method: 'turn/completed', params: {threadId: 't', turn: {status: 'completed'}}};
	writeMessages(cwd, [completed], 'completed');
	const params = {threadId: 't', turnId: 'u', itemId: 'c', command: 'make'};
	writeMessages(cwd, [{id: 0, method: 'item/commandExecution/requestApproval', params}]);
	scriptAgent(
		'codex',
		`${codexBegins(cwd)}
read line; echo '{"id":4,"error":{"code":-32600,"message":"no turn to steer"}}'
read line; cat '${cwd}/completed'
read -r line; printf '%s' "$line" > '${cwd}/next'; echo '{"id":5,"result":{"turn":{"id":"v"}}}'
cat '${cwd}/completed'; read line`,
	);
	const {request, service, sessionId} = await askedBy('codex', cwd);
	await service.agentRequests.answer(sessionId, request.id, {option: 'no', words: 'not now'});
	await whenIdle(service, sessionId);
	expect(JSON.parse(readFileSync(join(cwd, 'next'), 'utf8'))).toMatchObject({
		method: 'turn/start',
		params: {threadId: 't', input: [{type: 'text', text: 'not now'}]},
	});
});

test('codex: a turn that is interrupted before it goes on with refused words says so', async () => {
	const cwd = temporaryFolder();
	const params = {threadId: 't', turnId: 'u', itemId: 'c', command: 'make'};
	writeMessages(cwd, [{id: 0, method: 'item/commandExecution/requestApproval', params}]);
	scriptAgent(
		'codex',
		`${codexBegins(cwd)}
read line; read line
echo '{"method":"turn/completed","params":{"threadId":"t","turn":{"status":"completed"}}}'
read line; echo '{"id":4,"error":{"code":-32600,"message":"no turn to steer"}}'; read line`,
	);
	const {request, service, sessionId} = await askedBy('codex', cwd);
	await service.agentRequests.answer(sessionId, request.id, {option: 'no', words: 'not now'});
	await service.agentRequests.interrupt(sessionId);
	await whenIdle(service, sessionId);
	const {items} = await service.messages.list(sessionId, {limit: 1});
	expect(items[0]?.content?.at(-1)?.text).toBe('[interrupted]');
});

/** What an ACP client asks for with this tool call. */
const acpAsks = (call: object) =>
	shownRequest(askedText(toolCall.parse({toolCallId: 'c', title: 'tool', ...call})), [onceOption, noOption]);

test.each([
	{name: 'a command', call: {rawInput: {command: `${'x'.repeat(limit)}; rm -rf ~`}}},
	{
		name: 'a change',
		call: {content: [{type: 'diff', path: '/a', oldText: '', newText: `${line.repeat(6000)}rm -rf ~`}]},
	},
])('acp: $name that is too long to show can only be denied', ({call}) => {
	const request = acpAsks(call);
	expect(request.options).toEqual(optionsNamed('no'));
	expect(request.text).toMatch(cannotAllow);
});

const diff = {type: 'diff', path: '/a', oldText: '', newText: 'new\n'};
const changed = '--- /dev/null\n+++ /a\n@@ -0,0 +1,1 @@\n+new\n';

test.each([
	{
		name: 'a command with its other fields',
		call: {title: 'npm test…', rawInput: {command: 'npm test &&\nrm -rf ~', cwd: '/', timeout: 1}},
		text: 'npm test &&\nrm -rf ~\n\ncwd: /\ntimeout: 1\n\ntitle: npm test…',
	},
	{
		name: 'a command in words',
		call: {title: 'run', kind: 'execute', rawInput: {command: ['bash', '-lc', "echo 'a'; rm -rf ~"]}},
		text: "bash -lc 'echo '\\''a'\\''; rm -rf ~'\n\ntitle: run",
	},
	{
		name: 'the command of a client that names the field otherwise',
		call: {title: 'Run a command', kind: 'execute', rawInput: {cmd: 'rm -rf ~', workdir: '/'}},
		text: 'Run a command\n\ncmd: rm -rf ~\nworkdir: /',
	},
	{
		name: 'the input of any tool',
		call: {title: 'external_directory', kind: 'other', rawInput: {filepath: '/etc/passwd', all: [1]}},
		text: 'external_directory\n\nfilepath: /etc/passwd\nall: [1]',
	},
	{
		name: 'a title that the input has, once',
		call: {title: 'https://a.example', kind: 'fetch', rawInput: {url: 'https://a.example'}},
		text: 'url: https://a.example',
	},
	{
		name: 'a change with all the rest',
		call: {content: [diff], rawInput: {command: 'rm -rf ~', filepath: '/a', after: 'push'}},
		text: `${changed}\ncommand: rm -rf ~\nafter: push\ntitle: tool`,
	},
	{
		name: 'a change alone',
		call: {title: '/a', content: [diff], rawInput: {filepath: '/a', diff: '+new'}},
		text: changed,
	},
	{
		name: 'that a change changes nothing',
		call: {title: '/a', content: [{...diff, oldText: 'new\n'}]},
		text: '--- /a\n+++ /a\n@@ no change @@',
	},
	{
		name: 'content besides the title',
		call: {title: 'make', content: [{type: 'content', content: {type: 'text', text: '[in /]'}}]},
		text: 'make\n\n[in /]',
	},
	{
		name: 'content of another kind',
		call: {title: 'make', content: [{type: 'terminal', terminalId: 't'}]},
		text: 'make\n\n{"type":"terminal","terminalId":"t"}',
	},
])('acp: a request shows $name', ({call, text}) => {
	expect(acpAsks(call).text).toBe(text);
});

test("acp: a request that doesn't say what it is for can only be denied", () => {
	const {text, options} = acpAsks({title: '', kind: 'execute', rawInput: {}});
	expect(options).toEqual(optionsNamed('no'));
	expect(text).toBe("The agent doesn't say what this would allow: it can only be denied.");
});

/** The same for a change of files, which codex makes when `run` is called. */
async function codexAsksToChange(cwd: string, changes: readonly object[]) {
	const ofTurn = {threadId: 't', turnId: 'u'};
	const item = {type: 'fileChange', id: 'c', changes, status: 'inProgress'};
	const asked = await codexAsks(cwd, [
		{method: 'item/started', params: {...ofTurn, item}},
		{id: 0, method: 'item/fileChange/requestApproval', params: {...ofTurn, itemId: 'c'}},
	]);
	const done = {method: 'item/completed', params: {...ofTurn, item: {...item, status: 'completed'}}};
	const run = () => writeMessages(cwd, [done], 'result');
	return {...asked, run};
}

async function resultIn(service: Service, sessionId: string): Promise<unknown> {
	return eventually(async () => {
		const {items} = await service.messages.list(sessionId, {limit: 100});
		const [result] = items.flatMap(({content = []}) => content.filter(({type}) => type === 'tool_result'));
		if (!result) throw new Error('there is no result');
		return result.content;
	});
}

test('codex: a file that was already written unasked is never shown as a new one', async () => {
	const cwd = temporaryFolder();
	const path = join(cwd, 'written.txt');
	writeFileSync(path, 'new\n');
	const {service, sessionId, run} = await codexAsksToChange(cwd, [
		{path, kind: {type: 'add'}, diff: 'new\n'},
	]);
	run();
	expect(await resultIn(service, sessionId)).toBe(`--- ${path}\n+++ ${path}\n@@ the whole file @@\n+new`);
});

test('codex: a move shows both names, and a new file shows the one that it replaces', async () => {
	const cwd = temporaryFolder();
	writeFileSync(join(cwd, 'existing.txt'), 'old\n');
	const changes = [
		{
			path: `${cwd}/a.txt`,
			kind: {type: 'update', move_path: `${cwd}/b.txt`},
			diff: '@@ -1,1 +1,1 @@\n-1\n+2\n',
		},
		{path: `${cwd}/existing.txt`, kind: {type: 'add'}, diff: 'new\n'},
	];
	const {request, service, sessionId, run} = await codexAsksToChange(cwd, changes);
	const diff =
		`--- ${cwd}/a.txt\n+++ ${cwd}/b.txt\n@@ -1,1 +1,1 @@\n-1\n+2\n\n` +
		`--- ${cwd}/existing.txt\n+++ ${cwd}/existing.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n`;
	expect(request.text).toBe(diff);
	await service.agentRequests.answer(sessionId, request.id, {option: 'once'});
	writeFileSync(join(cwd, 'existing.txt'), 'new\n');
	run();
	expect(await resultIn(service, sessionId)).toBe(diff);
	const {items} = await service.messages.list(sessionId, {limit: 100});
	const calls = items.flatMap(({content = []}) => content.filter(({type}) => type === 'tool_use'));
	expect(calls.map(({input}) => input)).toEqual([{path: `${cwd}/a.txt → ${cwd}/b.txt, ${cwd}/existing.txt`}]);
});
