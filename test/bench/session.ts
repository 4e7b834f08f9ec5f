import {join, resolve} from 'node:path';
import {accountFileFor} from '../support/account-files.ts';
import {answerTime, keyTime, letters, pause} from './keys.ts';
import {measurePolls, measureWalk} from './polls.ts';
import {startTimed, type TimedProgram, usageOf} from './pty.ts';
import {type Figure, paced, ratio} from './report.ts';
import {startService} from './start-service.ts';
import {inRounds, median, percentile} from './statistics.ts';
import {emptyWorld, seedStreamed, type World} from './world.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.cjs');
const panes = join(import.meta.dirname, 'floors/raw-panes.mjs');
const messages = 100_000;
const rate = 50;
const columns = 120;
const rows = 40;
/** How long the screen waits for a terminal to rest before it draws a new size, ms (`GuardedStdout`). */
const resizeRest = 40;

/** A session of 100,000 messages into which 50 a second come, beside an empty one; and what reading one asks for. */
export async function* measureSession(): AsyncGenerator<Figure> {
	const worlds = [emptyWorld(), emptyWorld(), emptyWorld()] as const;
	const startedAt = Date.now();
	const services = await Promise.all([
		startService({before: messages, startedAt: Date.now(), rate}),
		startService({before: messages, startedAt}),
		startService({before: 0}),
	]);
	for (const [index, world] of worlds.slice(0, 2).entries())
		seedStreamed(await databaseOf(world, services[index]?.url ?? ''), {before: messages, startedAt});
	const programs = worlds.map((world, index) =>
		startTimed('node', [cli, '--session', 'streamed'], envOf(world, services[index]?.url ?? '')),
	);
	const [busy, quiet, empty] = programs as [TimedProgram, TimedProgram, TimedProgram];
	const yardstick = startTimed('node', [panes], worlds[0].env);
	const floor = startTimed('node', ['-e', 'setInterval(() => {}, 1e6)'], worlds[0].env);
	try {
		await Promise.all([
			busy.shown('the agent'),
			quiet.shown(`${messages - 1} the agent`),
			empty.shown('No messages yet'),
			yardstick.shown('READY k=0'),
		]);
		await pause(2000);
		const floorKey = counting(yardstick);
		yield* measureKeys({busy, quiet, empty, floorKey});
		yield* measureScroll(quiet, floorKey);
		yield* measureResize(quiet, empty, floorKey);
		yield* measureFinding(quiet, floorKey);
		yield resident('resident, right after searching and scrolling', quiet, floor);
		// V8 tidies its heap some seconds after the last work.
		await pause(14_000);
		yield resident('resident, 100,000 messages searched and scrolled', quiet, floor);
		yield resident('resident, 100,000 messages, 50/s', busy, floor);
	} finally {
		await Promise.all([...programs, yardstick, floor].map(program => program.end()));
		await Promise.all(services.map(service => service.stop()));
		for (const world of worlds) world.remove();
	}
	yield* measurePolls('newest first');
	yield* measurePolls('oldest first');
	yield* measureWalk(messages);
}

const databaseOf = (world: World, url: string) =>
	accountFileFor(join(world.folder, 'state/quarterdeck'), {url, key});
const key = 'bench';
const envOf = (world: World, url: string) => ({
	...world.env,
	QUARTERDECK_BASE_URL: url,
	QUARTERDECK_API_KEY: key,
});

type Programs = Record<'busy' | 'quiet' | 'empty', TimedProgram> & {readonly floorKey: () => Promise<number>};

/** A key of the yardstick, which counts them. */
function counting(yardstick: TimedProgram): () => Promise<number> {
	let count = 0;
	return () => keyTime(yardstick, 'x', `k=${++count};`);
}

async function* measureKeys({busy, quiet, empty, floorKey}: Programs): AsyncGenerator<Figure> {
	const typed = {busy: letters(busy), quiet: letters(quiet), empty: letters(empty)};
	const keys = await inRounds(120, {
		floor: floorKey,
		busy: typed.busy.time,
		quiet: typed.quiet.time,
		empty: typed.empty.time,
	});
	const floor = median(keys.floor);
	const name = 'key to paint, 100,000 messages and 50/s';
	yield ratio(`${name}, p50`, median(keys.busy), floor, 'raw Node panes', 14);
	yield paced(`${name}, p95`, percentile(keys.busy, 0.95), floor, 15);
	yield ratio(
		`${name}, p50 over an empty session`,
		median(keys.busy),
		median(keys.empty),
		'empty session',
		1.1,
	);
	yield ratio(
		'the same at rest, over an empty session',
		median(keys.quiet),
		median(keys.empty),
		'empty session',
		1.1,
	);
	yield {name: 'bytes a key, 100,000 messages', value: median(typed.quiet.bytes), unit: 'bytes', goal: 400};
}

async function* measureScroll(
	program: TimedProgram,
	floorKey: () => Promise<number>,
): AsyncGenerator<Figure> {
	program.send('\u001B');
	await pause(500);
	const {scroll, floor} = await inRounds(40, {
		floor: floorKey,
		scroll: () => answerTime(program, '\u001B[5~'),
	});
	yield ratio('scroll a page p50, 100,000 messages', median(scroll), median(floor), 'raw Node panes', 14);
	yield paced('scroll a page p95, 100,000 messages', percentile(scroll, 0.95), median(floor), 33);
	program.send('G');
	await program.shown(`${messages - 1} the agent`);
}

async function* measureResize(
	long: TimedProgram,
	empty: TimedProgram,
	floorKey: () => Promise<number>,
): AsyncGenerator<Figure> {
	const sizes = new Map<TimedProgram, number>();
	const resize = (program: TimedProgram) => async () => {
		const width = sizes.get(program) === columns ? columns - 10 : columns;
		sizes.set(program, width);
		await pause(100);
		// A wider model shows again what a narrower one had hidden, as if the frame were there.
		const answered = program.wrote();
		const at = program.resize(width, rows);
		await answered;
		// The frame is whole when its panes end at the new right edge, and what is under them does.
		const isWhole = (screen: string) => {
			const lines = screen.split('\n');
			return (
				lines.at(1)?.length === width && lines.at(-2)?.length === width && /[╯┛]$/.test(lines.at(-2) ?? '')
			);
		};
		return (await program.shown(isWhole)) - at - resizeRest;
	};
	sizes.set(long, columns).set(empty, columns);
	const times = await inRounds(24, {floor: floorKey, long: resize(long), empty: resize(empty)});
	const name = `resize p95 after its rest of ${resizeRest} ms, 100,000 messages`;
	yield paced(name, percentile(times.long, 0.95), median(times.floor), 33);
	yield ratio('resize p50 over an empty session', median(times.long), median(times.empty), 'empty session');
	for (const program of [long, empty]) program.resize(columns, rows);
	await pause(500);
}

/** Words that every message holds: the most that there is to find. */
async function* measureFinding(
	program: TimedProgram,
	floorKey: () => Promise<number>,
): AsyncGenerator<Figure> {
	const words = 'agent edits file';
	const toFrame: number[] = [];
	const toEnd: number[] = [];
	const floor: number[] = [];
	const ended = async () => {
		program.send('\u001B');
		await program.shown(screen => !screen.includes(`/ ${words}`));
	};
	for (let round = 0; round < 6; round++) {
		program.send('/');
		await program.shown('matches word beginnings');
		for (let length = 1; length <= words.length; length++) {
			await pause(60 + Math.random() * 60);
			const typed = `/ ${words.slice(0, length)}`.trimEnd();
			const at = program.send(words.charAt(length - 1));
			if (words[length - 1] !== ' ') toFrame.push((await program.shown(typed)) - at);
			floor.push(await floorKey());
		}
		await ended();
		// At once: what was counted for words before would stand there until these are.
		program.send('/');
		await program.shown('matches word beginnings');
		const at = program.send(`\u001B[200~${words}\u001B[201~`);
		toEnd.push((await program.shown(`of ${messages}`)) - at);
		await ended();
	}
	yield paced('find: key to paint p95, all of 100,000 match', percentile(toFrame, 0.95), median(floor), 33);
	yield {name: 'find: three words pasted, until all are counted, p50', value: median(toEnd), unit: 'ms'};
	const search: number[] = [];
	for (let round = 0; round < 6; round++) {
		program.send('F');
		await program.shown('in all messages read so far');
		for (let length = 1; length <= words.length; length++) {
			await pause(60 + Math.random() * 60);
			const at = program.send(words.charAt(length - 1));
			if (words[length - 1] !== ' ') search.push((await program.shown(`> ${words.slice(0, length)}`)) - at);
		}
		await program.shown(`of ${messages}`);
		program.send('\u001B');
		await program.shown(screen => !screen.includes(`> ${words}`));
	}
	yield paced('search: key to paint p95, all of 100,000 match', percentile(search, 0.95), median(floor), 33);
}

function resident(name: string, program: TimedProgram, floor: TimedProgram): Figure {
	const [own, base] = [usageOf(program.pid).resident, usageOf(floor.pid).resident];
	const detail = `${(own / 1024).toFixed(0)} MB over ${(base / 1024).toFixed(0)} MB (empty Node)`;
	return {name, value: own / base, unit: 'x', goal: 3.2, detail};
}
