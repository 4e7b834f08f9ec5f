import {expect, onTestFinished, test} from 'vitest';
import {createProcessGroups, type Ended, type ProcessGroups} from '../../../src/local/process-group.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {isProcessAlive} from '../../support/sessions.ts';

function open(): {groups: ProcessGroups; running: Set<number>} {
	const running = new Set<number>();
	const groups = createProcessGroups({
		add: group => void running.add(group),
		remove: group => void running.delete(group),
	});
	onTestFinished(() => groups.close());
	return {groups, running};
}

async function runShell(groups: ProcessGroups, script: string, stdin?: string): Promise<[string, Ended]> {
	let output = '';
	const ended = await groups.run(
		{
			file: 'sh',
			args: ['-c', script],
			cwd: temporaryFolder(),
			env: process.env,
			...(stdin !== undefined && {stdin}),
		},
		chunk => {
			output += chunk;
		},
	);
	return [output, ended];
}

test('a program runs to its end, with its input and both its outputs', async () => {
	const {groups, running} = open();
	const [output, ended] = await runShell(groups, 'cat; echo over >&2; exit 7', 'given\n');
	expect(output.split('\n').toSorted()).toEqual(['', 'given', 'over']);
	expect(ended).toEqual({code: 7, signal: undefined});
	expect(running.size).toBe(0);
});

test('without input there is none to wait for, and input that nobody reads does no harm', async () => {
	const {groups} = open();
	expect(await runShell(groups, 'cat')).toEqual(['', {code: 0, signal: undefined}]);
	expect(await runShell(groups, 'exit 0', 'x'.repeat(1_000_000))).toEqual(['', {code: 0, signal: undefined}]);
});

test('what can’t be started is an answer, not a rejection', async () => {
	const {groups} = open();
	const env = process.env;
	const run = (file: string, args: string[], cwd = '/') => groups.run({file, args, cwd, env}, () => {});
	expect((await run('no-such-program', [])).error).toMatchObject({code: 'ENOENT'});
	expect((await run('sh', ['-c', 'a\0b'])).error).toBeInstanceOf(Error);
	expect((await run('sh', ['-c', 'x'.repeat(4_000_000)])).error).toMatchObject({code: 'E2BIG'});
	expect((await run('sh', ['-c', 'exit'], '/no/such/folder')).error).toMatchObject({code: 'ENOENT'});
});

test('output is read whole, though the event loop was held up at the end', async () => {
	const {groups} = open();
	const answer = runShell(groups, 'head -c 60000 /dev/zero | tr "\\0" x');
	const until = Date.now() + 400;
	while (Date.now() < until) void 0;
	expect((await answer)[0]).toHaveLength(60_000);
});

test('a background job does not hold up the end, talks on, and ends with the groups', async () => {
	const {groups, running} = open();
	const [output] = await runShell(groups, 'while :; do echo more; sleep 0.02; done & echo $!');
	const pid = Number(/\d+/.exec(output)?.[0]);
	expect(isProcessAlive(pid)).toBe(true);
	expect(running.size).toBe(1);
	await groups.close();
	expect(isProcessAlive(pid)).toBe(false);
	expect(running.size).toBe(0);
	expect((await runShell(groups, 'exit 0'))[1].error).toBeInstanceOf(Error);
});

test('a signal ends the whole group, also one that does not listen to TERM', async () => {
	const {groups} = open();
	const stop = new AbortController();
	let output = '';
	const ended = await groups.run(
		{
			file: 'sh',
			args: ['-c', 'trap "" TERM; sleep 1000 & echo $!; wait; sleep 1000'],
			cwd: '/',
			env: process.env,
		},
		chunk => {
			output += chunk;
			stop.abort();
		},
		{signal: stop.signal},
	);
	expect(ended.signal).toBe('SIGKILL');
	expect(isProcessAlive(Number(output))).toBe(false);
});
