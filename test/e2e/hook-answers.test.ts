import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readProcStat} from '../../hooks/proc-stat.ts';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import {optionsNamed} from '../support/request-options.ts';
import type {Terminal} from '../support/terminal.ts';
import {permissionPayload, startHook, type WaitingHook} from '../support/waiting-hook.ts';

/** Stands in the request alone: found anywhere on disk, it was stored. */
const marker = 'MARKER-7f3a9c';
const settings = '{\n  "model": "x"\n}\n';

/** The command that `hooks install --answer` registers for permission prompts. */
async function installedCommand(env: NodeJS.ProcessEnv): Promise<string> {
	const file = join(env.HOME as string, '.claude/settings.json');
	mkdirSync(join(env.HOME as string, '.claude'), {recursive: true});
	writeFileSync(file, settings);
	const {code} = await commandsAt(env.HOME as string).run([
		'hooks',
		'install',
		'--yes',
		'--answer',
		'--client',
		'claude',
	]);
	expect(code).toBe(0);
	const {hooks} = JSON.parse(readFileSync(file, 'utf8'));
	const [{hooks: handlers}] = hooks.PermissionRequest;
	expect(handlers).toMatchObject([{type: 'command', timeout: 630}]);
	return handlers[0].command;
}

/** The program over a new home, with the hook installed. */
async function openWithHook() {
	const env = emptyHome();
	const command = await installedCommand(env);
	const terminal = openProgram(['--local'], env, {columns: 120, rows: 40});
	await terminal.see(/Needs you/);
	await expect.poll(() => asksIn(env)).toHaveLength(1);
	const ask = (more: object = {}): WaitingHook =>
		startHook(
			['/bin/sh', '-c', command],
			env,
			permissionPayload({tool_input: {command: `touch ${marker}`}, ...more}),
		);
	return {env, terminal, ask};
}

function asksIn(env: NodeJS.ProcessEnv): string[] {
	const folder = join(env.XDG_RUNTIME_DIR as string, 'quarterdeck');
	return names(folder).filter(name => name.endsWith('.ask'));
}

function names(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

/** Files below a folder that hold the marker. */
function filesWithMarker(folder: string): string[] {
	return readdirSync(folder, {withFileTypes: true, recursive: true})
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name))
		.filter(file => readFileSync(file).includes(marker));
}

async function quit(terminal: Terminal): Promise<void> {
	terminal.press('ctrl+c', 'ctrl+c');
	await terminal.see('Code 0');
	await terminal.exit();
}

const printed = (decision: object) =>
	`${JSON.stringify({hookSpecificOutput: {hookEventName: 'PermissionRequest', decision}})}\n`;

describe('a permission prompt of a client in another terminal', () => {
	test('is shown whole, answered by y, n, a command or in its own terminal, and stored nowhere', async () => {
		const {env, terminal, ask} = await openWithHook();
		const {see, gone, press, type} = terminal;
		const first = ask();
		await see('1 needs you');
		await see(`asks · Bash: touch ${marker.slice(0, 3)}`);
		await see('The agent asks for permission: Bash');
		press('!');
		// A key is named once it counts.
		await see('y allow once');
		press('y');
		await see('Allowed once');
		expect(await first.end).toEqual({
			code: 0,
			signal: null,
			errors: '',
			output: printed({behavior: 'allow'}),
		});
		await see('1 working');

		const hostile = `echo \u001b[2J\u001b]0;owned\u0007 \u202ecod\u200b && ${'a'.repeat(300)} THE-END`;
		const second = ask({tool_input: {command: hostile, dangerouslyDisableSandbox: true}});
		await see('asks · Bash: echo');
		press('!');
		await see('THE-END');
		await see('dangerouslyDisableSandbox: true');
		await see('Characters that are invisible');
		// The dialog has it now, and not only the main area.
		await see('Tab writes why you deny it');
		expect(terminal.output()).not.toContain('\u001b]0;owned');
		press('tab');
		type('not now');
		await see(/Words to the agent +not now/);
		press('tab');
		await see('n deny');
		press('n');
		await see('Denied');
		expect((await second.end).output).toBe(printed({behavior: 'deny', message: 'not now'}));

		const {run} = commandsAt(env.HOME as string);
		const suggestion = {type: 'setMode', mode: 'acceptEdits', destination: 'session'};
		const command = 'make third; TOKEN="$(rm -rf ~)" true';
		const third = ask({permission_suggestions: [suggestion], tool_input: {command}});
		await see('asks · Bash: make third');
		press('!');
		await see('Answer request · Bash');
		const [request] = jsonLines((await run(['sessions', 'requests', 's1', '--json', '--local'])).stdout);
		expect(request).toMatchObject({
			tool: 'Bash',
			text: command,
			options: optionsNamed('once', 'mode', 'no'),
			sessionId: 's1',
		});
		const answer = ['sessions', 'answer', 's1', `${request?.id}`, 'mode', '--local'];
		expect((await run(answer)).code).toBe(0);
		expect((await third.end).output).toBe(printed({behavior: 'allow', updatedPermissions: [suggestion]}));
		await see('This request is over');
		expect((await run(answer)).code).toBe(4);
		press('esc');
		await gone('This request is over');

		const fourth = ask({tool_input: {command: 'make fourth'}});
		await see('asks · Bash: make fourth');
		press('!');
		await see('Answer request · Bash');
		const folder = join(env.HOME as string, '.claude/sessions');
		mkdirSync(folder);
		const {pid} = process;
		const client = {pid, sessionId: 's1', cwd: '/srv/shop', status: 'busy', statusUpdatedAt: Date.now()};
		writeFileSync(
			join(folder, `${pid}.json`),
			JSON.stringify({...client, startedAt: Date.now(), procStart: readProcStat(pid)?.start}),
		);
		await see('This request is over');
		expect(await fourth.end).toMatchObject({code: 0, output: ''});
		press('y', 'esc');
		await gone('Answer request · Bash');
		await quit(terminal);
		expect(filesWithMarker(env.HOME as string)).toEqual([]);
	});

	test('stays the client’s when the program is killed or quits', async () => {
		const {env, terminal, ask} = await openWithHook();
		const hook = ask();
		await terminal.see('1 needs you');
		const [name = ''] = asksIn(env);
		process.kill(Number(name.split('-')[1]), 'SIGKILL');
		expect(await hook.end).toEqual({code: 0, signal: null, errors: '', output: ''});
		await terminal.exit();
		const again = openProgram(['--local'], env, {columns: 120, rows: 40});
		await again.see('1 needs you');
		expect(again.screen()).not.toContain(marker.slice(0, 6));
		await expect.poll(() => asksIn(env).filter(one => one !== name)).toHaveLength(1);
		const other = ask();
		await again.see(`Bash: touch ${marker.slice(0, 3)}`);
		await quit(again);
		expect(await other.end).toMatchObject({code: 0, output: ''});
		expect(filesWithMarker(env.HOME as string)).toEqual([]);
	});
});
