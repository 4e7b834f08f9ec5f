import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runJson} from '../support/agent-says.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {childOf, emptyHome, openProgram} from '../support/program.ts';
import {replayAgents, scriptAgent} from '../support/replayed-agents.ts';
import type {Terminal} from '../support/terminal.ts';

/** The program with its embedded service, whose agent plays a recording, and a session that got a message. */
async function sessionWith(
	recording: string,
	message: string,
): Promise<{terminal: Terminal; id: string; env: NodeJS.ProcessEnv}> {
	replayAgents({claude: [recording]});
	const env = emptyHome();
	const folder = join(env.HOME as string, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		join(folder, 'config.json'),
		JSON.stringify({profiles: {mine: {local: true, agent: 'claude'}}}),
	);
	const [computer] = runJson(env, 'computers', 'create', '--name', 'desk', '--remote-user', 'me');
	const [session] = runJson(
		env,
		'sessions',
		'create',
		'--computer-id',
		`${computer?.id}`,
		'--cwd',
		temporaryFolder(),
	);
	const id = `${session?.sessionId}`;
	const terminal = openProgram(['--local'], env, {columns: 120, rows: 40});
	await terminal.see(/desk/);
	// What is saved is shown before the service runs here; until then, `send` would run its own, and end it.
	await terminal.see('● connected');
	runJson(env, 'send', id, message);
	return {terminal, id, env};
}

const named: Readonly<Record<string, RegExp>> = {y: /y allow once/, n: /n deny/, enter: /Enter send/};

/** Presses a key that answers, once the dialog names it: an earlier one doesn't count. */
async function answer(terminal: Terminal, key: string, isDone: RegExp): Promise<void> {
	await expect.poll(() => terminal.screen()).toMatch(named[key] ?? /never/);
	terminal.press(key);
	await expect.poll(() => terminal.screen()).toMatch(isDone);
}

async function quit(terminal: Terminal): Promise<void> {
	terminal.press('ctrl+c', 'ctrl+c');
	await terminal.see('Code 0');
	await terminal.exit();
}

test('a permission is shown whole and allowed once by y, and the agent goes on', async () => {
	const {terminal} = await sessionWith('claude-tool', 'TOOL');
	await terminal.see(/! .*approve|approve.*Bash/);
	terminal.press('!');
	await terminal.see('Answer request · Bash');
	await terminal.see('touch made-by-tool');
	// Numbers, which switch views elsewhere, answer nothing.
	terminal.press('1');
	await answer(terminal, 'y', /Allowed once/);
	await terminal.gone('Answer request · Bash');
	terminal.press('enter');
	await terminal.see('The tool is done: RESULT-SEEN.');
	await quit(terminal);
});

test('words for an answer become a draft of their session if the program ends first', async () => {
	const {terminal, env} = await sessionWith('claude-deny', 'TOOL');
	await terminal.see('approve');
	terminal.press('!');
	await terminal.see('always allow');
	terminal.press('tab');
	terminal.type('not now');
	await terminal.see(/Words to the agent +not now/);
	process.kill(childOf(terminal.pid), 'SIGTERM');
	await terminal.see('Code 143');
	const again = openProgram(['--local'], env, {columns: 120, rows: 40});
	await again.see('desk');
	again.press('g', 'enter');
	await again.see('> not now');
	await quit(again);
});

test('a permission is denied by n, with the words for the agent', async () => {
	const {terminal} = await sessionWith('claude-deny', 'TOOL');
	await terminal.see('approve');
	terminal.press('!');
	await terminal.see('touch made-by-tool');
	await terminal.see('always allow');
	terminal.press('tab');
	terminal.type('not now');
	await terminal.see(/Words to the agent +not now/);
	terminal.press('tab');
	await answer(terminal, 'n', /Denied/);
	await terminal.gone('Answer request · Bash');
	terminal.press('enter');
	await terminal.see('Denied. not now');
	await terminal.see(/✗ Bash touch made-by-tool +not now/);
	await quit(terminal);
});

test('a question asks for a reply, and its choice reaches the agent', async () => {
	const {terminal} = await sessionWith('claude-ask', 'ASK');
	await terminal.see(/reply.*Which colour\?/);
	terminal.press('!');
	await terminal.see('Answer question');
	await terminal.see('Blue');
	await terminal.see('choices');
	terminal.press('down', 'down');
	await terminal.see(/Your answer +Blue/);
	await answer(terminal, 'enter', /Answered/);
	await terminal.gone('Answer question');
	await quit(terminal);
});

test('Ctrl+C interrupts the agent of the focused stream, and pressed again quits', async () => {
	const {terminal} = await sessionWith('claude-interrupt', 'SLOW');
	await terminal.see('working');
	terminal.press('enter');
	await terminal.see('word1');
	terminal.press('ctrl+c');
	await terminal.see('The agent is interrupted; Ctrl+C again quits');
	await terminal.see('[interrupted]');
	await terminal.see('idle');
	await quit(terminal);
});

test('the form of a new session offers the installed agents and the mode; header and details show them', async () => {
	replayAgents({claude: ['claude-tool'], codex: ['codex-tool']});
	const env = emptyHome();
	runJson(env, 'computers', 'create', '--name', 'desk', '--remote-user', 'me');
	const terminal = openProgram(['--local'], env, {columns: 120, rows: 40});
	await terminal.see('desk');
	await terminal.see('connected');
	terminal.press('S');
	await terminal.see('( ) codex');
	terminal.press('tab');
	await terminal.see('runs in the session and stays with it');
	terminal.press('c');
	await terminal.see('(●) claude');
	terminal.press('c');
	await terminal.see('(●) codex');
	terminal.press('tab');
	await terminal.see('what the agent may do unasked');
	terminal.press('right');
	await terminal.see('(●) accept edits');
	terminal.press('ctrl+s');
	await terminal.see(/idle.* · codex/);
	await terminal.see('Esc leave');
	terminal.press('esc');
	await terminal.gone('Esc leave');
	terminal.press('i');
	await terminal.see(/mode +accept-edits/);
	await terminal.see(/agent +codex/);
	await quit(terminal);
});

test('doctor says which agents are installed, and advises on one that prints no version', () => {
	scriptAgent('claude', 'echo "2.1.197 (Claude Code)"');
	scriptAgent('codex', 'exit 1');
	const env = emptyHome();
	const folder = join(env.HOME as string, '.claude');
	const agents = () => {
		const [{checks}] = runJson(env, 'doctor') as [{checks: {name: string; found: string; advice?: string}[]}];
		return checks.filter(({name}) => name.startsWith('agent '));
	};
	expect(agents()).toContainEqual({
		name: 'agent codex',
		state: 'warning',
		found: expect.stringMatching(/codex prints no version$/),
		advice: expect.stringContaining('--version'),
	});
	mkdirSync(folder);
	writeFileSync(join(folder, '.credentials.json'), '{}');
	expect(agents()).toContainEqual({
		name: 'agent claude',
		state: 'ok',
		found: expect.stringMatching(/^2\.1\.197, \//),
	});
});
