import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {readProcStat} from '../../../../hooks/proc-stat.ts';
import type {HookRequest} from '../../../../src/domain/sessions/hook-request.ts';
import {
	type HookEvent,
	reduceSignal,
	type Signal,
	signalKey,
} from '../../../../src/domain/sessions/signal.ts';
import {createFleetStore} from '../../../../src/state/fleet.ts';
import {ClientSessions} from '../../../../src/sync/hooks/client-sessions.ts';
import {claudeTranscript} from '../../../../src/transcripts/transcript-file.ts';
import {eventually} from '../../../support/eventually.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {noon, signal} from '../../../support/fleet.ts';

type FileOptions = {
	readonly pid?: number | undefined;
	readonly sessionId?: string;
	readonly more?: object;
	readonly name?: string;
};

/** Followed sessions over a folder of files; `events` are those made of them. The files name processes that run. */
function follow(before: readonly Signal[] = []) {
	const folder = mkdtempSync(join(tmpdir(), 'client-sessions-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	mkdirSync(join(folder, 'sessions'));
	const clock = fakeClock(noon);
	const fleet = createFleetStore();
	const events: HookEvent[] = [];
	const over: string[] = [];
	const set = (next: Signal) =>
		fleet.setState(({signals}) => ({
			signals: new Map([...signals, [signalKey(next.client, next.sessionId), next]]),
		}));
	for (const one of before) set(one);
	const sessions = new ClientSessions({
		clock,
		fleet,
		folder,
		onEvent(event) {
			// As the inbox does: the same event counts once.
			if (events.some(({id}) => id === event.id)) return;
			events.push(event);
			const {signal: next} = reduceSignal(signalOf(event.data.session_id), event);
			if (next) set(next);
		},
		onSignal: set,
		onAnswered: ({id}) => over.push(id),
	});
	const signalOf = (id = 's1') => fleet.getState().signals.get(`claude:${id}`);
	sessions.start();
	onTestFinished(() => sessions.stop());
	const write = (
		status: string,
		after: number,
		{pid = process.pid, name, more, sessionId = 's1'}: FileOptions = {},
	) => {
		const path = join(folder, 'sessions', name ?? `${pid}.json`);
		const text = JSON.stringify({
			pid,
			sessionId,
			cwd: '/srv/app',
			startedAt: noon,
			procStart: readProcStat(pid)?.start,
			entrypoint: 'cli',
			name: 'app-1f',
			nameSource: 'derived',
			status,
			statusUpdatedAt: noon + after,
			...more,
		});
		writeFileSync(`${path}.new`, text);
		renameSync(`${path}.new`, path);
	};
	/** Lets this much time go by, with time for the files that are read meanwhile. */
	const pass = async (ms: number) => {
		for (let left = ms; left > 0; left -= 100) {
			await clock.advance(100);
			await expect.poll(() => clock.pending).toBe(1);
		}
	};
	/** Lets time go by until then. */
	const until = (isTrue: () => boolean) =>
		eventually(async () => {
			await pass(100);
			expect(isTrue()).toBe(true);
		});
	return {folder, fleet, clock, events, over, write, pass, until, signalOf, set};
}

/** A process that runs until the test ends it. */
async function running(env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
	const child = spawn('sleep', ['600'], {env: {...process.env, ...env}, stdio: 'ignore'});
	await once(child, 'spawn');
	onTestFinished(() => void child.kill('SIGKILL'));
	return child;
}

async function end(child: ChildProcess): Promise<void> {
	child.kill('SIGKILL');
	if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test('lists and updates a session without hooks: its status, folder, process and first words', async () => {
	const {folder, write, until, pass, signalOf, events, clock} = follow();
	const now = () => clock.now() - noon;
	write('idle', -5000);
	await until(() => signalOf()?.state === 'idle' && signalOf()?.process?.start !== undefined);
	const start = readProcStat(process.pid)?.start ?? `${noon}`;
	expect(signalOf()).toMatchObject({client: 'claude', cwd: '/srv/app', process: {pid: process.pid, start}});
	expect(signalOf()?.title).toBeUndefined();
	const transcript = claudeTranscript(folder, {cwd: '/srv/app', sessionId: 's1'});
	mkdirSync(join(transcript, '..'), {recursive: true});
	const lines = [
		{type: 'mode', mode: 'normal'},
		{type: 'user', isMeta: true, message: {content: 'a caveat'}},
		{type: 'user', message: {content: '<command-name>/clear</command-name>'}},
		{type: 'user', message: {content: [{type: 'text', text: 'Fix the build\nplease'}]}},
		{type: 'user', message: {content: 'And then the tests'}},
	];
	writeFileSync(transcript, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
	write('busy', now());
	await until(() => signalOf()?.state === 'working' && signalOf()?.title === 'Fix the build');
	write('waiting', now(), {more: {waitingFor: 'permission prompt'}});
	await until(() => signalOf()?.state === 'needs-permission');
	expect(signalOf()?.message).toBe('permission prompt');
	write('idle', now());
	await until(() => signalOf()?.state === 'idle');
	write('waiting', now(), {more: {waitingFor: 'dialog open'}});
	await until(() => signalOf()?.state === 'needs-input');
	write('idle', now(), {more: {name: 'The build', nameSource: undefined}});
	await until(() => signalOf()?.state === 'idle' && signalOf()?.title === 'The build');
	await pass(20_000);
	const names = events.map(({event}) => event.replace('Client', ''));
	expect(names).toEqual(['Idle', 'Busy', 'Waiting', 'Idle', 'Waiting', 'Idle']);
});

test.each([
	['busy', 'working', 'ClientBusy'],
	['idle', 'idle', 'ClientIdle'],
])('a prompt is over within 2 s of its client being %s again', async (status, state, event) => {
	const {write, pass, events, signalOf} = follow([signal('s1', 'needs-permission')]);
	write('waiting', 100);
	await pass(1000);
	expect(events).toEqual([]);
	write(status, 1000);
	await pass(2000);
	expect(signalOf()?.state).toBe(state);
	expect(events).toMatchObject([{event, ts: noon + 1000, data: {session_id: 's1'}}]);
});

test("leaves a hook's newer state alone, and adds the process from the file", async () => {
	const {write, pass, events, set, signalOf} = follow([signal('s1', 'working')]);
	write('idle', 100);
	await pass(500);
	set({...(signalOf() as Signal), state: 'done', lastEventAt: noon + 150});
	await pass(3000);
	expect(events).toEqual([]);
	expect(signalOf()).toMatchObject({state: 'done', process: {pid: process.pid}});
	const stop = {
		v: 1,
		id: 'a',
		ts: noon + 9000,
		client: 'claude',
		event: 'Stop',
		pid: 1,
		agentPid: 2,
		data: {session_id: 's1'},
	};
	const next = reduceSignal(signalOf(), {...stop, receivedAt: noon + 9000, delivery: 'socket'}).signal;
	expect(next?.process).toEqual(signalOf()?.process);
});

test('ignores an older status, and revives an expired state while its process runs', async () => {
	const {write, pass, events, signalOf, set} = follow([signal('s1', 'needs-permission')]);
	write('busy', -5);
	await pass(3000);
	expect(events).toEqual([]);
	set({...signal('s1', 'unknown', {since: noon + 10})});
	await pass(3000);
	expect(signalOf()).toMatchObject({state: 'working', lastEventAt: noon + 10});
});

test('hostile files, links, pipes and other processes make no sessions', async () => {
	const [own, ours, dead, witness] = [
		await running(),
		await running({QUARTERDECK_STARTED_BY: 'a.b'}),
		await running(),
		await running(),
	];
	const {folder, write, until, fleet, signalOf} = follow();
	const inFolder = (name: string) => join(folder, 'sessions', name);
	let looks = 0;
	/** Once a session that was written last is listed, all other files have been read as well. */
	const expectNone = async () => {
		const id = `witness-${++looks}`;
		write('busy', 10, {sessionId: id, pid: witness.pid});
		await until(() => signalOf(id) !== undefined);
		const others = [...fleet.getState().signals.keys()].filter(key => !key.includes('witness'));
		expect(others).toEqual([]);
	};
	await end(dead);
	const names = ['1.json', '2.json', '3.json', '4.json', 'x.json'];
	const bad = [
		'{"sessionId": "s1", "status": ',
		JSON.stringify({pid: 2, sessionId: 7, status: 1}),
		'\0'.repeat(100),
		'[[[]]]',
		'{}',
	];
	for (const [at, name] of names.entries()) writeFileSync(inFolder(name), bad[at] ?? '');
	mkdirSync(inFolder('12.json'));
	symlinkSync('/dev/zero', inFolder('13.json'));
	spawnSync('mkfifo', [inFolder('14.json')], {timeout: 10_000});
	write('busy', 10, {sessionId: 'ours', pid: ours.pid});
	write('busy', 10, {sessionId: 'dead', pid: dead.pid});
	write('busy', 10, {sessionId: 'reused', more: {procStart: '1'}});
	write('busy', 10, {sessionId: 'misnamed', name: `${own.pid}.json`});
	await expectNone();
	rmSync(inFolder(`${own.pid}.json`));
	write('busy', 10, {sessionId: 'linked', name: 'elsewhere', pid: own.pid});
	symlinkSync('elsewhere', inFolder(`${own.pid}.json`));
	await expectNone();
	for (const odd of [
		{sessionId: '../up'},
		{sessionId: ''},
		{more: {cwd: 'srv/app'}},
		{more: {cwd: `/${'x'.repeat(5000)}`}},
		{more: {pad: 'x'.repeat(20_000)}},
	]) {
		write('busy', 10, odd);
		await expectNone();
	}
	write('busy', 10, {more: {name: 'x'.repeat(5000), waitingFor: 3, nameSource: 4}});
	await until(() => signalOf()?.process?.start !== undefined);
	expect(signalOf()?.title).toBeUndefined();
});

test('the end of a process ends its session, as killed if its file is still there', async () => {
	const [one, other] = [await running(), await running()];
	const processOf = ({pid = 0}: ChildProcess) => ({pid, start: readProcStat(pid)?.start ?? `${noon}`});
	const known = [
		signal('s1', 'working', {process: processOf(one)}),
		signal('s2', 'idle', {process: processOf(other)}),
		signal('s3', 'idle', {process: {pid: 2 ** 22 + 1}}),
	];
	const {write, until, signalOf, pass} = follow(known);
	write('busy', 10, {pid: one.pid});
	await pass(2000);
	expect(signalOf('s2')?.state).toBe('idle');
	await Promise.all([end(one), end(other)]);
	await until(() => signalOf('s1')?.state === 'ended' && signalOf('s2')?.state === 'ended');
	expect(signalOf('s1')?.reason).toBe('killed');
	expect(signalOf('s2')?.reason).toBe('exit');
	// Only hooks named this one: its process may be on another machine, or in a container.
	expect(signalOf('s3')?.state).toBe('idle');
});

test('a process that switches to another session replaces the first, and may switch back', async () => {
	const {write, until, signalOf, clock} = follow();
	write('idle', 10);
	await until(() => signalOf()?.process?.start !== undefined);
	write('idle', 10, {sessionId: 's2'});
	await until(() => signalOf('s2')?.state === 'idle' && signalOf('s1')?.state === 'replaced');
	write('idle', 10, {sessionId: 's1'});
	// Its file is no newer than its end, so only time shows that it runs.
	await clock.advance(4000);
	await until(() => signalOf('s1')?.state === 'idle' && signalOf('s2')?.state === 'replaced');
});

test('a session that a process leaves twice has ended twice', async () => {
	const {write, until, signalOf, events} = follow();
	write('idle', 10);
	await until(() => signalOf()?.process?.start !== undefined);
	write('idle', 1000, {sessionId: 's2'});
	await until(() => signalOf('s2')?.process?.start !== undefined && signalOf()?.state === 'replaced');
	write('idle', 2000);
	await until(() => signalOf()?.state === 'idle' && signalOf('s2')?.state === 'replaced');
	write('idle', 3000, {sessionId: 's3'});
	await until(() => signalOf('s3')?.state === 'idle' && signalOf()?.state === 'replaced');
	const ends = events.filter(({event}) => event === 'ClientEnded').map(({data}) => data.session_id);
	expect(ends).toEqual(['s1', 's2', 's1']);
});

test('reports a request that was answered in its client once the client goes on', async () => {
	const {fleet, write, pass, until, over} = follow([signal('s1', 'needs-permission')]);
	const request = {id: 'r1', sessionId: 's1', createdAt: noon + 50} as HookRequest;
	fleet.setState({requests: new Map([['r1', request]])});
	write('busy', 40);
	await pass(1000);
	expect(over).toEqual([]);
	write('waiting', 1000);
	await pass(1000);
	expect(over).toEqual([]);
	write('busy', 2000);
	await until(() => over.includes('r1'));
});

test('several programs make the same event, with the same id', async () => {
	const [one, other] = [follow([signal('s1', 'needs-permission')]), follow()];
	for (const {write, pass} of [one, other]) {
		write('busy', 100);
		await pass(1000);
	}
	expect(one.events).toHaveLength(1);
	expect(one.events[0]?.id).toBe(other.events[0]?.id);
});

test('several programs report the same end, though each sees it at another time', async () => {
	const child = await running();
	const programs = [follow(), follow()];
	for (const {write, until, signalOf} of programs) {
		write('busy', 100, {pid: child.pid});
		await until(() => signalOf()?.process?.start !== undefined);
	}
	await programs[1]?.pass(2000);
	await end(child);
	for (const {until, signalOf} of programs) await until(() => signalOf()?.state === 'ended');
	const [one, other] = programs.map(({events}) => events.filter(({event}) => event === 'ClientEnded'));
	expect(one).toMatchObject([{data: {session_id: 's1', reason: 'killed'}}]);
	expect(other?.map(({id}) => id)).toEqual(one?.map(({id}) => id));
	expect(other?.[0]?.ts).not.toBe(one?.[0]?.ts);
});

test('the folder of the files may appear later', async () => {
	const {folder, write, until, signalOf} = follow();
	const sessions = join(folder, 'sessions');
	rmSync(sessions, {recursive: true});
	await until(() => signalOf() === undefined);
	mkdirSync(sessions);
	write('idle', 10);
	await until(() => signalOf()?.process?.start !== undefined);
});

test.runIf(process.platform === 'linux')(
	'notices a change at once, long before the next check of idle sessions',
	async () => {
		const {write, clock, until, signalOf} = follow();
		write('idle', -5000);
		await until(() => signalOf()?.process?.start !== undefined);
		const before = clock.now();
		write('busy', before - noon - 500);
		await eventually(async () => {
			await clock.advance(10);
			expect(signalOf()?.state).toBe('working');
		});
		expect(clock.now() - before).toBeLessThan(4000);
	},
);
