import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'vitest';
import {runJson} from '../support/agent-says.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {childOf, emptyHome, openProgram} from '../support/program.ts';
import {replayAgents} from '../support/replayed-agents.ts';

test('the requests of agents are answered by keys, an agent is interrupted, and a session starts with another one', async () => {
	replayAgents({
		claude: ['claude-interrupt', 'claude-tool', 'claude-deny', 'claude-ask', 'claude-deny'],
		codex: ['codex-tool'],
	});
	const env = emptyHome();
	const folder = join(env.HOME as string, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		join(folder, 'config.json'),
		JSON.stringify({profiles: {mine: {local: true, agent: 'claude'}}}),
	);
	const terminal = openProgram(['--local'], env, {columns: 120, rows: 40});
	const {see, gone, press, type} = terminal;
	await see('● connected');
	const [computer] = await runJson(env, 'computers', 'create', '--name', 'desk', '--remote-user', 'me');
	await see(/desk/);
	/** A new session that got a message. */
	const start = async (message: string) => {
		const place = ['--computer-id', `${computer?.id}`, '--cwd', temporaryFolder()];
		const [session] = await runJson(env, 'sessions', 'create', ...place);
		const id = `${session?.sessionId}`;
		await runJson(env, 'send', id, message);
		return id;
	};
	/** Goes to the session that asks, and to its request. */
	const openRequest = async (row: RegExp) => {
		await see(row);
		press(']');
		await see('Enter write');
		press('!');
	};
	const toLists = async () => {
		press('esc');
		await see('Enter open');
	};

	await start('SLOW');
	await see('1 working');
	press('enter');
	await see('word1');
	press('ctrl+c');
	await see('The agent is interrupted; Ctrl+C again quits');
	await see('[interrupted]');
	await see('idle');
	await toLists();

	await start('TOOL');
	await openRequest(/asks.*Bash/);
	await see('Answer request · Bash');
	await see('touch made-by-tool');
	// Numbers, which switch views elsewhere, answer nothing.
	press('1');
	await see('y allow once');
	press('y');
	await see('Allowed once');
	await gone('Answer request · Bash');
	await see('The tool is done: RESULT-SEEN.');
	await toLists();

	await start('TOOL');
	await openRequest(/asks.*Bash/);
	await see('always allow');
	press('tab');
	type('not now');
	await see(/Words to the agent +not now/);
	press('tab');
	await see('n deny');
	press('n');
	await see('Denied');
	await gone('Answer request · Bash');
	await see('Denied. not now');
	await see(/✗ Bash touch made-by-tool +not now/);
	await toLists();

	await start('ASK');
	await openRequest(/asks · Which colour\?/);
	await see('Answer question');
	await see(/▌1 Red/);
	await see('Enter send');
	type('j');
	await see(/▌2 Blue/);
	press('enter');
	await see('Answered');
	await gone('Answer question');
	await toLists();

	press('n');
	await see('What should it do?');
	type('PLAIN');
	await see('> PLAIN');
	press('shift+tab', 'shift+tab', 'shift+tab');
	await see('▌agent');
	press('c');
	await see('‹ codex ›');
	press('tab', 'tab', 'enter');
	await see('Settings of the new session');
	press('shift+tab', 'shift+tab');
	await see('what the agent may do unasked');
	press('right');
	await see('(●) accept edits');
	press('enter');
	await see('settings accept edits');
	press('enter');
	await see(/idle.* · codex/);
	await see('Esc leave');
	press('esc');
	await gone('Esc leave');
	press('i');
	await see(/mode +accept edits/);
	await see(/agent +codex/);
	press('esc');
	await gone('mode accept edits');

	// Words for an answer become a draft of their session if the program ends first.
	const last = await start('TOOL');
	await openRequest(/asks.*Bash/);
	await see('always allow');
	press('tab');
	type('not yet');
	await see(/Words to the agent +not yet/);
	process.kill(childOf(terminal.pid), 'SIGTERM');
	await see('Code 143');
	const again = openProgram(['--local', '--session', last], env, {columns: 120, rows: 40});
	await again.see('> not yet');
	// Before, it can't know who is at work.
	await again.see('● connected');
	again.press('ctrl+c', 'ctrl+c');
	await again.see('1 agent is at work');
	again.press('enter');
	await again.see('Code 0');
	await again.exit();
}, 120_000);
