import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {childEnvironment} from '../../../../src/local/processes/child-environment.ts';
import {createOutputTail} from '../../../../src/local/processes/output-tail.ts';
import {
	createProcessGroups,
	type Ended,
	type ProcessGroups,
} from '../../../../src/local/processes/process-group.ts';
import {eventually} from '../../../support/eventually.ts';
import {temporaryFolder} from '../../../support/local-service.ts';
import {isProcessAlive} from '../../../support/sessions.ts';

function open(folder: string = randomUUID()): ProcessGroups {
	const groups = createProcessGroups(folder);
	onTestFinished(() => groups.close());
	return groups;
}

async function runShell(groups: ProcessGroups, script: string, stdin?: string): Promise<[string, Ended]> {
	let output = '';
	const ended = await groups.run(
		{
			file: 'sh',
			args: ['-c', script],
			cwd: temporaryFolder(),
			...(stdin !== undefined && {stdin}),
		},
		chunk => {
			output += chunk;
		},
	);
	return [output, ended];
}

test('a program runs to its end, with its input and both its outputs', async () => {
	const groups = open();
	const [output, ended] = await runShell(groups, 'cat; echo over >&2; exit 7', 'given\n');
	expect(output.split('\n').toSorted()).toEqual(['', 'given', 'over']);
	expect(ended).toEqual({code: 7, signal: undefined});
});

test("a program without input doesn't wait for any, and input that nobody reads does no harm", async () => {
	const groups = open();
	expect(await runShell(groups, 'cat')).toEqual(['', {code: 0, signal: undefined}]);
	expect(await runShell(groups, 'exit 0', 'x'.repeat(1_000_000))).toEqual(['', {code: 0, signal: undefined}]);
});

test("returns the error of what can't be started, instead of rejecting", async () => {
	const groups = open();
	const run = (file: string, args: string[], cwd = '/') => groups.run({file, args, cwd}, () => {});
	expect((await run('no-such-program', [])).error).toMatchObject({code: 'ENOENT'});
	expect((await run('sh', ['-c', 'a\0b'])).error).toBeInstanceOf(Error);
	expect((await run('sh', ['-c', 'x'.repeat(4_000_000)])).error).toMatchObject({code: 'E2BIG'});
	expect((await run('sh', ['-c', 'exit'], '/no/such/folder')).error).toMatchObject({code: 'ENOENT'});
});

test('reads the whole output, even if the event loop is held up at the end', async () => {
	const groups = open();
	const answer = runShell(groups, 'seq 12000');
	const until = Date.now() + 400;
	while (Date.now() < until) void 0;
	const numbers = Array.from({length: 12_000}, (_, index) => `${index + 1}\n`);
	expect((await answer)[0]).toBe(numbers.join(''));
});

test("a background job that goes on writing doesn't delay the end, and ends with the groups", async () => {
	const groups = open();
	const [output] = await runShell(groups, 'while :; do echo more; sleep 0.02; done & echo $!');
	const pid = Number(/\d+/.exec(output)?.[0]);
	expect(isProcessAlive(pid)).toBe(true);
	await groups.close();
	expect(isProcessAlive(pid)).toBe(false);
	expect((await runShell(groups, 'exit 0'))[1].error).toBeInstanceOf(Error);
});

/** Ways in which a program leaves its process group. Each writes the number of the process to the file $OUT. */
const escapes: readonly (readonly [string, string])[] = [
	['a session of its own', `setsid sh -c 'echo $$ > "$OUT"; exec sleep 1000' &`],
	['a daemon', `(setsid sh -c 'sleep 1000 & echo $! > "$OUT"' &)`],
	['a job with a group of its own', `bash -c 'set -m; sleep 1000 & echo $! > "$OUT"'`],
	['one that ignores TERM', `setsid sh -c 'trap "" TERM; echo $$ > "$OUT"; while :; do sleep 1000; done' &`],
	[
		'an emptied environment below a session of its own',
		`setsid sh -c 'env -i sleep 1000 & echo $! > "$OUT"; wait' &`,
	],
];

/** Runs a script that lets a process escape, to the script's end or, with a signal, to its abortion. */
async function letEscape(groups: ProcessGroups, script: string, signal?: AbortSignal) {
	const out = join(temporaryFolder(), 'out');
	const ended = groups.run(
		{
			file: 'sh',
			args: ['-c', `${script}\nuntil [ -s "$OUT" ]; do sleep 0.02; done${signal ? '; exec sleep 1000' : ''}`],
			cwd: '/',
			env: {OUT: out},
		},
		() => {},
		signal && {signal},
	);
	const pid = await eventually(() => {
		const text = readFileSync(out, 'utf8');
		expect(text).toMatch(/^\d+\n/);
		return Number(text);
	});
	onTestFinished(() => {
		if (isProcessAlive(pid)) process.kill(pid, 'SIGKILL');
	});
	return {pid, ended};
}

// Other systems don't tell what has left its group.
describe.skipIf(process.platform !== 'linux')('a process that left its group, on Linux', () => {
	test.each(escapes)('%s ends with the groups', async (_, script) => {
		const groups = open();
		const {pid, ended} = await letEscape(groups, script);
		await ended;
		expect(isProcessAlive(pid)).toBe(true);
		await groups.close();
		expect(isProcessAlive(pid)).toBe(false);
	});

	test.each(escapes)('%s ends with its program, and no other does', async (_, script) => {
		const groups = open();
		const other = await letEscape(groups, `setsid sh -c 'echo $$ > "$OUT"; exec sleep 1000' &`);
		const stop = new AbortController();
		const {pid, ended} = await letEscape(groups, script, stop.signal);
		expect(isProcessAlive(pid)).toBe(true);
		stop.abort();
		await ended;
		await expect.poll(() => isProcessAlive(pid)).toBe(false);
		expect(isProcessAlive(other.pid)).toBe(true);
	});

	test.each(escapes)('%s ends at the next start over its folder', async (_, script) => {
		const folder = randomUUID();
		const {pid} = await letEscape(open(folder), script, new AbortController().signal);
		open();
		expect(isProcessAlive(pid)).toBe(true);
		open(folder);
		await expect.poll(() => isProcessAlive(pid)).toBe(false);
	});

	test('each of two services ends only its own', async () => {
		const [one, two] = [open(), open()];
		const script = `setsid sh -c 'echo $$ > "$OUT"; exec sleep 1000' &`;
		const [first, second] = [await letEscape(one, script), await letEscape(two, script)];
		await one.close();
		expect([first.pid, second.pid].map(isProcessAlive)).toEqual([false, true]);
	});
});

test('a signal ends the whole group, even a process that ignores TERM', async () => {
	const groups = open();
	const stop = new AbortController();
	let output = '';
	const ended = await groups.run(
		{
			file: 'sh',
			args: ['-c', 'trap "" TERM; sleep 1000 & echo $!; wait; sleep 1000'],
			cwd: '/',
		},
		chunk => {
			output += chunk;
			stop.abort();
		},
		{signal: stop.signal},
	);
	expect(ended.signal).toBe('SIGKILL');
	// What was killed with it may end a moment later.
	await expect.poll(() => isProcessAlive(Number(output))).toBe(false);
});

test('programs get nothing that was meant for whoever started the service', () => {
	onTestFinished(() => void vi.unstubAllEnvs());
	const names = [
		'QUARTERDECK_API_KEY',
		'QUARTERDECK_AGENT_SESSION',
		'npm_config_prefix',
		'GIT_DIR',
		'CLAUDECODE',
	];
	for (const name of [...names, 'KEPT']) vi.stubEnv(name, 'x');
	const environment = childEnvironment();
	expect([...names, 'KEPT'].filter(name => environment[name] === 'x')).toEqual(['KEPT']);
});

test('words on stderr take precedence over those on stdout', () => {
	const tail = createOutputTail();
	tail.add(Buffer.from('progress\n'), 'stdout');
	expect(tail.text()).toBe('progress');
	tail.add(Buffer.from('it failed\n'), 'stderr');
	expect(tail.text()).toBe('it failed');
});

test('a long output keeps its last whole lines', () => {
	const tail = createOutputTail();
	for (let line = 0; line < 1000; line++) tail.add(Buffer.from(`line ${line}\n`), 'stderr');
	const lines = tail.text().split('\n');
	expect(lines.at(-1)).toBe('line 999');
	expect(lines[0]).toBe(`line ${1000 - lines.length}`);
	expect(Buffer.byteLength(tail.text())).toBeLessThanOrEqual(4096);
});
