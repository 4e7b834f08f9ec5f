import {spawn} from 'node:child_process';
import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {readProcStat} from '../../hooks/proc-stat.ts';
import {createHttpService} from '../../src/api/http/http-client.ts';
import type {Service} from '../../src/api/service.ts';
import {socketAddress} from '../../src/local/socket-address.ts';
import {findService} from '../../src/reach-service.ts';
import {patience} from './eventually.ts';
import {isAlive} from './is-alive.ts';
import {homeIn} from './program.ts';
import {openTerminal, type Terminal} from './terminal.ts';

const dist = resolve(import.meta.dirname, '../../dist');
const agent = resolve(import.meta.dirname, '../e2e/fixtures/asking-agent.ts');

const victims = ['program', 'service', 'agent', 'hook'] as const;
type Victim = (typeof victims)[number];

export type KillRounds = {
	rounds: number;
	readonly kills: Record<Victim, number>;
	/** Files that an agent made, each allowed by an answer of its own. */
	made: number;
};

/** A kill or an answer comes this long after the request, ms at most. */
const latest = 600;
/** Keys answer from half a second after the dialog came to the screen. */
const guardTime = 550;

/**
 * The built screen, a service, agents that ask and hooks that wait, in a home of their own. In each round some of them
 * are killed -9 at random moments, while the requests are answered or not. `fail` is called for each orphan, each answer
 * that nobody gave, and each state that isn't so.
 */
export async function runKillRounds(
	count: number,
	fail: (what: string) => void,
	onRound: (all: KillRounds) => void = () => {},
): Promise<KillRounds> {
	const all: KillRounds = {rounds: 0, kills: {program: 0, service: 0, agent: 0, hook: 0}, made: 0};
	const home = mkdtempSync(join(tmpdir(), 'kill-rounds-'));
	const world = createWorld(home);
	try {
		while (all.rounds < count) {
			const round = ++all.rounds;
			await playRound(world, round, all, what => fail(`round ${round}: ${what}`)).catch(error =>
				fail(`round ${round}: ${error instanceof Error ? error.stack : error}`),
			);
			onRound(all);
		}
		await world.killAll();
		await world.startService();
		const left = () => world.journal().filter(isRunning);
		if (!(await until(() => left().length === 0))) fail(`orphans at the end: ${JSON.stringify(left())}`);
	} finally {
		await world.killAll();
		for (const note of world.journal())
			if (note.start !== undefined && isRunning(note)) process.kill(note.pid, 'SIGKILL');
		rmSync(home, {recursive: true, force: true, maxRetries: 5});
	}
	return all;
}

/** `start` tells the process from a later one with its id; absent where there is no /proc. */
type Note = {readonly what: string; readonly name: string; readonly pid: number; readonly start?: string};

function isRunning({pid, start}: Note): boolean {
	return start === undefined ? isAlive(pid) : isAlive(pid) && readProcStat(pid)?.start === start;
}

/** Answers whether it came true in time. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<boolean> {
	const end = Date.now() + patience;
	while (!(await isTrue())) {
		if (Date.now() > end) return false;
		await delay(20);
	}
	return true;
}

type World = ReturnType<typeof createWorld>;

function createWorld(home: string) {
	const bin = join(home, 'bin');
	const work = join(home, 'work');
	const journalFile = join(home, 'journal');
	for (const folder of [bin, work, join(home, '.config/quarterdeck')]) mkdirSync(folder, {recursive: true});
	writeFileSync(journalFile, '');
	const script = `#!/bin/sh\nexec '${process.execPath}' '${agent}' '${journalFile}' "$@"\n`;
	writeFileSync(join(bin, 'claude'), script, {mode: 0o755});
	writeFileSync(
		join(home, '.config/quarterdeck/config.json'),
		JSON.stringify({profiles: {mine: {local: true, agent: 'claude'}}}),
	);
	const env = {...homeIn(home), PATH: `${bin}:${process.env.PATH}`};
	const folder = join(home, '.local/state/quarterdeck/local');
	let terminal: Terminal | undefined;
	let client: Service | undefined;

	const killProgram = async () => {
		// Once it has ended, its id may be another process's.
		if (!terminal || terminal.hasEnded()) return;
		process.kill(terminal.pid, 'SIGKILL');
		await terminal.exit();
		terminal = undefined;
	};

	const killService = async () => {
		const pid = (await findService(folder))?.pid;
		if (pid === undefined) return;
		process.kill(pid, 'SIGKILL');
		await until(() => !isAlive(pid));
	};

	return {
		work,
		journal: () =>
			readFileSync(journalFile, 'utf8')
				.split('\n')
				.filter(line => line !== '')
				.map(line => JSON.parse(line) as Note),
		press: (key: string) => terminal?.press(key),
		async startProgram(): Promise<void> {
			if (terminal && !terminal.hasEnded()) return;
			terminal = openTerminal({
				command: process.execPath,
				args: [join(dist, 'cli.cjs'), '--local'],
				env,
				cwd: home,
			});
			await terminal.see('connected');
		},
		/** Any command starts the service, unless it runs. */
		async startService(): Promise<Service> {
			const child = spawn(process.execPath, [join(dist, 'cli.cjs'), '--local', 'users'], {
				env,
				cwd: home,
				stdio: ['ignore', 'ignore', 'inherit'],
			});
			await once(child, 'close');
			await client?.close();
			client = createHttpService({address: socketAddress(folder)});
			return client;
		},
		startHook(sessionId: string, file: string) {
			const child = spawn(
				process.execPath,
				[join(dist, 'answer-hook.cjs'), '--client', 'claude', '--wait', '60'],
				{
					env,
					stdio: ['pipe', 'pipe', 'inherit'],
				},
			);
			const said = {text: ''};
			child.stdout.setEncoding('utf8').on('data', (text: string) => {
				said.text += text;
			});
			child.stdin.on('error', () => {});
			const event = {session_id: sessionId, cwd: work, hook_event_name: 'PermissionRequest'};
			child.stdin.end(JSON.stringify({...event, tool_name: 'Bash', tool_input: {command: `touch ${file}`}}));
			return {child, said, ended: once(child, 'close')};
		},
		/** The client has gone on: its session ends. */
		async endHookSession(sessionId: string): Promise<void> {
			const child = spawn(process.execPath, [join(dist, 'hook.cjs'), '--client', 'claude'], {
				env,
				stdio: ['pipe', 'ignore', 'inherit'],
			});
			child.stdin.end(JSON.stringify({session_id: sessionId, cwd: work, hook_event_name: 'SessionEnd'}));
			await once(child, 'close');
		},
		async kill(victim: 'program' | 'service'): Promise<void> {
			await (victim === 'service' ? killService() : killProgram());
		},
		async killAll(): Promise<void> {
			await killProgram();
			await killService();
			await client?.close();
			client = undefined;
		},
	};
}

async function playRound(
	world: World,
	round: number,
	all: KillRounds,
	fail: (what: string) => void,
): Promise<void> {
	const start = async () => {
		await world.startProgram();
		return world.startService();
	};
	let service = await start();
	const [file, next] = [`made-${round}`, `next-${round}`];
	const has = (what: string, name: string) =>
		world.journal().some(note => note.what === what && note.name === name);
	const isMade = (name: string) => existsSync(join(world.work, name));

	const {id: computerId} = await service.computers.create({name: `box ${round}`, remoteUser: 'me'});
	if (!(await until(async () => (await service.computers.get(computerId)).status === 'active')))
		throw new Error('the computer is not ready');
	const {sessionId} = await service.sessions.create({computerId, cwd: world.work});
	await service.messages.add(sessionId, {text: file});
	const hookSession = `hook-${round}`;
	const hook = world.startHook(hookSession, `hook-file-${round}`);
	// Now and then, the client is killed while it starts.
	if (randomInt(4) > 0 && !(await until(() => has('asked', file)))) throw new Error('nothing was asked');

	const chosen = victims.filter(() => randomInt(5) < 2);
	const answer = (['none', 'service', 'keys'] as const)[randomInt(3)];
	const killed = new Set<Victim>();
	const agentOf = () => world.journal().findLast(({what, name}) => what === 'started' && name === sessionId);
	const kill = async (victim: Victim) => {
		await delay(randomInt(latest));
		if (victim === 'agent') {
			const agent = agentOf();
			if (!agent || !isRunning(agent)) return;
			process.kill(agent.pid, 'SIGKILL');
		} else if (victim === 'hook') {
			if (hook.child.exitCode !== null) return;
			hook.child.kill('SIGKILL');
		} else await world.kill(victim);
		killed.add(victim);
		all.kills[victim]++;
	};
	/** The requests that were answered, by file; `taken` if the service took the answer. */
	let isAnswered = false;
	let isTaken = false;
	let isPressed = false;
	const answerIt = async () => {
		await delay(randomInt(latest));
		if (answer === 'keys') {
			world.press('!');
			await delay(guardTime + randomInt(latest));
			isPressed = true;
			world.press('y');
		} else if (answer === 'service')
			try {
				const [request] = await service.agentRequests.list(sessionId, {signal: AbortSignal.timeout(2000)});
				if (!request) return;
				isAnswered = true;
				await service.agentRequests.answer(sessionId, request.id, {option: 'once'});
				isTaken = true;
			} catch {
				// The service or the agent was killed before.
			}
	};
	await Promise.all([...chosen.map(kill), answerIt()]);
	const isCutOff = killed.has('agent') || killed.has('service');

	service = await start();
	const requests = () => service.agentRequests.list(sessionId);
	const isIdle = async () => (await service.sessions.update(sessionId, {})).status === 'idle';
	// Nobody answered, and all that matters lives: the request is still open, and is denied here.
	if (!isCutOff && !(await isIdle())) {
		await until(async () => (await requests()).length > 0 || (await isIdle()));
		for (const {id} of await requests()) await service.agentRequests.answer(sessionId, id, {option: 'no'});
	}
	if (!(await until(isIdle))) fail(`never idle after ${[...killed]}, answered by ${answer}`);
	if ((await requests()).length > 0) fail(`a request is open after ${[...killed]}`);
	const {items} = await service.messages.list(sessionId, {limit: 100});
	const card = items.flatMap(({content = []}) => content).find(({request}) => request !== undefined);
	const state = (card?.request as {state?: string} | undefined)?.state;
	if (state === 'open') fail(`the card says open after ${[...killed]}`);
	const mayMake = isAnswered || isPressed;
	if (isMade(file)) all.made++;
	if (isMade(file) && !mayMake) fail(`${file} was made unasked after ${[...killed]}`);
	if (state === 'allowed' && !mayMake) fail(`the card says allowed, but nobody did, after ${[...killed]}`);
	if (isTaken && !isCutOff && !isMade(file)) fail(`${file} was allowed and not made`);
	if (isMade(file) && state === 'gone' && !killed.has('service'))
		fail('the card of what was allowed says gone');
	if (isCutOff && !has('allowed', file) && !has('denied', file)) {
		const words = JSON.stringify(items[0]?.content);
		if (!/interrupted: the service was stopped|ended by SIGKILL|not run/.test(words))
			fail(`after ${[...killed]}, the last words are ${words}`);
	}

	// What belonged to the client that was killed is gone with it.
	const left = () =>
		world.journal().filter(note => (note.name === file || note.name === sessionId) && isRunning(note));
	if (isCutOff && !(await until(() => left().length === 0)))
		fail(`orphans after ${[...killed]}: ${JSON.stringify(left())}`);

	// The next message needs a new permission: no earlier answer allows it.
	await service.messages.add(sessionId, {text: next});
	if (!(await until(async () => (await requests()).length > 0))) throw new Error(`${next}: nothing is asked`);
	const [request] = await requests();
	if (!request?.text?.includes(next)) fail(`${next}: asked for ${request?.text}`);
	if (isMade(next) || has('allowed', next)) fail(`${next} was allowed by nobody`);
	await service.agentRequests.answer(sessionId, request?.id ?? '', {option: 'no'});
	if (!(await until(isIdle))) fail('the next message is never done');
	if (isMade(next) || !has('denied', next)) fail(`${next} was not denied`);
	if (has('unasked', `request-${file}`) || has('unasked', `request-${next}`)) fail('an answer came too late');

	await world.endHookSession(hookSession);
	const timeout = delay(patience, 'late' as const, {ref: false});
	if ((await Promise.race([hook.ended, timeout])) === 'late') {
		fail(`the hook still waits after ${[...killed]}`);
		hook.child.kill('SIGKILL');
	} else if (!killed.has('hook') && hook.child.exitCode !== 0)
		fail(`the hook ended with ${hook.child.exitCode}`);
	if (hook.said.text !== '' && !isPressed) fail(`the hook was answered by nobody: ${hook.said.text}`);
	world.press('esc');
	await service.sessions.update(sessionId, {sessionSettings: {archivedAt: new Date().toISOString()}});
}
