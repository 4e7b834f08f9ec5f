import {existsSync, readdirSync, readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {NotFoundError} from '../../../../src/api/errors.ts';
import type {Service} from '../../../../src/api/service.ts';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {eventually} from '../../../support/eventually.ts';
import {sharedTestServices, startTestService, temporaryFolder} from '../../../support/local-service.ts';
import {replayAgents, scriptAgent} from '../../../support/replayed-agents.ts';
import {optionsNamed} from '../../../support/request-options.ts';
import {
	createReadyComputer,
	createSession,
	isProcessAlive,
	whenAsked,
	whenIdle,
} from '../../../support/sessions.ts';

const shared = sharedTestServices();

/** Messages in the order the service keeps them, newest last. */
async function messagesOf(service: Service, sessionId: string): Promise<Message[]> {
	return (await service.messages.list(sessionId, {limit: 100})).items.toReversed();
}

/** The texts of a session, with tool calls and results in words. */
async function storyOf(service: Service, sessionId: string): Promise<string[]> {
	return (await messagesOf(service, sessionId)).flatMap(({content = [], isError}) =>
		content.map(item => {
			if (item.type === 'tool_use') return `call ${item.name} ${JSON.stringify(item.input)}`;
			if (item.type === 'tool_result') return `result ${item.is_error ? 'error ' : ''}${item.content}`;
			if (item.type === 'thinking') return `thought ${item.thinking}`;
			return `${isError ? 'error ' : ''}${item.text}`;
		}),
	);
}

/** A shell script's part that answers Claude Code's first message. */
const initialized = `read line; id=$(printf %s "$line" | sed 's/.*"request_id":"\\([^"]*\\)".*/\\1/')
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s"}}\\n' "$id"`;

/** Kills a client between two turns, and lets the service see that. */
async function kill(pid = 0): Promise<void> {
	process.kill(pid, 'SIGKILL');
	await eventually(async () => expect(() => process.kill(pid, 0)).toThrow());
}

const hello = 'Hello from the mock. **bold** and `code`.\n\n- item one\n- item two\n\nYou said: say hello';

test('claude asks for permission, goes on once allowed, and remembers in the same process', async () => {
	const {starts} = replayAgents({claude: ['claude-tool']});
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'TOOL'});

	const request = await whenAsked(service, sessionId);
	expect(request).toMatchObject({
		sessionId,
		kind: 'permission',
		tool: 'Bash',
		text: 'touch made-by-tool\n\ndescription: make a file',
		options: optionsNamed('once', 'always', 'folders', 'mode', 'no'),
	});
	const card = (await storyOf(service, sessionId)).at(-1);
	const [shown] = (await messagesOf(service, sessionId)).at(-1)?.content ?? [];
	expect(shown?.request).toEqual({
		id: request.id,
		kind: 'permission',
		title: 'Bash: touch made-by-tool',
		state: 'open',
	});
	expect(card).toBe(
		'**Permission for Bash**\n\n```\ntouch made-by-tool\n\ndescription: make a file\n```\n\nAllow it?',
	);
	expect((await service.sessions.update(sessionId, {})).status).toBe('running');

	await service.agentRequests.answer(sessionId, request.id, {option: 'once'});
	await whenIdle(service, sessionId);
	expect(await storyOf(service, sessionId)).toEqual([
		'TOOL',
		'call Bash {"command":"touch made-by-tool","description":"make a file"}',
		'**Permission for Bash**\n\n```\ntouch made-by-tool\n\ndescription: make a file\n```\n\nAllowed once.',
		'result (Bash completed with no output)',
		'The tool is done: RESULT-SEEN.',
	]);
	const tools = await service.messages.list(sessionId, {role: 'tool'});
	expect(tools.items).toHaveLength(1);

	await service.messages.add(sessionId, {text: 'say hello'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toBe(hello);
	expect(starts('claude')).toHaveLength(1);
	const {sessionSettings, context} = await service.sessions.update(sessionId, {});
	expect(await service.agentRequests.commands(sessionId)).toEqual([
		{name: 'compact', description: 'Free up context', hint: '<what to keep>'},
		{name: 'usage', description: 'Show the cost'},
	]);
	expect(context).toEqual({usedTokens: 1234 + 5000 + 100 + 42, windowTokens: 200_000});
	expect(sessionSettings?.tokenUsage).toMatchObject({
		inputTokens: 3 * 1234,
		outputTokens: 3 * 42,
		cacheReadTokens: 15_000,
		cacheCreationTokens: 300,
	});
	// How much a compaction leaves isn't always told.
	await service.messages.add(sessionId, {text: '/compact'});
	await whenIdle(service, sessionId);
	expect((await service.sessions.update(sessionId, {})).context).toEqual({windowTokens: 200_000});
});

test('claude takes another mode while it asks, and one that it refuses changes nothing', async () => {
	replayAgents({claude: ['claude-mode']});
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'TOOL'});
	const {id} = await whenAsked(service, sessionId);
	expect((await service.sessions.update(sessionId, {mode: 'accept-edits'})).mode).toBe('accept-edits');
	await expect(service.sessions.update(sessionId, {mode: 'plan'})).rejects.toThrow(
		'Mode unchanged: Cannot set permission mode to plan',
	);
	expect((await service.sessions.update(sessionId, {})).mode).toBe('accept-edits');
	await service.agentRequests.answer(sessionId, id, {option: 'once'});
	await whenIdle(service, sessionId);
});

test('codex takes no mode while its turn runs, the shell none at all', async () => {
	replayAgents({codex: ['codex-tool']});
	const {service} = await shared({agent: 'codex'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'TOOL ESC'});
	const {id} = await whenAsked(service, sessionId);
	await expect(service.sessions.update(sessionId, {mode: 'plan'})).rejects.toThrow(
		'Mode unchanged: the agent takes a new mode only between turns.',
	);
	await service.agentRequests.answer(sessionId, id, {option: 'once'});
	await whenIdle(service, sessionId);
	expect((await service.sessions.update(sessionId, {mode: 'plan'})).mode).toBe('plan');

	const {service: withShell} = await shared({agent: 'shell'});
	const shellSession = await createSession(withShell);
	await expect(withShell.sessions.update(shellSession, {mode: 'plan'})).rejects.toThrow(/agent is a client/);
});

test('an ACP client changes to a mode that it has, and back', async () => {
	const {service} = await shared({agent: acpAgent});
	const sessionId = await createSession(service);
	const modeNow = async () => {
		await service.messages.add(sessionId, {text: 'MODE'});
		await whenIdle(service, sessionId);
		return (await storyOf(service, sessionId)).at(-1);
	};
	expect(await modeNow()).toBe('build');
	await service.sessions.update(sessionId, {mode: 'plan'});
	expect(await modeNow()).toBe('plan');
	await service.sessions.update(sessionId, {mode: 'ask'});
	expect(await modeNow()).toBe('build');
	await expect(service.sessions.update(sessionId, {mode: 'accept-edits'})).rejects.toThrow(/no mode/);
});

test("a denial passes on the user's words", async () => {
	replayAgents({claude: ['claude-deny']});
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'TOOL'});
	const {id} = await whenAsked(service, sessionId);
	await service.agentRequests.answer(sessionId, id, {option: 'no', words: 'not now'});
	await whenIdle(service, sessionId);
	const story = await storyOf(service, sessionId);
	expect(story[2]).toMatch(/Denied\. not now$/);
	expect(story[3]).toBe('result error not now');
	await expect(service.agentRequests.answer(sessionId, id, {option: 'once'})).rejects.toThrow(
		/no open request/,
	);
});

test.each([
	{agent: 'codex', text: 'TOOL with escalation', end: 'You said: not now'},
	{agent: 'gemini', text: 'TOOL', end: 'The tool is done: RESULT-SEEN.\n\nYou said: not now'},
])('$agent learns in the same turn why the user denied something', async ({agent, text, end}) => {
	replayAgents({[agent]: [`${agent}-denied`]});
	const {service} = await shared({agent});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text});
	const {id} = await whenAsked(service, sessionId);
	await service.agentRequests.answer(sessionId, id, {option: 'no', words: 'not now'});
	await whenIdle(service, sessionId);
	const story = await storyOf(service, sessionId);
	expect(story.filter(line => line.endsWith('Denied. not now'))).toHaveLength(1);
	expect(story.at(-1)).toBe(end);
});

test('the change to a file is shown before it is allowed', async () => {
	replayAgents({claude: ['claude-write']});
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service, temporaryFolder());
	await service.messages.add(sessionId, {text: 'WRITE'});
	const request = await whenAsked(service, sessionId);
	expect(request.text).toMatch(/^--- \/dev\/null\n\+\+\+ .*new\.txt\n@@ -0,0 \+1,2 @@\n\+hello\n\+world\n$/);
	expect((await storyOf(service, sessionId)).at(-1)).toContain('```diff\n--- /dev/null\n');
	await service.agentRequests.answer(sessionId, request.id, {option: 'once'});
	await whenIdle(service, sessionId);
});

test.each(['codex', 'gemini', 'opencode'])(
	'%s shows the diff of each write and edit, names the file, and marks a refused one',
	async agent => {
		replayAgents({[agent]: [`${agent}-write`]});
		const {service} = await shared({agent});
		const cwd = temporaryFolder();
		const sessionId = await createSession(service, cwd);
		const file = join(cwd, 'new.txt');
		const added = `--- /dev/null\n+++ ${file}\n@@ -0,0 +1,2 @@\n+hello\n+world\n`;
		const changed = `--- ${file}\n+++ ${file}\n@@ -1,2 +1,2 @@\n hello\n-world\n+moon\n`;
		for (const [text, option, diff] of [
			['WRITE', 'no', added],
			['WRITE', 'once', added],
			['EDIT', 'once', changed],
		] as const) {
			await service.messages.add(sessionId, {text});
			const request = await whenAsked(service, sessionId);
			expect(request).toMatchObject({kind: 'permission', tool: 'edit'});
			// Gemini's title says more than the diff.
			expect(request.text?.split('\ntitle: ')[0]).toBe(diff);
			const card = (await messagesOf(service, sessionId)).at(-1)?.content?.[0];
			expect(card?.text).toContain(`\`\`\`diff\n${diff}`);
			expect(card?.request).toMatchObject({title: `edit: ${file}`});
			await service.agentRequests.answer(sessionId, request.id, {option});
			await whenIdle(service, sessionId);
		}
		const story = await storyOf(service, sessionId);
		const denied = story.slice(0, story.indexOf('WRITE', 1));
		expect(denied.filter(line => line.startsWith('result error '))).toHaveLength(1);
		expect(story.filter(line => line.startsWith('result error '))).toHaveLength(1);
		expect(story.at(-1)).toBe('The tool is done: RESULT-SEEN.');
		if (agent !== 'codex') return;

		await service.messages.add(sessionId, {text: 'ASK'});
		const question = await whenAsked(service, sessionId);
		expect(question).toMatchObject({
			kind: 'question',
			text: 'Which color?\n- Red: Red\n- Blue: Blue',
			options: optionsNamed('once', 'no'),
			questions: [{text: 'Which color?', choices: [{label: 'Red'}, {label: 'Blue'}]}],
		});
		await service.agentRequests.answer(sessionId, question.id, {option: 'once', words: 'Blue'});
		await whenIdle(service, sessionId);
		expect((await storyOf(service, sessionId)).at(-1)).toMatch(/^answered: .*Blue/);
	},
);

test('a plan is shown as text; once it is approved, the session leaves plan mode', async () => {
	replayAgents({claude: ['claude-plan']});
	const {service} = await shared({agent: 'claude'});
	const computerId = await createReadyComputer(service);
	const cwd = temporaryFolder();
	const {sessionId} = await service.sessions.create({computerId, cwd, mode: 'plan'});
	await service.messages.add(sessionId, {text: 'PLAN'});
	const request = await whenAsked(service, sessionId);
	const plan = '# The plan\n\n1. **Make** the file\n2. Look at it';
	expect(request).toMatchObject({kind: 'permission', text: plan, options: optionsNamed('once', 'no')});
	expect((await storyOf(service, sessionId)).at(-1)).toBe(`**The agent's plan**\n\n${plan}\n\nAllow it?`);
	const [shown] = (await messagesOf(service, sessionId)).at(-1)?.content ?? [];
	expect(shown?.request).toMatchObject({title: 'plan: The plan'});
	await service.agentRequests.answer(sessionId, request.id, {option: 'once'});
	await whenIdle(service, sessionId);
	expect((await service.sessions.update(sessionId, {})).mode).toBe('ask');
});

test('a question takes words as its answer', async () => {
	replayAgents({claude: ['claude-ask']});
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'ASK'});
	const request = await whenAsked(service, sessionId);
	expect(request).toMatchObject({
		kind: 'question',
		text: 'Which colour?\n- Red: r\n- Blue: b',
		options: optionsNamed('once', 'no'),
	});
	const answer = (option: 'once' | 'always', words?: string) =>
		service.agentRequests.answer(sessionId, request.id, {option, ...(words && {words})});
	await expect(answer('once')).rejects.toThrow(/words/);
	await expect(answer('always', 'Blue')).rejects.toThrow(/option/);
	await answer('once', 'Blue');
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId))[2]).toMatch(/Answered\. Blue$/);
});

test("an interrupted turn keeps what was written, and isn't an error", async () => {
	const {starts} = replayAgents({claude: ['claude-interrupt', 'claude-resumed']});
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'SLOW'});
	await eventually(async () => expect((await storyOf(service, sessionId)).at(-1)).toContain('word1'));
	expect(await service.agentRequests.interrupt(sessionId)).toBe(true);
	await whenIdle(service, sessionId);
	const story = await storyOf(service, sessionId);
	expect(story[1]).toContain('word1');
	expect(story.at(-1)).toMatch(/\[interrupted\]$/);
	expect(story.join()).not.toContain('error');
	expect(await service.agentRequests.interrupt(sessionId)).toBe(false);

	await kill(starts('claude')[0]?.pid);
	await service.messages.add(sessionId, {text: 'second message'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toContain('You said: second message');
});

test('a first turn that was killed says so, and the next one resumes the conversation', async () => {
	const {starts} = replayAgents({claude: ['claude-killed', 'claude-resumed']});
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'SLOW'});
	await eventually(async () => expect((await storyOf(service, sessionId)).at(-1)).toContain('word1'));
	process.kill(starts('claude')[0]?.pid ?? 0, 'SIGKILL');
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toMatch(/^error claude was ended by SIGKILL/);

	await service.messages.add(sessionId, {text: 'second message'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toContain('You said: second message');
	expect(starts('claude')[0]?.args).toContain(`--session-id=${sessionId}`);
	expect(starts('claude')[1]?.args).toContainEqual(expect.stringMatching(/^--resume=[\da-f-]{36}$/));
});

test('a turn that the model refused says why, once, and the next message is sent', async () => {
	const {starts} = replayAgents({claude: ['claude-401', 'claude-resumed']});
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'FAIL401'});
	await whenIdle(service, sessionId);
	const story = await storyOf(service, sessionId);
	expect(story.slice(1)).toEqual([
		'thought Retrying after authentication_failed (1 of 1)\n',
		'error Not logged in · Please run /login',
	]);
	await kill(starts('claude')[0]?.pid);
	await service.messages.add(sessionId, {text: 'second message'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toContain('You said: second message');
});

test.each([
	{
		agent: 'codex',
		tool: 'shell',
		text: 'TOOL ESC',
		output: 126,
		context: {usedTokens: 1276, windowTokens: 258_400},
	},
	{agent: 'gemini', tool: 'execute', text: 'TOOL', output: 126, context: undefined},
	// It reports the last model call of a turn only.
	{agent: 'opencode', tool: 'execute', text: 'TOOL', output: 84, context: undefined},
])('$agent asks for permission, goes on once allowed, and remembers', async expected => {
	const {agent, tool, text, output} = expected;
	const {starts} = replayAgents({[agent]: [`${agent}-tool`]});
	const {service} = await shared({agent});
	const sessionId = await createSession(service, temporaryFolder());
	await service.messages.add(sessionId, {text});
	const request = await whenAsked(service, sessionId);
	expect(request).toMatchObject({
		kind: 'permission',
		tool,
		text: expect.stringContaining('touch made-by-tool'),
	});
	await service.agentRequests.answer(sessionId, request.id, {option: 'once'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toBe('The tool is done: RESULT-SEEN.');
	await service.messages.add(sessionId, {text: 'say hello'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toBe(hello);
	expect(starts(agent)).toHaveLength(1);
	const {sessionSettings, context} = await service.sessions.update(sessionId, {});
	expect(sessionSettings?.tokenUsage?.outputTokens).toBe(output);
	expect(context).toEqual(expected.context);
});

test('an ACP client can be interrupted', async () => {
	replayAgents({gemini: ['gemini-interrupt']});
	const {service} = await shared({agent: 'gemini'});
	const sessionId = await createSession(service, temporaryFolder());
	await service.messages.add(sessionId, {text: 'SLOW'});
	await eventually(async () => expect((await storyOf(service, sessionId)).at(-1)).toContain('word1'));
	await service.agentRequests.interrupt(sessionId);
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toMatch(/\[interrupted\]$/);
});

test('one service serves sessions with different agents, and each keeps its own', async () => {
	replayAgents({claude: ['claude-interrupt'], codex: ['codex-interrupt']});
	const {service} = await shared({agent: 'shell'});
	const computerId = await createReadyComputer(service);
	const cwd = temporaryFolder();
	const sessions = await Promise.all(
		['claude', 'codex'].map(agent => service.sessions.create({computerId, cwd, agent, mode: 'ask'})),
	);
	expect(sessions.map(({agent, mode}) => [agent, mode])).toEqual([
		['claude', 'ask'],
		['codex', 'ask'],
	]);
	for (const {sessionId} of sessions) await service.messages.add(sessionId, {text: 'SLOW'});
	for (const {sessionId} of sessions) {
		await eventually(async () => expect((await storyOf(service, sessionId)).at(-1)).toContain('word1'));
		await service.agentRequests.interrupt(sessionId);
		await whenIdle(service, sessionId);
		expect((await storyOf(service, sessionId)).at(-1)).toMatch(/\[interrupted\]$/);
	}
	await expect(service.sessions.create({computerId, agent: 'nobody'})).rejects.toThrow(/names no agent/);
});

test('closes an idle process, and the conversation goes on by its own id', async () => {
	const {starts} = replayAgents({claude: ['claude-resumed', 'claude-resumed']});
	const {service} = await startTestService({agent: 'claude', agentIdleTime: 0});
	const sessionId = await createSession(service);
	for (let n = 0; n < 2; n++) {
		await service.messages.add(sessionId, {text: 'second message'});
		await whenIdle(service, sessionId);
		await eventually(async () => expect(isProcessAlive(starts('claude')[n]?.pid ?? 0)).toBe(false));
	}
	expect(starts('claude')[1]?.args.join()).toContain('--resume=');
});

test('a request that was open when the service stopped is gone, and says so', async () => {
	const {starts} = replayAgents({claude: ['claude-tool']});
	const folder = temporaryFolder();
	const first = await startTestService({folder, agent: 'claude'});
	const sessionId = await createSession(first.service);
	await first.service.messages.add(sessionId, {text: 'TOOL'});
	const {id} = await whenAsked(first.service, sessionId);
	await first.close();
	expect(isProcessAlive(starts('claude')[0]?.pid ?? 0)).toBe(false);

	const {service} = await startTestService({folder, agent: 'claude'});
	expect((await service.sessions.update(sessionId, {})).status).toBe('idle');
	const story = await storyOf(service, sessionId);
	expect(story.join('\n')).toContain('Not answered: the agent no longer waits for it.');
	expect(story.at(-1)).toContain('[interrupted: the service was stopped]');
	expect(await service.agentRequests.list()).toEqual([]);
	expect(await service.agentRequests.list(sessionId)).toEqual([]);
	const unknown = service.agentRequests.list('nope');
	await expect(unknown).rejects.toThrow(NotFoundError);
	await expect(unknown).rejects.toThrow('Not found (404): there is no session nope');
	await expect(service.agentRequests.answer(sessionId, id, {option: 'once'})).rejects.toThrow(
		/no open request/,
	);
});

test.each([
	{
		name: 'garbage',
		agents: ['claude', 'codex', 'gemini'],
		script: 'yes garbage | head -n 300; sleep 100',
		says: /does not speak the expected protocol/,
	},
	{
		name: 'one endless line',
		agents: ['claude'],
		script: "head -c 40000000 /dev/zero | tr '\\0' x; sleep 100",
		says: /over 32 MiB/,
	},
	{
		name: 'an early death',
		agents: ['claude', 'codex', 'gemini'],
		script: 'echo "cannot start: no licence" >&2; exit 7',
		says: /no licence/,
	},
	{name: 'silence and death', agents: ['claude'], script: 'exit 7', says: /exit code 7/},
])('a client that answers with $name ends its turn with the reason', async ({agents, script, says}) => {
	for (const agent of agents) {
		scriptAgent(agent, script);
		const {service} = await shared({agent});
		const sessionId = await createSession(service);
		await service.messages.add(sessionId, {text: 'hello'});
		await whenIdle(service, sessionId);
		expect((await storyOf(service, sessionId)).at(-1)).toMatch(says);
		expect((await messagesOf(service, sessionId)).at(-1)?.isError).toBe(true);
	}
});

/** The user's own client of the Agent Client Protocol. */
const acpAgent = `acp:'${process.execPath}' '${fileURLToPath(new URL('fixtures/acp-agent.ts', import.meta.url))}'`;

test('an attached file is read unasked, any other if allowed; concurrent requests get an answer each', async () => {
	const {service, folder} = await shared({agent: acpAgent});
	const sessionId = await createSession(service, temporaryFolder());
	const data = Buffer.from('words').toString('base64');
	await service.messages.add(sessionId, {text: 'hello', files: [{name: 'note.txt', data}]});
	await whenIdle(service, sessionId);
	const attached = join(folder, 'sessions', sessionId);
	const [messageId = ''] = readdirSync(attached);
	const note = join(attached, messageId, '1-note.txt');
	const link = join(attached, 'link');
	symlinkSync('/etc/passwd', link);
	await service.messages.add(sessionId, {
		text: `READ ${note} ${link} ${attached}/../../x /etc/hosts ${note}`,
	});
	const [first, second, third] = await eventually(async () => {
		const open = await service.agentRequests.list(sessionId);
		expect(open).toHaveLength(3);
		return open;
	});
	expect([first?.text, second?.text, third?.text]).toEqual([
		`Read ${link}`,
		`Read ${attached}/../../x`,
		'Read /etc/hosts',
	]);
	await service.agentRequests.answer(sessionId, third?.id ?? '', {option: 'once'});
	await service.agentRequests.answer(sessionId, first?.id ?? '', {option: 'no'});
	expect(await service.agentRequests.list(sessionId)).toMatchObject([{id: second?.id}]);
	await service.agentRequests.answer(sessionId, second?.id ?? '', {option: 'no'});
	await whenIdle(service, sessionId);
	const yes = {outcome: 'selected', optionId: 'yes'};
	const never = {outcome: 'selected', optionId: 'never'};
	expect(JSON.parse((await storyOf(service, sessionId)).at(-1) ?? '')).toEqual([yes, never, never, yes, yes]);
});

test('what an agent says about a denial is its own paragraph, whatever it reported before', async () => {
	const {service} = await shared({agent: acpAgent});
	const sessionId = await createSession(service, temporaryFolder());
	await service.messages.add(sessionId, {text: 'READ /etc/hosts'});
	const {id} = await whenAsked(service, sessionId);
	await service.agentRequests.answer(sessionId, id, {option: 'no', words: 'not now'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toMatch(/\]\n\nYou said: not now$/);
});

test('each message of claude is a paragraph, whether it was streamed or came whole', async () => {
	const delta = (text: string) =>
		`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"${text}"}}}`;
	const whole = (text: string) =>
		`{"type":"assistant","message":{"content":[{"type":"text","text":"${text}"}]}}`;
	scriptAgent(
		'claude',
		`${initialized}
read line
cat <<'END'
${delta('I ')}
${delta('look.')}
${whole('I look.')}
${whole('The limit is reached.')}
${delta('Again.')}
${whole('Again.')}
{"type":"result","subtype":"success","is_error":false}
END
sleep 1000`,
	);
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'hello'});
	await whenIdle(service, sessionId);
	const [, answer] = await storyOf(service, sessionId);
	expect(answer).toBe('I look.\n\nThe limit is reached.\n\nAgain.');
});

test('claude tells how many of its sub-agents are at work, until its turn is over', async () => {
	const task = (subtype: string, id: string, type = 'local_agent') =>
		`{"type":"system","subtype":"${subtype}","task_id":"${id}","task_type":"${type}"}`;
	scriptAgent(
		'claude',
		`${initialized}
read line
cat <<'END'
${task('task_started', 'a')}
${task('task_started', 'b')}
${task('task_started', 'c')}
${task('task_started', 'shell', 'local_bash')}
${task('task_notification', 'a')}
END
read line`,
	);
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'hello'});
	const subagents = async () => (await service.sessions.update(sessionId, {})).subagents;
	await eventually(async () => expect(await subagents()).toBe(2));
	await service.agentRequests.interrupt(sessionId);
	await whenIdle(service, sessionId);
	expect(await subagents()).toBeUndefined();
});

/** A script of codex that answers the first message with these lines. */
const codexTurn = (lines: string) => `read line; echo '{"id":1,"result":{}}'; read line
read line; echo '{"id":2,"result":{"thread":{"id":"t"}}}'
read line
cat <<'END'
{"id":3,"result":{"turn":{"id":"u"}}}
${lines}
END
read line`;

test('each message of codex is a paragraph, and tokens that it reports again count once', async () => {
	const last = '{"totalTokens":50,"inputTokens":40,"cachedInputTokens":0,"outputTokens":10}';
	const tokens = `{"method":"thread/tokenUsage/updated","params":{"threadId":"t","tokenUsage":{"total":{"totalTokens":50},"last":${last}}}}`;
	const delta = (itemId: string, text: string) =>
		`{"method":"item/agentMessage/delta","params":{"threadId":"t","itemId":"${itemId}","delta":"${text}"}}`;
	scriptAgent(
		'codex',
		codexTurn(`${delta('a', 'I ')}
${delta('a', 'look.')}
${delta('b', 'All is well.')}
${tokens}
${tokens}
{"method":"turn/completed","params":{"threadId":"t","turn":{"status":"completed"}}}`),
	);
	const {service} = await shared({agent: 'codex'});
	const sessionId = await createSession(service, temporaryFolder());
	await service.messages.add(sessionId, {text: 'hello'});
	await whenIdle(service, sessionId);
	expect(await storyOf(service, sessionId)).toEqual(['hello', 'I look.\n\nAll is well.']);
	const {sessionSettings} = await service.sessions.update(sessionId, {});
	expect(sessionSettings?.tokenUsage).toMatchObject({inputTokens: 40, outputTokens: 10});
});

test('a turn of codex that a usage limit stops says until when', async () => {
	const limits = (all: object) =>
		JSON.stringify({method: 'account/rateLimits/updated', params: {rateLimits: all}});
	const error = {message: 'You’ve hit your usage limit.', codexErrorInfo: 'usageLimitExceeded'};
	const turn = {threadId: 't', turn: {status: 'failed', error}};
	scriptAgent(
		'codex',
		codexTurn(`${limits({primary: {usedPercent: 100, resetsAt: 1_893_456_000}, secondary: null})}
${limits({secondary: {usedPercent: 64, resetsAt: 1_893_999_000}})}
${JSON.stringify({method: 'turn/completed', params: turn})}`),
	);
	const {service} = await shared({agent: 'codex'});
	const sessionId = await createSession(service, temporaryFolder());
	await service.messages.add(sessionId, {text: 'hello'});
	await whenIdle(service, sessionId);
	expect((await service.sessions.update(sessionId, {})).limitedUntil).toBe(1_893_456_000_000);
});

test('an ACP client keeps its plan up to date, and tells its commands and the use of its context', async () => {
	const {service} = await shared({agent: acpAgent});
	const sessionId = await createSession(service, temporaryFolder());
	await service.messages.add(sessionId, {text: 'PLAN'});
	await whenIdle(service, sessionId);
	expect(await storyOf(service, sessionId)).toEqual(['PLAN', '- [x] step 1\n- [ ] step 2', 'planned']);
	const {context} = await service.sessions.update(sessionId, {});
	expect(context).toEqual({usedTokens: 1276, windowTokens: 100_000});
	expect(await service.agentRequests.commands(sessionId)).toEqual([
		{name: 'web', hint: 'query to search for'},
	]);
});

test('droid without a login says what to do', async () => {
	const {starts} = replayAgents({droid: ['droid-login']});
	const {service} = await shared({agent: 'droid'});
	const sessionId = await createSession(service, temporaryFolder());
	await service.messages.add(sessionId, {text: 'hello'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toMatch(
		/^error Authentication required: .*: log in with droid in a terminal, then send again$/,
	);
	expect(starts('droid')[0]?.args).toEqual(['exec', '--output-format', 'acp']);
});

test('gemini in a folder that it does not trust says what to do', async () => {
	replayAgents({gemini: ['gemini-untrusted']});
	const {service} = await shared({agent: 'gemini'});
	const computerId = await createReadyComputer(service);
	const cwd = temporaryFolder();
	const {sessionId} = await service.sessions.create({computerId, cwd, mode: 'accept-edits'});
	await service.messages.add(sessionId, {text: 'WRITE'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toMatch(
		/untrusted folder\. Trust the folder with gemini in a terminal, then send again$/,
	);
});

test('what a client leaves running ends with it', async () => {
	const folder = temporaryFolder();
	scriptAgent(
		'claude',
		`${initialized}\nsetsid sleep 1000 & echo $! > '${folder}/pid'\nread line; kill -9 $$`,
	);
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'hello'});
	await whenIdle(service, sessionId);
	expect((await storyOf(service, sessionId)).at(-1)).toMatch(/^error claude was ended by SIGKILL/);
	const pid = Number(readFileSync(`${folder}/pid`, 'utf8'));
	await eventually(async () => expect(isProcessAlive(pid)).toBe(false));
});

test("a turn whose client doesn't get ready can be interrupted, too", async () => {
	scriptAgent('claude', 'echo starting >&2; exec sleep 1000');
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'hello'});
	expect((await service.sessions.update(sessionId, {})).status).toBe('running');
	await eventually(async () => expect(await service.agentRequests.interrupt(sessionId)).toBe(true));
	await whenIdle(service, sessionId);
	expect(await storyOf(service, sessionId)).toEqual(['hello', '[interrupted]']);
});

test('an image is sent as an image, and a file as a path that the client may read', async () => {
	const log = join(temporaryFolder(), 'log');
	scriptAgent(
		'claude',
		`printf '%s\\n' "$*" > '${log}'; ${initialized}; read -r line; printf '%s' "$line" >> '${log}'`,
	);
	const {service, folder} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	const data = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
	const {messageId} = await service.messages.add(sessionId, {
		text: 'look',
		images: [{data}],
		files: [{name: 'notes.txt', parsedData: 'contents'}],
	});
	await whenIdle(service, sessionId);
	const [args = '', line = ''] = readFileSync(log, 'utf8').split('\n');
	const attached = join(folder, 'sessions', sessionId);
	expect(args).toContain(`--add-dir=${attached}`);
	expect(JSON.parse(line).message.content).toEqual([
		{
			type: 'text',
			text: `look\n\nAttached:\n- file notes.txt: ${join(attached, messageId, '1-notes.txt')}\n`,
		},
		{type: 'image', source: {type: 'base64', media_type: 'image/png', data}},
	]);
});

test('ignores unknown and malformed messages from a client', async () => {
	const init = `${initialized}
read line
cat <<'END'
[]
null
{"type":"assistant"}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":5},{"type":"text","text":"fine"},7]}}
{"type":"stream_event","event":{"type":"x","delta":{"type":"text_delta","text":{"a":1}}}}
{"type":"control_request","request_id":"r1","request":{"subtype":"hook_callback"}}
{"type":"control_request","request_id":"r2","request":{"subtype":"can_use_tool","tool_name":7}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"nobody","content":"x"}]}}
{"type":"result","subtype":"success","is_error":false,"usage":{"input_tokens":-5,"output_tokens":"many"}}
END
sleep 1000`;
	scriptAgent('claude', init);
	const {service} = await shared({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'hello'});
	await whenIdle(service, sessionId);
	expect(await storyOf(service, sessionId)).toEqual(['hello', 'fine']);
	const {sessionSettings} = await service.sessions.update(sessionId, {});
	expect(sessionSettings?.tokenUsage).toMatchObject({inputTokens: 0, outputTokens: 0});
});

test('the shell never gets what is meant for an agent', async () => {
	replayAgents({claude: []});
	const {service} = await shared({agent: 'claude'});
	const folder = temporaryFolder();
	const sessionId = await createSession(service, folder);
	await service.messages.add(sessionId, {text: 'touch by-the-shell'});
	await whenIdle(service, sessionId);
	expect(existsSync(`${folder}/by-the-shell`)).toBe(false);
});
