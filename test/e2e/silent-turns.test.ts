import {join} from 'node:path';
import {expect, test} from 'vitest';
import {cliAt} from '../support/cli.ts';
import {eventually} from '../support/eventually.ts';
import {type FleetService, startFleetService} from '../support/fleet-service.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {openProgram} from '../support/program.ts';

/** Silence of 15 seconds passes for the end of a turn where the service can't be asked. */
const withinQuiet = {within: 60_000};

/** A hosted service with one session, and a home that knows it. */
async function hosted() {
	const service = await startFleetService();
	service.addSession('s-1', {title: 'Run the tests', status: 'running'});
	const cli = cliAt(temporaryFolder());
	const env = {QUARTERDECK_BASE_URL: service.url, QUARTERDECK_API_KEY: 'k-0123456789'};
	const added = await cli.run(['sessions', 'add', 's-1'], {env});
	expect(added.code).toBe(0);
	const {PATH, XDG_CACHE_HOME} = process.env;
	const {home: HOME} = cli;
	const screenEnv = {...env, PATH, XDG_CACHE_HOME, HOME, XDG_RUNTIME_DIR: join(HOME, 'run'), LANG: 'C.UTF-8'};
	/** Opens the screen on the session. */
	const open = () => openProgram(['--session', 's-1'], screenEnv, {columns: 120, rows: 40});
	return {service, cli, env, open};
}

const probes = ({requests}: FleetService) => requests.filter(({line}) => line.startsWith('PATCH')).length;

test('a hosted agent that runs a silent command is at work until the service says that it is idle', async () => {
	const {service, cli, env, open} = await hosted();
	const list = async () => (await cli.run(['sessions', 'list'], {env})).stdout;
	const sending = cli.start(['send', 's-1', 'Run the tests', '--wait'], {env});
	const {see, press, exit} = open();
	await see('Run the tests');
	await eventually(() => expect(service.sessions.get('s-1')?.messages).toHaveLength(1));
	service.say('s-1', 'assistant', 'I run them now.');
	const saidAt = Date.now();
	await see('I run them now.');
	// Over two minutes would be as well: it is asked every 15 seconds, by both programs.
	await eventually(() => expect(Date.now() - saidAt).toBeGreaterThan(20_000));
	await see(/Run the tests · ● working/);
	expect(await list()).toMatch(/s-1 +working /);
	expect(sending.stdout).toBe('');
	expect(probes(service)).toBeLessThanOrEqual(6);

	service.say('s-1', 'assistant', 'All pass.');
	Object.assign(service.sessions.get('s-1') ?? {}, {status: 'idle'});
	const {code, stdout} = await sending.ended;
	expect({code, stdout}).toEqual({code: 0, stdout: 'I run them now.\nAll pass.\n'});
	await see(/Run the tests · ○ idle/, withinQuiet);
	expect(await list()).toMatch(/s-1 +idle /);
	press('esc');
	await see('Enter open');
	press('q');
	await exit();
	// A start takes what was said for what it was.
	expect(await list()).toMatch(/s-1 +idle /);
});

test('where the service refuses to say, a silent turn is only probably done, everywhere', async () => {
	const {service, cli, env, open} = await hosted();
	service.refusesProbes = true;
	const {see, press, exit} = open();
	await see('Enter write');
	const sending = cli.start(['send', 's-1', 'Run the tests', '--wait'], {env});
	await eventually(() => expect(service.sessions.get('s-1')?.messages).toHaveLength(1));
	service.say('s-1', 'assistant', 'I run them now.');
	const {code, stdout, stderr} = await sending.ended;
	expect({code, stdout}).toEqual({code: 7, stdout: 'I run them now.\n'});
	expect(stderr).toContain('assuming that the agent is done');
	await see(/Run the tests · ◌ idle\?/, withinQuiet);
	expect((await cli.run(['sessions', 'list'], {env})).stdout).toMatch(/s-1 +idle\? /);
	const waited = await cli.run(['sessions', 'wait', 's-1', '--for', 'idle'], {env});
	expect(waited.code).toBe(7);
	expect(probes(service)).toBeLessThanOrEqual(3);
	// It goes on being read, so that what comes is seen at once.
	service.say('s-1', 'assistant', 'All pass.');
	await see('All pass.');
	service.isHanging = true;
	await see(/◌ no answer for [5-9]s/, withinQuiet);
	press('esc');
	await see('Enter open');
	press('q');
	await exit();
});
