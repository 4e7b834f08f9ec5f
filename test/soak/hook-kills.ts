import {type ChildProcess, spawn} from 'node:child_process';
import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {mkdirSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {buildHook} from '../support/built-hook.ts';
import {type HookFolders, makeHookFolders} from '../support/hook-folders.ts';
import {bundle} from './bundle.ts';
import {KeptEvents} from './kept-events.ts';
import {linesOf} from './lines-of.ts';
import {Failures, lengthOf, type Part} from './part.ts';

const cycles = lengthOf('SOAK_KILL_CYCLES', 1000, 15);
const goal = cycles * 1000;
/** Events a second, as far as the machine can. */
const rate = 2500;
/** Files in the spool at most: its own limit of 500 drops what is oldest, as it must. */
const spoolLimit = 250;
/** Events under way at once: as many as the machine answers in time. */
const openLimit = 24;
/** Between two looks at what is kept, ms: far less than a flood takes to write as many events as are kept. */
const settleEvery = 1000;
/** A kill comes this long after the cycle began, ms at most. */
const latestKill = 250;

/**
 * S2: two programs over one database, a flood of events, and in each cycle a program, the flood's process and hooks
 * killed -9 at random moments.
 */
export const hookKills: Part = {
	name: 'S2',
	title: 'kill -9 of hooks and programs under a million events',
	async run(progress) {
		const built = await bundle(['hook-program', 'hook-sender', 'hook-spooler']);
		const hook = await buildHook();
		const folders = makeHookFolders();
		const count = newCount();
		try {
			await run(
				{
					folders,
					programFile: built.files['hook-program'],
					senderFile: built.files['hook-sender'],
					hook: hook.file,
				},
				count,
				(done, total) => progress(done, total, `${count.events.toLocaleString('en')} events`),
			);
		} finally {
			built.remove();
			hook.remove();
			folders.remove();
		}
		return [
			{what: 'cycles', value: count.cycles.toLocaleString('en')},
			{what: 'processes killed', value: count.kills.toLocaleString('en')},
			{what: 'events acknowledged or spooled', value: count.events.toLocaleString('en')},
			{what: 'of which by the spool', value: count.spooled.toLocaleString('en')},
			count.lost.finding('acknowledged or spooled, and lost'),
			count.shownTwice.finding('shown twice by one program'),
			count.calledTwice.finding('called the user twice'),
			count.torn.finding('torn'),
			count.broken.finding('damaged database, or a program that failed'),
		];
	},
};

type Count = ReturnType<typeof newCount>;

function newCount() {
	return {
		cycles: 0,
		kills: 0,
		events: 0,
		spooled: 0,
		lost: new Failures(),
		shownTwice: new Failures(),
		calledTwice: new Failures(),
		torn: new Failures(),
		broken: new Failures(),
	};
}

type World = {
	readonly folders: HookFolders;
	readonly programFile: string;
	readonly senderFile: string;
	readonly hook: string;
};

async function run(
	world: World,
	count: Count,
	progress: (done: number, total: number) => void,
): Promise<void> {
	const {folders} = world;
	const file = join(folders.root, 'state', 'quarterdeck', 'kept.db');
	mkdirSync(join(folders.root, 'run', 'quarterdeck'), {mode: 0o700});
	/** By id, with the event's name: what a program acknowledged, and what the spool holds until one drains it. */
	const acknowledged = new Map<string, string>();
	const spooled = new Map<string, string>();
	const slots = [newSlot(), newSlot()];
	const start = (index: number) => startProgram(world, file, slots[index] as Slot, count);
	const programs = [await start(0), await start(1)];
	const kept = new KeptEvents(file);
	const looking = setInterval(settle, settleEvery, kept, {acknowledged, spooled}, folders, count);
	const isDone = () => count.cycles >= cycles && count.events >= goal;
	let flood: ChildProcess | undefined;
	const flooding = (async () => {
		while (!isDone()) {
			flood = sendFlood(world, (how, id, event) => {
				count.events++;
				if (how === 'a') acknowledged.set(id, event);
				else if (how === 's') {
					count.spooled++;
					spooled.set(id, event);
				} else count.lost.add(`${event} ${id}: nothing kept it`);
			});
			await once(flood, 'close');
		}
	})();
	while (!isDone()) {
		const victim = count.cycles % 2;
		const hooks = [killedHook(world), killedHook(world)];
		await delay(randomInt(latestKill));
		await kill(programs[victim]);
		const isFlood = randomInt(2) === 0;
		if (isFlood) await kill(flood);
		programs[victim] = await start(victim);
		await Promise.all(hooks);
		count.kills += isFlood ? 4 : 3;
		count.cycles++;
		settle(kept, {acknowledged, spooled}, folders, count);
		if (count.cycles % 100 === 0) checkFile(kept, count);
		progress(Math.floor(Math.min(count.cycles / cycles, count.events / goal) * cycles), cycles);
	}
	await kill(flood);
	await flooding;
	// The spool is looked into every ten seconds.
	for (let tries = 0; spooled.size > 0 && tries < 25; tries++) {
		await delay(1000);
		settle(kept, {acknowledged, spooled}, folders, count);
	}
	clearInterval(looking);
	for (const [id, event] of spooled) count.lost.add(`${event} ${id}: never drained`);
	checkFile(kept, count);
	kept.close();
	for (const program of programs) await kill(program);
}

/** What was acknowledged must be kept by now; what is spooled, kept or still there. */
function settle(
	kept: KeptEvents,
	{acknowledged, spooled}: Record<'acknowledged' | 'spooled', Map<string, string>>,
	{spool}: HookFolders,
	count: Count,
): void {
	const waiting = namesIn(spool);
	kept.settle(acknowledged, count.torn);
	for (const [id, event] of acknowledged) count.lost.add(`${event} ${id}: acknowledged, not kept`);
	acknowledged.clear();
	kept.settle(spooled, count.torn);
	for (const [id, event] of spooled) {
		if (waiting.some(name => name.includes(id))) continue;
		count.lost.add(`${event} ${id}: neither in the spool nor kept`);
		spooled.delete(id);
	}
}

function checkFile(kept: KeptEvents, count: Count): void {
	const word = kept.integrity();
	if (word !== 'ok') count.broken.add(word);
}

/** One program after the other in the same place; what called the user stays known over their lives. */
type Slot = {readonly called: Set<string>};

function newSlot(): Slot {
	return {called: new Set()};
}

/** Resolves when the program listens. */
async function startProgram(world: World, file: string, {called}: Slot, count: Count): Promise<ChildProcess> {
	const child = spawn(process.execPath, [world.programFile, file], {
		env: world.folders.env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const shown = new Set<string>();
	await new Promise<void>(resolve => {
		linesOf(child.stdout, line => {
			const [word, id = ''] = line.split(' ');
			if (word === 'r') resolve();
			else if (word === 'c') {
				if (called.has(id)) count.calledTwice.add(id);
				called.add(id);
			} else {
				if (shown.has(id)) count.shownTwice.add(`${word} ${id}`);
				shown.add(id);
			}
		});
		child.on('close', (code, signal) => {
			if (signal !== 'SIGKILL') count.broken.add(`a program ended with ${signal ?? code}`);
			resolve();
		});
	});
	return child;
}

function sendFlood(
	{senderFile, folders}: World,
	onEnd: (how: string, id: string, event: string) => void,
): ChildProcess {
	const child = spawn(process.execPath, [senderFile, ...[rate, goal, spoolLimit, openLimit].map(String)], {
		env: folders.env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	linesOf(child.stdout, line => {
		const [how = '', id = '', event = ''] = line.split(' ');
		onEnd(how, id, event);
	});
	return child;
}

/** The real hook, killed somewhere between its start and its end. */
async function killedHook({hook, folders}: World): Promise<void> {
	const child = spawn(process.execPath, [hook, '--client', 'claude'], {
		env: folders.env,
		stdio: ['pipe', 'ignore', 'inherit'],
	});
	const ended = once(child, 'close');
	child.stdin.on('error', () => {});
	child.stdin.end(JSON.stringify({session_id: 'killed', hook_event_name: 'SubagentStop', cwd: '/soak'}));
	await delay(randomInt(60));
	child.kill('SIGKILL');
	await ended;
}

async function kill(child: ChildProcess | undefined): Promise<void> {
	if (!child || child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'close');
	child.kill('SIGKILL');
	await ended;
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
