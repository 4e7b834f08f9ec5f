import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isOlderVersion} from '../../src/domain/running-service.ts';
import {cliAt, firstOf, jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {eventually} from '../support/eventually.ts';
import {isAlive} from '../support/is-alive.ts';
import {startTestService, temporaryFolder} from '../support/local-service.ts';
import {createSession} from '../support/sessions.ts';

test("commands share a service; an agent has the PATH of its session's creator, and is ended on request", async () => {
	const cli = cliAt(temporaryFolder());
	const computer = firstOf(await cli.run(['--local', '--json', 'computers', 'list']));
	const env = {PATH: `${cli.home}/bin:${process.env.PATH}`, AGENT_SECRET: 'none of this'};
	const create = ['sessions', 'create', '--computer-id', `${computer.id}`];
	const session = firstOf(await cli.run(['--local', '--json', ...create], {env}));
	const inside = commandsAt(cli.home);
	const text = 'echo "$PATH-$AGENT_SECRET"';
	const sent = await inside.run(['--local', 'send', `${session.sessionId}`, text, '--wait']);
	expect(sent).toMatchObject({code: 0, stdout: expect.stringContaining(`${env.PATH}-\n`), stderr: ''});

	const status = async () => jsonLines((await inside.run(['serve', '--status', '--json'])).stdout)[0];
	const {pid} = (await status()) ?? {};
	await inside.run(['--local', 'send', `${session.sessionId}`, 'echo $$ > ~/agent; exec sleep 600']);
	const agent = await eventually(() => {
		const found = Number(readFileSync(join(cli.home, 'agent'), 'utf8'));
		expect(found).toBeGreaterThan(0);
		return found;
	});
	expect(await status()).toMatchObject({pid, agentsAtWork: 1});
	const refused = await inside.run(['serve', '--stop']);
	expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('add --yes')]);
	expect(isAlive(agent)).toBe(true);
	expect(await inside.run(['serve', '--stop', '--yes'])).toMatchObject({
		code: 0,
		stderr: `quarterdeck: the embedded service in process ${pid} has stopped; a screen that is open starts it again\n`,
	});
	expect(isAlive(agent)).toBe(false);
	expect((await inside.run(['serve', '--status'])).code).toBe(1);
	// The process says it once all is closed, when nobody can ask it any more.
	await eventually(() => {
		const log = readFileSync(join(cli.stateFolder, 'local/service.log'), 'utf8');
		expect(log).toMatch(/^\S+ started version \S+ in process \d+\nsocket +\S+\n\S+ ended on request\n$/);
	});
});

test('programs that start together share one service', async () => {
	const cli = cliAt(temporaryFolder());
	const runs = await Promise.all(Array.from({length: 3}, () => cli.run(['--local', 'users'])));
	expect(runs.map(({code, stderr}) => [code, stderr])).toEqual(runs.map(() => [0, '']));
	const log = readFileSync(join(cli.stateFolder, 'local/service.log'), 'utf8');
	expect(log.match(/started version/g)).toHaveLength(1);
});

test('a service that ends at its start without a word is not blamed on an earlier problem', async () => {
	const cli = cliAt(temporaryFolder());
	const folder = join(cli.stateFolder, 'local');
	mkdirSync(folder, {recursive: true, mode: 0o700});
	writeFileSync(join(folder, 'service.log'), 'quarterdeck: an earlier problem\n');
	const killer = join(cli.home, 'killer.cjs');
	writeFileSync(killer, "if (process.argv[2] === 'serve') process.kill(process.pid, 'SIGKILL');");
	const env = {NODE_OPTIONS: `--require=${killer}`};
	const {code, stderr} = await cli.run(['--local', 'users'], {env});
	expect(code).toBe(1);
	expect(stderr).toContain("the embedded service didn't start: see");
});

test('a service that nobody uses ends by itself', async () => {
	const cli = cliAt(temporaryFolder());
	mkdirSync(join(cli.home, '.config/quarterdeck'), {recursive: true});
	writeFileSync(join(cli.home, '.config/quarterdeck/config.json'), '{"serviceIdle": 1}');
	await cli.run(['--local', 'users']);
	const log = () => readFileSync(join(cli.stateFolder, 'local/service.log'), 'utf8');
	await eventually(() => expect(log()).toMatch(/ended: nobody used it\n$/));
});

test('a newer program takes the place of a service once its agents are done', async () => {
	const cli = cliAt(temporaryFolder());
	// Of version 0.0.0.
	const old = await startTestService({
		folder: join(cli.stateFolder, 'local'),
		provisionsThisMachine: true,
	});
	const sessionId = await createSession(old.service);
	await old.service.messages.add(sessionId, {text: `until [ -e ${cli.home}/go ]; do sleep 0.05; done`});
	await eventually(() => expect(old.local.agentsAtWork()).toBe(1));
	const inside = commandsAt(cli.home);
	const status = async () => jsonLines((await inside.run(['serve', '--status', '--json'])).stdout)[0];
	expect((await cli.run(['--local', 'users'])).code).toBe(0);
	expect(await status()).toMatchObject({pid: process.pid, version: '0.0.0', endsWhenIdle: true});
	writeFileSync(join(cli.home, 'go'), '');
	expect(await old.local.ended).toBe('idle');
	await old.close();
	expect((await cli.run(['--local', 'users'])).code).toBe(0);
	const {pid, version} = (await status()) ?? {};
	expect(isOlderVersion('0.0.0', `${version}`)).toBe(true);
	expect(pid).not.toBe(process.pid);
});

test('an uninstall ends the service here and on a machine, and nothing is written afterwards', async () => {
	const cli = cliAt(temporaryFolder());
	const cache = join(cli.home, 'cache');
	const there = join(cli.home, 'there');
	mkdirSync(join(there, 'run'), {recursive: true, mode: 0o700});
	const json = async (...args: string[]) =>
		firstOf(await cli.run(['--local', '--json', ...args], {env: {XDG_CACHE_HOME: cache}}));
	const computer = await json('computers', 'list');
	const {sessionId} = await json('sessions', 'create', '--computer-id', `${computer.id}`);
	await json('send', `${sessionId}`, 'exec sleep 600');
	const machine = `env HOME=${there} XDG_RUNTIME_DIR=${there}/run XDG_CACHE_HOME=${there}/.cache`;
	const box = await json('computers', 'create', '--name', 'box', '--command', machine, '--yes');
	expect((await commandsAt(cli.home).run(['--local', 'computers', 'watch', `${box.id}`])).code).toBe(0);
	const program = join(there, '.local/share/quarterdeck/remote');
	expect(existsSync(program)).toBe(true);
	const {pid} = await json('serve', '--status');

	const env = {XDG_CACHE_HOME: cache};
	const {code, stdout, stderr} = await cli.run(['uninstall', '--yes'], {env});
	expect([code, stderr]).toEqual([0, '']);
	expect(stdout).toContain('end the service on box and its agents, and remove the program there; ');
	expect(stdout).toContain('end the embedded service, and 1 agent at work\n');
	expect(isAlive(Number(pid))).toBe(false);
	expect(existsSync(join(there, '.local/state/quarterdeck/local/service.sock'))).toBe(false);
	expect([existsSync(program), existsSync(cli.stateFolder), readdirSync(cache)]).toEqual([false, false, []]);
});
