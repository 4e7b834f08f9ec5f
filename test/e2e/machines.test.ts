import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {cliAt, firstOf, jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {endProcesses} from '../support/end-processes.ts';
import {eventually} from '../support/eventually.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {builtCli, homeIn} from '../support/program.ts';
import {noSshHost, type SshHost, startSshHost} from '../support/ssh-host.ts';
import {permissionPayload, startHook} from '../support/waiting-hook.ts';

const machineTest = test.skipIf(noSshHost);
if (noSshHost) process.stderr.write(`machines.test.ts is skipped: ${noSshHost}\n`);

let host: SshHost;
beforeAll(async () => {
	if (!noSshHost) host = await startSshHost();
});
afterAll(async () => {
	if (noSshHost) return;
	await endProcesses(host.home);
	host.close();
});

/** Commands of a user here, whose ssh knows the host. Those inside this process need a service that runs. */
function user() {
	const cli = cliAt(temporaryFolder());
	const inside = commandsAt(cli.home);
	const run = (...args: string[]) => inside.run(['--local', ...args]);
	return {
		start: (...args: string[]) => cli.start(['--local', '--json', ...args], {env: host.env}),
		run,
		json: async (...args: string[]) => firstOf(await run('--json', ...args)),
	};
}

machineTest(
	'a machine is set up, keeps its sessions while the connection breaks, and is left clean',
	async () => {
		const {start, json, run} = user();
		const {id} = firstOf(await start('computers', 'create', '--ssh', 'devbox', '--yes').ended);
		const watched = await run('computers', 'watch', `${id}`);
		expect(watched).toMatchObject({code: 0, stderr: ''});
		for (const step of ['connect', 'check the machine', 'copy Quarterdeck \\(.+ MB\\)', 'start its service'])
			expect(watched.stdout).toMatch(new RegExp(`done +${step} `));
		const {sessionId} = await json('sessions', 'create', '--computer-id', `${id}`);
		const send = (text: string, ...flags: string[]) => run('send', `${sessionId}`, text, ...flags);
		expect((await send('pwd', '--wait')).stdout).toBe(`${host.home}\n`);

		// Hooks there are heard here, by a program that runs and starts the service.
		await run('serve', '--stop');
		const events = start('events', '--follow');
		const hook = (name: string, ...flags: string[]) => [
			process.execPath,
			join(dirname(builtCli), `${name}.cjs`),
			...['--client', 'claude', ...flags],
		];
		const report = async (event: string) => {
			const payload = JSON.stringify({session_id: 'outside', hook_event_name: event, cwd: '/there'});
			expect(await startHook(hook('hook'), host.envThere, payload).end).toMatchObject({code: 0});
		};
		await report('UserPromptSubmit');
		await events.until(/UserPromptSubmit/);
		expect(jsonLines(events.stdout)).toMatchObject([
			{event: 'UserPromptSubmit', data: {session_id: 'outside'}, computer: {id, name: 'devbox'}},
		]);

		// So are permission requests, which are answered from here.
		const asking = startHook(
			hook('answer-hook', '--wait', '300', '--parent-pid', `${process.pid}`),
			host.envThere,
			permissionPayload({session_id: 'outside'}),
		);
		const request = await eventually(async () => {
			const [found] = jsonLines((await run('--json', 'sessions', 'requests')).stdout);
			expect(found).toMatchObject({sessionId: 'outside', computer: 'devbox', text: 'touch made-by-tool'});
			return `${found?.id}`;
		});
		expect(await run('sessions', 'answer', 'outside', request, 'once')).toMatchObject({code: 0});
		expect((await asking.end).output).toContain('"behavior":"allow"');
		await events.until(/PermissionAnswered/);

		host.cut();
		await report('Stop');
		await events.until(/"Stop"/);
		events.child.kill();
		await eventually(async () => expect((await send('echo again', '--wait')).stdout).toBe('again\n'));

		host.stop();
		host.cut();
		await eventually(async () => {
			const failed = await json('computers', 'get', `${id}`);
			expect(failed).toMatchObject({status: 'error', unreachableSince: expect.any(Number)});
			expect(JSON.stringify(failed.provisioningSteps)).toContain('Connection refused');
		});
		const queued = await send('echo later', '--timeout', '1');
		expect([queued.code, queued.stderr]).toEqual([6, expect.stringContaining('devbox is unreachable')]);

		await host.restart();
		expect((await json('computers', 'connect', `${id}`)).id).toBe(id);
		await eventually(async () =>
			expect(await json('computers', 'get', `${id}`)).toMatchObject({status: 'active'}),
		);
		expect((await send('echo last', '--wait')).stdout).toBe('last\n');
		const {stdout: all} = await run('messages', `${sessionId}`);
		expect(all.match(/^later$/gm)).toHaveLength(1);

		expect(await run('computers', 'forget', 'devbox', '--remove', '--yes')).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('forgot the computer devbox, and removed Quarterdeck there'),
			stderr: '',
		});
		expect((await run('--json', 'sessions', 'list')).stdout).toBe('');
		await endProcesses(host.home);
		for (const folder of ['.local/share/quarterdeck', '.cache/quarterdeck'])
			expect(existsSync(join(host.home, folder))).toBe(false);
		expect(existsSync(join(host.home, '.local/state/quarterdeck/local/service.sock'))).toBe(false);
	},
);

test('a bridge that is told to end does so while the other end keeps its input open', async () => {
	const home = temporaryFolder();
	const bridge = spawn(process.execPath, [builtCli, 'bridge'], {
		env: homeIn(home),
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const ended = once(bridge, 'close');
	onTestFinished(() => endProcesses(home));
	expect(await Promise.race([once(bridge.stdout, 'data'), ended])).toEqual([expect.any(Buffer)]);
	bridge.kill();
	expect(await ended).toEqual([0, null]);
});
