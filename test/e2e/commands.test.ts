import {existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, type CliResult, type CliRun, cliAt, filesHolding, runProgram} from '../support/cli.ts';
import type {Reply} from '../support/fault-server.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {builtCli, emptyHome, environmentIn, openProgram} from '../support/program.ts';
import {json} from '../support/replies.ts';
import {runJson} from '../support/run-inside.ts';
import {type ServedCli, servedCli} from '../support/served-cli.ts';
import {openTerminal} from '../support/terminal.ts';

// What only a process of the built program shows. What commands do is in `test/commands/`.

/** The program in a shell, where `qd` is its name; stdout is what the whole script prints. */
function shell({cli, env}: Pick<ServedCli, 'cli' | 'env'>, script: string): Promise<CliResult> {
	return runProgram('/bin/sh', ['-c', `qd() { "$0" "$QD" "$@"; }; ${script}`, process.execPath], {
		env: {...environmentIn(cli.home), QD: builtCli, ...env},
		cwd: undefined,
	});
}

/** An endless list of users. */
const users: Reply = (response, request) => {
	const from = Number(request.query.cursor ?? 0);
	const filler = 'x'.repeat(20_000);
	const page = Array.from({length: 100}, (_, index) => ({id: `u-${from + index}`, metadata: {filler}}));
	return json({users: page, pagination: {hasMore: true, nextCursor: `${from + 100}`}})(response, request);
};

test('help prints what was asked for, and touches nothing', async () => {
	const cli = cliAt(temporaryFolder());
	const help = await cli.run(['--profile', 'p', 'send', '-h']);
	expect(help).toMatchObject({code: 0, stderr: ''});
	expect(help.stdout).toContain('Usage: quarterdeck send SESSION TEXT');
	expect(existsSync(cli.stateFolder)).toBe(false);
});

test('a command that only reads leaves no compiled code behind where nothing else did', async () => {
	const cli = cliAt(temporaryFolder());
	const cache = join(cli.home, 'cache');
	const read = () => cli.run(['--local', 'status'], {env: {XDG_CACHE_HOME: cache}});
	expect(await read()).toMatchObject({code: 0, stdout: '! 0  ● 0\n'});
	expect(existsSync(cache)).toBe(false);
	const compiled = join(cache, 'quarterdeck/compiled');
	mkdirSync(compiled, {recursive: true, mode: 0o700});
	await read();
	expect(readdirSync(compiled)).not.toEqual([]);
});

test('without a terminal, the screen is refused and the commands are named', async () => {
	const {code, stdout, stderr} = await cliAt(temporaryFolder()).run([]);
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
	expect(stderr).toMatch(/^quarterdeck: .*sessions.*\n$/);
});

describe('stdout', () => {
	test('of an endless list is read by head as far as it likes, and the command ends well', async () => {
		const setup = await servedCli(users);
		const {code, stdout, stderr} = await shell(setup, '{ qd users; echo "code $?" >&2; } | head -2');
		expect({code, stderr}).toEqual({code: 0, stderr: 'code 0\n'});
		expect(stdout).toMatch(/^USER .*\nu-0 .*\n$/);
		// The next write tells that head has gone.
		expect(setup.server.requests.length).toBeLessThanOrEqual(3);
	});

	test('takes a page before the next one is requested', async () => {
		const {cli, server, env} = await servedCli(users);
		const pageBytes = 100 * 20_000;
		/** What the kernel and the streams on the way hold. */
		const onTheWay = 600_000;
		const run = cli.start(['users', '--json'], {env});
		const ahead: number[] = [];
		await new Promise<void>(resolve => {
			let received = 0;
			run.child.stdout?.on('data', part => {
				received += part.length;
				ahead.push(server.requests.length - (received + onTheWay) / pageBytes);
				if (received > 5 * pageBytes) resolve();
			});
		});
		expect(Math.max(...ahead)).toBeLessThanOrEqual(1);
		run.child.kill('SIGINT');
		expect((await run.ended).code).toBe(130);
	});
});

test('started by npm, relative paths begin in the folder that the user is in', async () => {
	const {cli, env} = await servedCli(json({messageId: 'm-7', status: 'running'}));
	const folder = join(cli.home, 'work');
	mkdirSync(folder);
	writeFileSync(join(folder, 'note.txt'), 'words');
	const args = ['send', 's-7', 'look', '--file', 'note.txt'];
	const npm = {INIT_CWD: folder, npm_package_name: 'quarterdeck', npm_lifecycle_event: 'quarterdeck'};
	expect(await cli.run(args, {env})).toMatchObject({code: 1});
	expect(await cli.run(args, {env: {...env, ...npm}})).toMatchObject({code: 0});
});

describe('on a terminal', () => {
	test.each([
		['enter', 0, true],
		['ctrl+c', 130, false],
	])('an install asks, and y and %s exits with %i', async (key, code, isInstalled) => {
		const env = emptyHome();
		const args = [builtCli, 'hooks', 'install', '--client', 'claude', '--answer'];
		const terminal = openTerminal({command: process.execPath, args, env, cwd: `${env.HOME}`});
		await terminal.see('Change this file and let Quarterdeck answer permission prompts? [y/N]');
		terminal.type('y');
		terminal.press(key);
		expect(await terminal.exit()).toEqual({code});
		expect(existsSync(join(`${env.HOME}`, '.claude/settings.json'))).toBe(isInstalled);
	});

	test('a send shows what it waits for, and the seconds, in a line that goes', async () => {
		const {env, server} = await servedCli();
		server.answer(json({}, 429, {'retry-after': '2'}), json({messageId: 'm-1', status: 'running'}));
		const answer = Promise.withResolvers<void>();
		server.otherwise(async (response, request) => {
			await answer.promise;
			return json({error: 'no'}, 403)(response, request);
		});
		const args = ['send', 's-1', 'words', '--wait'];
		const terminal = openProgram(args, {...emptyHome(), ...env}, {columns: 100, rows: 20});
		await terminal.see(/\d s: the service is rate-limiting requests: next try in \d s/);
		await terminal.see('1 s: no complete answer yet');
		expect(terminal.screen()).not.toContain('rate-limiting');
		answer.resolve();
		await terminal.see('Code 3');
		expect(terminal.screen()).not.toContain('no complete answer yet');
		await terminal.exit();
	});
});

describe('the embedded service', () => {
	const canary = 'canary-5up3r-53cr37-k3y';
	const env = {QUARTERDECK_API_KEY: canary};

	/** A home with a service running in it, ended with the test. */
	async function serving(...args: string[]): Promise<{cli: Cli; service: CliRun}> {
		const cli = cliAt(temporaryFolder());
		const service = cli.start(['serve', '--json', ...args], {env});
		await service.until(/\n/);
		return {cli, service};
	}

	/** How many TCP ports it holds open. */
	function portsOf({child}: CliRun): number {
		const folder = `/proc/${child.pid}/fd`;
		const open = readdirSync(folder).map(name => {
			try {
				return readlinkSync(join(folder, name));
			} catch {
				return ''; // closed since the folder was listed
			}
		});
		const inodes = ['tcp', 'tcp6'].flatMap(table =>
			readFileSync(`/proc/net/${table}`, 'utf8')
				.split('\n')
				.map(line => line.trim().split(/\s+/)[9]),
		);
		return inodes.filter(inode => open.includes(`socket:[${inode}]`)).length;
	}

	test('opens no port, and keeps the key out of every output, file, process list and environment of a child', async () => {
		const {cli, service} = await serving();
		const local = (...args: string[]) => cli.run(['--local', ...args], {env});
		expect(portsOf(service)).toBe(0);
		const made = async (...args: string[]) => (await runJson({HOME: cli.home}, ...args))[0];
		const computer = await made('computers', 'create', '--name', 'b', '--remote-user', 'me');
		const session = await made('sessions', 'create', '--computer-id', `${computer?.id}`);
		const seen = await local('send', `${session?.sessionId}`, 'env; ps -ef', '--wait');
		expect(seen.stdout).toContain('PATH=');
		// It shows no command line, such as that of the send with its text.
		expect(seen.stdout).toMatch(/ quarterdeck$/m);
		expect(seen.stdout).not.toContain('ps -ef --wait');
		const doctor = await cli.run(['doctor', '--json'], {
			env: {...env, QUARTERDECK_BASE_URL: 'http://127.0.0.1:1'},
		});
		expect(doctor.stdout).toMatch(/from the environment, fingerprint [0-9a-f]{12}/);
		service.child.kill('SIGTERM');
		const ended = await service.ended;
		expect(ended.code).toBe(0);
		const said = [seen, doctor, ended].map(({stdout, stderr}) => stdout + stderr).join('');
		expect(said).not.toContain(canary);
		expect(filesHolding(cli.home, canary)).toEqual([]);
	});
});
