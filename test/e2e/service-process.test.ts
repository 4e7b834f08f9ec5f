import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isOlderVersion} from '../../src/domain/running-service.ts';
import {type Cli, cliAt, jsonLines} from '../support/cli.ts';
import {eventually} from '../support/eventually.ts';
import {isAlive} from '../support/is-alive.ts';
import {startTestService, temporaryFolder} from '../support/local-service.ts';
import {createSession} from '../support/sessions.ts';

/** A session of the shell, and what says which process runs its service. */
async function session(cli: Cli) {
	const run = async (...args: string[]) => {
		const {code, stdout, stderr} = await cli.run(['--local', '--json', ...args]);
		expect([code, stderr]).toEqual([0, '']);
		return jsonLines(stdout)[0] ?? {};
	};
	const {id} = await run('computers', 'list');
	const {sessionId} = await run('sessions', 'create', '--computer-id', `${id}`);
	return {
		computerId: `${id}`,
		send: (text: string) => run('send', `${sessionId}`, text),
		status: () => run('serve', '--status'),
	};
}

test('commands share a service, whose agents one command ends on request', async () => {
	const cli = cliAt(temporaryFolder());
	const {send, status} = await session(cli);
	const {pid} = await status();
	await send('echo $$ > ~/agent; exec sleep 600');
	const agent = await eventually(() => {
		const found = Number(readFileSync(join(cli.home, 'agent'), 'utf8'));
		expect(found).toBeGreaterThan(0);
		return found;
	});
	expect(await status()).toMatchObject({pid, agentsAtWork: 1});
	const refused = await cli.run(['serve', '--stop']);
	expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('add --yes')]);
	expect(isAlive(agent)).toBe(true);
	expect(await cli.run(['serve', '--stop', '--yes'])).toMatchObject({
		code: 0,
		stderr: `quarterdeck: the embedded service in process ${pid} has stopped; a screen that is open starts it again\n`,
	});
	expect(isAlive(agent)).toBe(false);
	expect((await cli.run(['serve', '--status'])).code).toBe(1);
	const log = readFileSync(join(cli.stateFolder, 'local/service.log'), 'utf8');
	expect(log).toMatch(/^\S+ started version \S+ in process \d+\nsocket +\S+\n\S+ ended on request\n$/);
});

test('programs that start together share one service', async () => {
	const cli = cliAt(temporaryFolder());
	const runs = await Promise.all(Array.from({length: 8}, () => cli.run(['--local', 'users'])));
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

test('an agent has the PATH of the program that created its session, not of the one that started the service', async () => {
	const cli = cliAt(temporaryFolder());
	const {computerId} = await session(cli);
	const env = {PATH: `${cli.home}/bin:${process.env.PATH}`, AGENT_SECRET: 'none of this'};
	const json = async (...args: string[]) =>
		jsonLines((await cli.run(['--local', '--json', ...args], {env})).stdout)[0];
	const created = await json('sessions', 'create', '--computer-id', computerId);
	const text = 'echo "$PATH-$AGENT_SECRET"';
	const {stdout} = await cli.run(['--local', 'send', `${created?.sessionId}`, text, '--wait']);
	expect(stdout).toContain(`${env.PATH}-\n`);
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
	const status = async () => jsonLines((await cli.run(['serve', '--status', '--json'])).stdout)[0];
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
