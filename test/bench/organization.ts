import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join, resolve} from 'node:path';
import {answerTime, keyTime, pause} from './keys.ts';
import {startTimed, type TimedProgram, usageOf} from './pty.ts';
import {type Figure, paced, ratio} from './report.ts';
import {inRounds, median, percentile} from './statistics.ts';
import {emptyWorld, type World} from './world.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.cjs');
const panes = join(import.meta.dirname, 'floors/raw-panes.mjs');
const users = 20_000;
const few = 30;
const left = '\u001B[D';

/** The people of an organization of 20,000 users over 90 days: opened twice, scrolled, sorted, beside one of 30 users. */
export async function* measureOrganization(): AsyncGenerator<Figure> {
	const worlds = [emptyWorld(), emptyWorld()] as const;
	const services = await Promise.all([startService(users), startService(few)]);
	const [manyUrl, fewUrl] = services.map(({url}) => url);
	const empty = startTimed('node', ['-e', 'setInterval(() => {}, 1e6)'], worlds[0].env);
	const yardstick = startTimed('node', [panes], worlds[0].env);
	const programs: TimedProgram[] = [empty, yardstick];
	try {
		await yardstick.shown('READY k=0');
		const first = await opened(worlds[0], manyUrl);
		const reading = usageOf(first.program.pid).resident;
		await first.program.end();
		const again = await opened(worlds[0], manyUrl);
		const small = await opened(worlds[1], fewUrl);
		programs.push(again.program, small.program);
		yield {name: `${users} users x 90 days, first opened`, value: first.seconds, unit: 's'};
		yield {name: `${users} users x 90 days, opened from what is kept`, value: again.seconds, unit: 's'};
		let count = 0;
		const keys = await inRounds(30, {
			floor: () => keyTime(yardstick, 'x', `k=${++count};`),
			scroll: () => answerTime(again.program, '\u001B[6~'),
			sort: () => answerTime(again.program, 's'),
			day: () => answerTime(again.program, left),
			smallSort: () => answerTime(small.program, 's'),
		});
		const floor = median(keys.floor);
		const named = [
			['scroll half a page', keys.scroll],
			['sort by the next column', keys.sort],
			['mark the day before', keys.day],
		] as const;
		for (const [name, times] of named) {
			yield ratio(`${name}, p50`, median(times), floor, 'raw Node panes', 14);
			yield paced(`${name}, p95`, percentile(times, 0.95), floor, 33);
		}
		yield ratio(
			`sort ${users} users, p50, over ${few} users`,
			median(keys.sort),
			median(keys.smallSort),
			`${few} users`,
		);
		const from = performance.now();
		const days = 10;
		for (let day = 0; day < days; day++) await answerTime(again.program, left);
		await pause(200);
		yield {
			name: 'bytes of marking another day',
			value: again.program.bytesBetween(from, performance.now()) / days,
			unit: 'bytes',
		};
		const floorResident = usageOf(empty.pid).resident;
		for (const [name, resident] of [
			['resident when all was read', reading],
			['resident after scrolling and sorting', usageOf(again.program.pid).resident],
		] as const)
			yield {
				name: `${name}, ${users} users`,
				value: resident / floorResident,
				unit: 'x',
				detail: `${(resident / 1024).toFixed(0)} MB over ${(floorResident / 1024).toFixed(0)} MB (empty Node)`,
			};
	} finally {
		await Promise.all(programs.map(program => program.end()));
		for (const {stop} of services) await stop();
		for (const world of worlds) world.remove();
	}
}

/** The people of 90 days on screen, and how long that took, s. */
async function opened(
	world: World,
	url: string | undefined,
): Promise<{readonly program: TimedProgram; readonly seconds: number}> {
	const program = startTimed('node', [cli, '--view', 'usage'], {
		...world.env,
		QUARTERDECK_BASE_URL: url,
		QUARTERDECK_API_KEY: 'bench',
	});
	await program.shown('Usage');
	await pause(500);
	const at = program.send('>');
	program.send('p');
	const shown = await program.shown('CREDITS▼', 10 * 60_000);
	return {program, seconds: (shown - at) / 1000};
}

async function startService(count: number): Promise<{readonly url: string; stop(): Promise<unknown>}> {
	const child = spawn('node', [join(import.meta.dirname, 'organization-service.ts'), String(count)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(child.stdout, 'data');
	const ended = once(child, 'exit');
	return {
		url: String(line).trim(),
		stop() {
			child.kill();
			return ended;
		},
	};
}
