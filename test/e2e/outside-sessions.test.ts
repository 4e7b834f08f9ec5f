import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {readProcStat} from '../../hooks/proc-stat.ts';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {eventually} from '../support/eventually.ts';
import {builtCli, emptyHome, openProgram} from '../support/program.ts';
import {replayAgents} from '../support/replayed-agents.ts';
import {openTerminal, type Terminal} from '../support/terminal.ts';

const sessionId = '0b9c6f3e-6c1e-4a55-9d5b-3a2a8f0f7a11';
const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** A home with a stand-in for a client that keeps a file of itself, in a tmux server of the home. */
async function startClient() {
	const env: NodeJS.ProcessEnv = {...emptyHome(), TERM: 'xterm-256color'};
	const home = `${env.HOME}`;
	const [work, sessions, pidFile] = [join(home, 'work'), join(home, '.claude/sessions'), join(home, 'pid')];
	mkdirSync(work);
	mkdirSync(sessions, {recursive: true});
	env.TMUX_TMPDIR = home;
	const tmux = (...args: string[]) => spawnSync('tmux', args, {env, encoding: 'utf8', timeout: 30_000});
	onTestFinished(() => void tmux('kill-server'));
	const client = `sleep 600 >/dev/null 2>&1 & echo $! > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'`;
	const command = `echo THE SCREEN OF THE CLIENT; ${client}; wait`;
	tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'client', command);
	const pid = await eventually(() => Number(readFileSync(pidFile, 'utf8')));
	onTestFinished(() => {
		if (readProcStat(pid)) process.kill(pid, 'SIGKILL');
	});
	const write = (status: string, more: object = {}) => {
		const path = join(sessions, `${pid}.json`);
		const file = {
			...{pid, sessionId, cwd: work, startedAt: Date.now(), procStart: readProcStat(pid)?.start},
			...{entrypoint: 'cli', name: 'Fix the build', status, statusUpdatedAt: Date.now(), ...more},
		};
		writeFileSync(`${path}.new`, JSON.stringify(file));
		renameSync(`${path}.new`, path);
	};
	write('idle');
	return {env, pid, tmux, write};
}

async function quit(terminal: Terminal): Promise<void> {
	terminal.press('ctrl+c', 'ctrl+c');
	await terminal.exit();
}

test.skipIf(!hasTmux)(
	'a client in tmux is listed without hooks, jumped to, and continued after its end',
	async () => {
		const {starts} = replayAgents({claude: ['claude-resumed']});
		const {env, pid, tmux, write} = await startClient();
		const command = `'${process.execPath}' '${builtCli}' --local`;
		const args = ['-f', '/dev/null', 'new-session', '-s', 'deck', '-x', '120', '-y', '40', command];
		const terminal = openTerminal({command: 'tmux', args, env, cwd: `${env.HOME}`});
		await terminal.see(/▌○ claude Fix the build/);
		write('waiting', {waitingFor: 'permission prompt'});
		await terminal.see(/asks · permission prompt/);
		write('busy');
		await terminal.see(/● claude Fix the build|[◐◓◑◒] claude Fix the build/);
		write('idle');
		await terminal.see(/○ claude Fix the build/);

		terminal.press('C');
		await terminal.see(/still runs: J goes to its terminal/);
		const {run} = commandsAt(`${env.HOME}`);
		const refused = await run(['--local', 'sessions', 'continue', sessionId]);
		expect(refused).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/still running in its own terminal/),
		});

		terminal.press('J');
		await terminal.see('THE SCREEN OF THE CLIENT');
		tmux('switch-client', '-t', 'deck');
		await terminal.see(/○ claude Fix the build/);

		process.kill(pid, 'SIGKILL');
		await terminal.see(/· claude Fix the build/);
		terminal.press('J');
		await terminal.see(/has ended: C continues it here/);
		terminal.press('C');
		await terminal.see(/Continued here: write the next message/);
		terminal.type('second message');
		await terminal.see(/> second message/);
		terminal.press('enter');
		await terminal.see(`claude continues its session ${sessionId}`);
		await terminal.see('You said: second message');
		expect(starts('claude')[0]?.args).toContain(`--resume=${sessionId}`);
		const headless = await run(['--local', '--json', 'sessions', 'continue', sessionId]);
		expect(headless).toMatchObject({code: 0, stderr: ''});
		expect(jsonLines(headless.stdout)).toMatchObject([{agent: 'claude', title: 'Fix the build'}]);
		await quit(terminal);
	},
);

test.skipIf(!hasTmux)(
	'a message is typed into the pane of a client that is idle, and seen in its transcript',
	async () => {
		const env: NodeJS.ProcessEnv = {...emptyHome(), TERM: 'xterm-256color'};
		const home = `${env.HOME}`;
		env.TMUX_TMPDIR = home;
		env.CLAUDE_CONFIG_DIR = join(home, '.claude');
		const tmux = (...args: string[]) =>
			spawnSync('tmux', args, {env, cwd: home, encoding: 'utf8', timeout: 30_000});
		onTestFinished(() => void tmux('kill-server'));
		const client = `'${process.execPath}' '${join(import.meta.dirname, '../support/prompt-client.ts')}' ${sessionId} idle`;
		tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'client', '-x', '120', '-y', '40', client);
		const terminal = openProgram(['--local'], env, {columns: 120, rows: 40});
		await terminal.see(/▌○ claude/);
		terminal.press('space');
		await terminal.see(/Reply to claude/);
		tmux('copy-mode', '-t', 'client');
		terminal.type('run the tests');
		await terminal.see(/> run the tests/);
		terminal.press('enter');
		await terminal.see('Not sent: its tmux pane takes no text now; J goes there');
		await terminal.see(/> run the tests/);
		tmux('send-keys', '-t', 'client', '-X', 'cancel');
		terminal.press('enter');
		await terminal.see('Seen: its transcript has the message');
		await quit(terminal);
	},
);
