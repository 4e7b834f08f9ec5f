import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agentAsks} from '../support/agent-says.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 120, rows: 40};
const asked = 'May I push?';

/** A home in the middle of its quiet hours, if any, and an agent on this machine. */
function home({isQuiet = false} = {}) {
	const env: NodeJS.ProcessEnv = {...emptyHome(), TZ: 'UTC'};
	const cwd = join(String(env.HOME), 'shop');
	mkdirSync(cwd);
	if (isQuiet) {
		const time = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
		const folder = join(String(env.HOME), '.config/quarterdeck');
		mkdirSync(folder, {recursive: true});
		writeFileSync(join(folder, 'config.json'), JSON.stringify({quietHours: `${time(-2)}-${time(2)}`}));
	}
	return {env, agent: {id: 'a1', cwd}};
}

const kitty = {KITTY_WINDOW_ID: '1'};
const terminals = [
	{name: 'kitty', terminalEnv: kitty, call: '\x1b]99;i=1:p=body;May I push?\x1b\\'},
	{
		name: 'Ghostty',
		terminalEnv: {GHOSTTY_RESOURCES_DIR: '/none'},
		call: '\x1b]777;notify;claude shop needs you;May I push?\x1b\\',
	},
	{
		name: 'iTerm2 around tmux',
		terminalEnv: {LC_TERMINAL: 'iTerm2', TMUX: '/tmp/none,1,0'},
		call: '\x07\x1bPtmux;\x1b\x1b]9;claude shop needs you: May I push?\x1b\x1b\\\x1b\\',
	},
];

test.each(terminals)('$name calls the user at once for the first question', async ({terminalEnv, call}) => {
	const {env, agent} = home();
	const terminal = openProgram(['--local'], env, {...size, terminalEnv});
	await terminal.see(/vm +active/);
	agentAsks(env, agent, asked);
	await terminal.see('1 needs you');
	agentAsks(env, {...agent, id: 'a2'}, 'And I?');
	await terminal.see('2 need you');
	terminal.press('q');
	await terminal.exit();
	expect(terminal.output().split(call)).toHaveLength(2);
});

test('agents that keep asking call at once, and then together', async () => {
	const {env, agent} = home();
	const terminal = openProgram(['--local'], env, {...size, terminalEnv: kitty});
	await terminal.see(/vm +active/);
	// Within the five seconds of one pause, or of the next, however slow the machine.
	const ids = ['a', 'b', 'c', 'd', 'e'];
	for (const id of ids) agentAsks(env, {...agent, id}, asked);
	await terminal.see('5 need you');
	await expect.poll(() => terminal.output()).toContain('agents need you');
	const calls = terminal.output().match(/\x1b\]99;i=1:d=0;[^\x1b]*/g) ?? [];
	expect(calls[0]).toMatch(/claude shop.* needs you/);
	expect(calls.length).toBeLessThan(ids.length);
	terminal.press('q');
	await terminal.exit();
});

test('in quiet hours, only the screen and the title say that an agent asks', async () => {
	const {env, agent} = home({isQuiet: true});
	const terminal = openProgram(['--local'], env, {...size, terminalEnv: kitty});
	await terminal.see(/vm +active/);
	agentAsks(env, agent, asked);
	await terminal.see('1 needs you');
	terminal.press('q');
	await terminal.exit();
	expect(terminal.output()).toContain('(1) quarterdeck');
	expect(terminal.output()).not.toContain('\x1b]99;');
});
