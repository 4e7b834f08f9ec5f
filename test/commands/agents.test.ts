import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {type Commands, commandsAt, servedCommands} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {addTirelessClient, replayAgents} from '../support/replayed-agents.ts';
import {openRequestsIn} from '../support/waiting-hook.ts';

/** A home whose only local profile names an agent, and a way to run `--local` commands there. */
function home(agent: string): {cli: Commands; local: (...args: string[]) => ReturnType<Commands['run']>} {
	const cli = commandsAt(temporaryFolder());
	const folder = join(cli.home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles: {mine: {local: true, agent}}}));
	return {cli, local: (...args) => cli.run(['--local', '--json', ...args])};
}

async function createSession(local: ReturnType<typeof home>['local'], ...args: string[]): Promise<string> {
	const computers = jsonLines((await local('computers', 'list')).stdout);
	expect(computers).toEqual([expect.objectContaining({name: expect.any(String)})]);
	const created = await local('sessions', 'create', '--computer-id', `${computers[0]?.id}`, ...args);
	expect(created).toMatchObject({code: 0, stderr: ''});
	return `${jsonLines(created.stdout)[0]?.sessionId}`;
}

async function firstRequest(local: ReturnType<typeof home>['local'], id: string): Promise<string> {
	return expect
		.poll(async () => jsonLines((await local('sessions', 'requests', id)).stdout)[0]?.id, {timeout: 20_000})
		.toBeDefined()
		.then(async () => `${jsonLines((await local('sessions', 'requests', id)).stdout)[0]?.id}`);
}

/** Shows a request of a process that claims to be the hook of a session, until the test ends. */
async function askAsHook({home}: Commands, sessionId: string): Promise<void> {
	const runtime = join(process.env.XDG_RUNTIME_DIR ?? '', 'quarterdeck');
	const {program} = await openRequestsIn({runtime, spool: join(home, '.local/state/quarterdeck/spool')});
	const [name = ''] = readdirSync(runtime).filter(one => one.endsWith('.ask'));
	const socket = connect(join(runtime, name));
	onTestFinished(() => void socket.destroy());
	const ask = {v: 1, id: 'made-up-request', ts: 1, tool: 'made up', input: {}, data: {session_id: sessionId}};
	socket.write(`${JSON.stringify(ask)}\n`);
	await expect.poll(() => program.requests).toHaveLength(1);
}

describe('an agent without a screen', () => {
	test('the configured agent asks, is answered once, and the answer counts once', async () => {
		replayAgents({claude: ['claude-tool']});
		const {cli, local} = home('claude');
		const service = cli.start(['serve']);
		await service.until(/socket/);
		const id = await createSession(local);
		expect((await local('send', id, 'TOOL')).code).toBe(0);
		const request = await firstRequest(local, id);

		await askAsHook(cli, id);
		const both = jsonLines((await local('sessions', 'requests', id)).stdout);
		expect(both.map(({tool}) => tool)).toEqual(['made up', 'Bash']);
		const table = await cli.run(['--local', 'sessions', 'requests']);
		expect(table.stdout).toMatch(/Bash +once\|always\|\S*no +touch made-by-tool/);
		expect((await local('sessions', 'answer', id, request, 'yes')).code).toBe(2);
		const answered = await cli.run(['--local', 'sessions', 'answer', id, request, 'once']);
		expect(answered).toMatchObject({code: 0, stdout: '', stderr: 'quarterdeck: allowed once\n'});
		expect((await local('sessions', 'answer', id, request, 'no')).code).toBe(4);

		const reply = await cli.run(['--local', 'send', id, 'say hello', '--wait']);
		expect(reply.stdout).toContain('You said: say hello');
		const messages = await cli.run(['--local', 'messages', id]);
		expect(messages.stdout).toContain('The tool is done: RESULT-SEEN.');
		expect(jsonLines((await local('sessions', 'requests')).stdout)).toMatchObject([{tool: 'made up'}]);
		const idle = await cli.run(['--local', 'sessions', 'interrupt', id]);
		expect(idle).toMatchObject({code: 0, stderr: 'quarterdeck: no turn is running\n'});
	});

	test('a question is answered with words rather than allowed', async () => {
		replayAgents({claude: ['claude-ask']});
		const {cli, local} = home('claude');
		await cli.start(['serve']).until(/socket/);
		const id = await createSession(local);
		expect((await local('send', id, 'ASK')).code).toBe(0);
		const request = await firstRequest(local, id);
		const answered = await cli.run(['--local', 'sessions', 'answer', id, request, 'once', '--text', 'Blue']);
		expect(answered).toMatchObject({code: 0, stderr: 'quarterdeck: answered\n'});
	});

	test('what the end of the service cut off is continued by one command, once', async () => {
		addTirelessClient();
		const {cli, local} = home('claude');
		const first = cli.start(['serve']);
		await first.until(/socket/);
		const id = await createSession(local);
		await local('send', id, 'work');
		const messages = () => local('messages', id).then(({stdout}) => stdout);
		await expect.poll(messages, {timeout: 20_000}).toContain('at work');
		const shown = async () => (await cli.run(['--local', 'sessions', 'list'])).stdout;
		expect(await shown()).toMatch(/ working {2}/);
		first.interrupt();
		await first.ended;
		expect(await shown()).toContain('working?');
		expect((await cli.run(['--local', 'status'])).stdout).toBe('! 0  ● 0\n');

		await cli.start(['serve']).until(/socket/);
		expect((await local('sessions', 'continue')).code).toBe(2);
		expect((await local('sessions', 'continue', id, '--interrupted')).code).toBe(2);
		const continued = await local('sessions', 'continue', '--interrupted');
		expect(continued).toMatchObject({code: 0, stderr: ''});
		expect(jsonLines(continued.stdout).map(({sessionId}) => sessionId)).toEqual([id]);
		await expect.poll(messages, {timeout: 20_000}).toContain('done, resumed');
		expect(await cli.run(['--local', 'sessions', 'continue', '--interrupted'])).toMatchObject({
			code: 0,
			stdout: '',
			stderr: 'quarterdeck: no interrupted session is left to continue\n',
		});
	});

	test('a session may use a different agent than the service was started with', async () => {
		replayAgents({codex: ['codex-interrupt']});
		const {cli, local} = home('shell');
		const service = cli.start(['serve']);
		await service.until(/socket/);
		const id = await createSession(local, '--agent', 'codex', '--mode', 'ask', '--cwd', temporaryFolder());
		const env = {CLAUDECODE: '1'};
		expect((await cli.run(['--local', 'send', id, 'SLOW'], {env})).code).toBe(0);
		await expect.poll(async () => (await local('messages', id)).stdout, {timeout: 20_000}).toContain('word1');
		expect(jsonLines((await local('messages', id)).stdout)).toContainEqual(
			expect.objectContaining({author: 'agent', content: [expect.objectContaining({text: 'SLOW'})]}),
		);
		const interrupted = await local('sessions', 'interrupt', id);
		expect(jsonLines(interrupted.stdout)).toEqual([{interrupted: true}]);
		await expect
			.poll(async () => (await local('messages', id)).stdout, {timeout: 20_000})
			.toContain('[interrupted]');
		const get = await local('sessions', 'get', id);
		expect(jsonLines(get.stdout)[0]).toMatchObject({agent: 'codex', mode: 'ask', status: 'idle'});
	});

	test('a service that offers no agents is never asked', async () => {
		const cli = commandsAt(temporaryFolder());
		const env = {QUARTERDECK_BASE_URL: 'http://127.0.0.1:9', QUARTERDECK_API_KEY: 'k'};
		for (const args of [
			['requests'],
			['interrupt', 's'],
			['answer', 's', 'r', 'no'],
			['continue', '--interrupted'],
		]) {
			const {code, stderr} = await cli.run(['sessions', ...args], {env});
			expect(code).toBe(1);
			expect(stderr).toContain("This service can't do that.");
		}
	});

	test.each([['--agent', 'codex'], ['--mode', 'plan'], ['--worktree']])(
		'a new session with %s at another service says where that can be chosen',
		async (...flag) => {
			const {cli, server, env} = await servedCommands();
			const {code, stderr} = await cli.run(['sessions', 'create', '--computer-id', 'c', ...flag], {env});
			expect(code).toBe(2);
			expect(stderr).toMatch(
				/: (agent|mode|worktree) can be chosen only at the embedded service \(--local\)\./,
			);
			expect(server.requests).toEqual([]);
		},
	);
});
