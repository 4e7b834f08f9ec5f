import {join, resolve} from 'node:path';
import {startLocalService} from '../../src/local/start-local-service.ts';
import {accountFileFor} from '../support/account-files.ts';
import {answerTime, keyTime, letters, pause} from './keys.ts';
import {processTime} from './process-time.ts';
import {startTimed, type TimedProgram, usageOf} from './pty.ts';
import {type Figure, paced, ratio} from './report.ts';
import {inRounds, median, percentile} from './statistics.ts';
import {emptyWorld, seed, type World} from './world.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.cjs');
const panes = join(import.meta.dirname, 'floors/raw-panes.mjs');

/** The screen in a real pty of 120x40: start, keys, rest and memory. */
export async function* measureScreen(): AsyncGenerator<Figure> {
	const [busy, sparse, reading] = [emptyWorld(), emptyWorld(), emptyWorld()];
	const service = await startLocalService({folder: join(busy.folder, 'service'), port: 0});
	const env = (world: World) => ({
		...world.env,
		QUARTERDECK_BASE_URL: service.port?.url,
		QUARTERDECK_API_KEY: service.port?.key.reveal(),
	});
	try {
		const databaseOf = ({folder}: World) =>
			accountFileFor(join(folder, 'state/quarterdeck'), {
				url: service.port?.url ?? '',
				key: service.port?.key.reveal() ?? '',
			});
		seed(await databaseOf(busy), {sessions: 1000, computers: 100, messages: 100_000});
		seed(await databaseOf(reading), {sessions: 1000, computers: 100, messages: 1002, isOpen: true});
		yield* measureStart(busy, env(busy), env(reading));
		yield* measureKeys(env(busy), env(sparse), busy);
	} finally {
		await service.close();
		busy.remove();
		sparse.remove();
		reading.remove();
	}
}

async function* measureStart(
	busy: World,
	busyEnv: NodeJS.ProcessEnv,
	readingEnv: NodeJS.ProcessEnv,
): AsyncGenerator<Figure> {
	const firstFrame = (args: string[], env: () => NodeJS.ProcessEnv, marker: string) => async () => {
		const program = startTimed('node', args, env());
		const at = await program.shown(marker);
		await program.end();
		return at - program.startedAt;
	};
	const worlds: World[] = [];
	const fresh = () => {
		const world = emptyWorld();
		worlds.push(world);
		return {...world.env, XDG_CACHE_HOME: busy.env.XDG_CACHE_HOME};
	};
	const times = await inRounds(12, {
		floor: () => processTime(['-e', '0'], busy.env),
		panes: firstFrame([panes], () => busy.env, 'READY k=0'),
		cached: firstFrame([cli], () => busyEnv, 'bench 0000'),
		reading: firstFrame([cli], () => readingEnv, '1001 Done'),
		local: firstFrame([cli, '--local'], fresh, 'Computers'),
	});
	for (const world of worlds) world.remove();
	const floor = median(times.floor);
	yield ratio('three panes written raw by Node', median(times.panes), floor, 'node -e 0');
	yield ratio('first full frame, 1,000 sessions known', median(times.cached), floor, 'node -e 0', 4.5);
	yield ratio(
		'first full frame, the newest messages of the last session',
		median(times.reading),
		floor,
		'node -e 0',
		5,
	);
	yield ratio('first full frame, empty home, own service', median(times.local), floor, 'node -e 0', 6);
}

async function* measureKeys(
	busyEnv: NodeJS.ProcessEnv,
	sparseEnv: NodeJS.ProcessEnv,
	world: World,
): AsyncGenerator<Figure> {
	const yardstick = startTimed('node', [panes], world.env);
	const busy = startTimed('node', [cli, '--session', 'session-0000'], busyEnv);
	const sparse = startTimed('node', [cli, '--session', 'session-0000'], sparseEnv);
	const empty = startTimed('node', ['-e', 'setInterval(() => {}, 1e6)'], world.env);
	const waking = startTimed('node', ['-e', 'setInterval(() => {}, 1000)'], world.env);
	try {
		await Promise.all([yardstick.shown('READY k=0'), busy.shown('99999 '), sparse.shown('session-')]);
		// V8 tidies its heap some seconds after the last work.
		await pause(14_000);
		const [before, wakingBefore] = [usageOf(sparse.pid), usageOf(waking.pid)];
		const from = performance.now();
		await pause(30_000);
		const [after, wakingAfter] = [usageOf(sparse.pid), usageOf(waking.pid)];
		const seconds = (performance.now() - from) / 1000;
		const [open, resident] = [usageOf(busy.pid).resident, usageOf(empty.pid).resident];

		let count = 0;
		const typed = letters(busy);
		const yardstickKey = () => keyTime(yardstick, 'x', `k=${++count};`);
		const keys = await inRounds(120, {
			floor: yardstickKey,
			busy: typed.time,
			sparse: letters(sparse).time,
		});
		const floor = median(keys.floor);
		yield ratio('key to paint p50, 100,000 messages', median(keys.busy), floor, 'raw Node panes', 14);
		yield paced('key to paint p95, 100,000 messages', percentile(keys.busy, 0.95), floor, 15);
		yield ratio(
			'key to paint p50 over an empty database',
			median(keys.busy),
			median(keys.sparse),
			'empty database',
			1.1,
		);
		yield {name: 'bytes a key', value: median(typed.bytes), unit: 'bytes', goal: 400};
		yield* measureScroll(busy, yardstickKey);
		const [own, once] = [after.cpu - before.cpu, wakingAfter.cpu - wakingBefore.cpu].map(
			cpu => cpu / 1e7 / seconds,
		) as [number, number];
		yield {
			name: 'at rest: processor',
			value: own / once,
			unit: 'x',
			goal: 1,
			detail: `${own.toFixed(3)} % over ${once.toFixed(3)} % of a core (empty Node that wakes once a second)`,
		};
		yield {
			name: 'at rest: wake-ups a second',
			value: (after.switches - before.switches) / seconds,
			unit: '/s',
			goal: 1,
		};
		yield {
			name: 'at rest: bytes written',
			value: sparse.bytesBetween(from, from + seconds * 1000),
			unit: 'bytes',
			goal: 0,
		};
		yield {
			name: 'resident, 100,000 messages open',
			value: open / resident,
			unit: 'x',
			goal: 3.2,
			detail: `${(open / 1024).toFixed(0)} MB over ${(resident / 1024).toFixed(0)} MB (empty Node)`,
		};
	} finally {
		await Promise.all([yardstick, busy, sparse, empty, waking].map(program => program.end()));
	}
}

/** Pages up through the open session. */
async function* measureScroll(
	program: TimedProgram,
	floorKey: () => Promise<number>,
): AsyncGenerator<Figure> {
	const pageUp = '\u001B[5~';
	program.send('\u001B');
	await pause(500);
	const from = performance.now();
	const {scroll, floor} = await inRounds(30, {
		floor: floorKey,
		scroll: () => answerTime(program, pageUp),
	});
	await pause(200);
	const bytes = program.bytesBetween(from, performance.now()) / 31;
	yield paced('scroll a page p95, 100,000 messages', percentile(scroll, 0.95), median(floor), 33);
	yield {name: 'bytes a scrolled page', value: bytes, unit: 'bytes', goal: 6000};
}
