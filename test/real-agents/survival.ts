import {execFile, execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {listProcesses} from '../../hooks/proc-stat.ts';
import {createHttpService} from '../../src/api/http/http-client.ts';
import {socketAddress} from '../../src/local/socket-address.ts';
import {isAlive} from '../support/is-alive.ts';
import {builtCli, type Pty, startClaudeHome} from './claude-home.ts';
import {until} from './stories.ts';

/**
 * `node test/real-agents/survival.ts [CLIENT...]`: ends the built screen in each way while an agent is at work and asks;
 * the turn goes on, and the next screen answers. Then ends the service with kill -9. Prints each finding; ends with 1 when
 * one is missed. Run `npm run build` first.
 */

const named = process.argv.slice(2);
const agents = named.length > 0 ? named : ['claude', 'codex', 'opencode', 'shell'];
const {home, work, env, check, open, run} = await startClaudeHome(agents.filter(name => name !== 'shell'));
env.TMUX_TMPDIR = home;
const folder = join(home, '.local/state/quarterdeck/local');
const [made, go] = [join(work, 'made-by-tool'), join(work, 'go')];
const program = [process.execPath, builtCli, '--local'];
const tmux = ['-L', 'survival', '-f', '/dev/null'];

/** Without blocking: the model's stand-in runs in this process. */
async function cli(...args: string[]): Promise<Record<string, unknown>[]> {
	const {stdout} = await promisify(execFile)(process.execPath, [builtCli, '--local', '--json', ...args], {
		env,
	});
	return stdout.split('\n').flatMap(line => (line === '' ? [] : JSON.parse(line)));
}

async function withService<T>(
	call: (service: ReturnType<typeof createHttpService>) => Promise<T>,
): Promise<T> {
	const service = createHttpService({address: socketAddress(folder), retries: 0});
	return call(service).finally(() => service.close());
}
const status = () => withService(({runningService}) => runningService.status());
const requests = (id: string) => withService(({agentRequests}) => agentRequests.list(id));
const isIdle = async (id: string) =>
	(await withService(({sessions}) => sessions.update(id, {}))).status === 'idle';
const story = async (id: string) => JSON.stringify(await cli('messages', id, '--all'));

/** The processes below one, such as the service's clients. */
function descendantsOf(top: number): number[] {
	const all = listProcesses();
	const below = (parent: number): number[] =>
		all.filter(one => one.parent === parent).flatMap(({pid}) => [pid, ...below(pid)]);
	return below(top);
}

/** Whether a screen of this home runs. */
function isScreenOpen(): boolean {
	return listProcesses().some(({pid}) => {
		try {
			const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
			const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${home}\0`);
			return isOurs && words.includes(builtCli) && !words.includes('serve');
		} catch {
			return false;
		}
	});
}

/** How a screen ends: what runs in the terminal, and what then happens to it. */
const ways: readonly {
	readonly name: string;
	readonly command?: readonly string[];
	end(screen: Pty): Promise<void> | void;
}[] = [
	{
		name: 'q',
		async end(screen) {
			screen.write('q');
			await screen.see(/1 agent is at work/);
			screen.write('\r');
		},
	},
	{name: 'HUP', end: screen => screen.kill('SIGHUP')},
	{name: 'kill -9', end: screen => screen.kill('SIGKILL')},
	{
		name: "kill -9 of the terminal's shell",
		command: ['sh', '-c', `${program.join(' ')}; exit`],
		end: screen => screen.kill('SIGKILL'),
	},
	{
		name: 'tmux kill-server',
		command: ['tmux', ...tmux, 'new-session', program.join(' ')],
		end: () => void execFileSync('tmux', [...tmux, 'kill-server'], {env}),
	},
];

/** A turn that is at work, and asks unless it is the shell's, with the screen and the service that it started. */
async function startTurn(agent: string, command: readonly string[] = program) {
	for (const file of [made, go]) rmSync(file, {force: true});
	await cli('serve', '--stop', '--yes').catch(() => undefined);
	const [file = '', ...args] = command;
	const screen = open(file, args);
	await screen.see(/connected/);
	const [computer] = await cli('computers', 'list');
	const create = ['sessions', 'create', '--computer-id', `${computer?.id}`, '--cwd', work, '--agent', agent];
	const id = `${(await cli(...create))[0]?.sessionId}`;
	const shell = `until [ -e ${go} ]; do sleep 0.1; done; touch ${made}; echo RESULT-SEEN`;
	const text = agent === 'shell' ? shell : agent === 'codex' ? 'TOOL with escalation' : 'TOOL';
	await cli('send', id, text);
	if (agent === 'shell') await until(async () => (await status()).agentsAtWork === 1);
	else await until(async () => (await requests(id)).length === 1);
	return {screen, id, service: await status()};
}

async function finish(id: string, screen: Pty): Promise<void> {
	screen.write('\x1b');
	await cli('sessions', 'update', id, '--archived-at', new Date().toISOString());
	screen.kill('SIGKILL');
}

async function endScreen(agent: string, way: (typeof ways)[number]): Promise<void> {
	const finding = (what: string, isGood: boolean, found = '') =>
		check(`${agent}, ${way.name}: ${what}`, isGood, found);
	const {screen, id, service} = await startTurn(agent, way.command);
	await way.end(screen);
	await until(async () => !isScreenOpen());
	const now = await status();
	finding('the service goes on', now.pid === service.pid && now.agentsAtWork === 1);

	const next = open(program[0] ?? '', program.slice(1));
	if (agent === 'shell') {
		await next.see(/1 working/);
		writeFileSync(go, '');
	} else {
		await next.see(/ asks /);
		next.write('!');
		await next.see(/y allow once/i);
		await new Promise(resolve => setTimeout(resolve, 700));
		next.write('y');
	}
	await until(() => isIdle(id));
	finding('the turn is done from the next screen', existsSync(made));
	finding('nothing is lost', /RESULT-SEEN/.test(await story(id)));
	await finish(id, next);
}

async function killService(agent: string, isQueued: boolean): Promise<void> {
	const finding = (what: string, isGood: boolean, found = '') =>
		check(
			`${agent}, kill -9 of the service${isQueued ? ' with a message that waits' : ''}: ${what}`,
			isGood,
			found,
		);
	const {screen, id, service} = await startTurn(agent);
	const words = agent === 'shell' ? 'echo You said: hello' : 'hello';
	if (isQueued) await cli('send', id, words);
	const [request] = agent === 'shell' ? [] : await requests(id);
	const processes = descendantsOf(service.pid);
	screen.kill('SIGKILL');
	process.kill(service.pid, 'SIGKILL');
	await until(async () => !isAlive(service.pid));

	const next = open(program[0] ?? '', program.slice(1));
	await until(async () =>
		status().then(
			({pid}) => pid !== service.pid,
			() => false,
		),
	);
	const areGone = until(async () => processes.every(pid => !isAlive(pid)), 5000);
	finding('no process is left', await areGone.catch(() => false), `${processes.length} before`);
	const isOffered = agent !== 'shell' && !isQueued;
	if (isOffered) {
		await next.see(/1 session was at work when the service ended/);
		await next.see(/yes/);
		next.write('\r');
		await until(async () => /You said: continue/.test(await story(id)));
	}
	await until(() => isIdle(id));
	const text = await story(id);
	finding('the turn is told as interrupted', /interrupted: the service was stopped/.test(text));
	if (isOffered) finding('it is continued', /You said: continue/.test(text));
	if (isQueued) finding('the message is sent', /You said: hello/.test(text));
	if (request) {
		const late = await withService(({agentRequests}) =>
			agentRequests.answer(id, request.id, {option: 'once'}).then(
				() => 'taken',
				() => 'refused',
			),
		);
		finding('a late answer is refused', late === 'refused');
	}
	finding('nothing is made unasked', !existsSync(made));
	finding('nothing is offered any more', (await status()).cutOffIds.length === 0);
	await finish(id, next);
}

await run(async () => {
	for (const agent of agents) {
		for (const way of ways) await endScreen(agent, way);
		for (const isQueued of [false, true]) await killService(agent, isQueued);
	}
	await cli('serve', '--stop', '--yes');
});
