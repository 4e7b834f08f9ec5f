import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'vitest';
import {temporaryFolder} from '../support/local-service.ts';
import {childOf, emptyHome, openProgram} from '../support/program.ts';
import {replayAgents} from '../support/replayed-agents.ts';
import {runJson} from '../support/run-inside.ts';

test('a request of an agent is answered by a key; words for another are kept when the program is ended', async () => {
	replayAgents({claude: ['claude-tool', 'claude-deny']});
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
	await again.see("1 agent hasn't finished");
	again.press('enter');
	await again.see('Code 0');
	await again.exit();
}, 120_000);
