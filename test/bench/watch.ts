import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {accountFileFor} from '../support/account-files.ts';
import {keyTime, letters, pause} from './keys.ts';
import {startTimed, usageOf} from './pty.ts';
import {type Figure, paced, ratio} from './report.ts';
import {inRounds, median, percentile} from './statistics.ts';
import {emptyWorld, seed} from './world.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.cjs');
const panes = join(import.meta.dirname, 'floors/raw-panes.mjs');
const polling = join(import.meta.dirname, 'floors/polling.mjs');
const sessions = 1_000;
const seconds = 60;

/** Reads every session once, faster than the default budget allows: what follows is rest. */
async function readOnce(env: NodeJS.ProcessEnv, folder: string): Promise<void> {
	mkdirSync(join(folder, 'fast/quarterdeck'), {recursive: true});
	writeFileSync(join(folder, 'fast/quarterdeck/config.json'), '{"pollBudget": 50}');
	const program = startTimed('node', [cli], env);
	await program.shown(`${sessions} idle`, 180_000);
	await program.end();
}

async function startWatched() {
	const service = spawn('node', [join(import.meta.dirname, 'watched-service.ts')], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	return {service, url: String((await once(service.stdout, 'data'))[0]).trim()};
}

/** What watching a thousand sessions costs: processor and requests at rest, and the time of a key. */
export async function* measureWatch(): AsyncGenerator<Figure> {
	const world = emptyWorld();
	const [{url, service}, other] = await Promise.all([startWatched(), startWatched()]);
	const state = join(world.folder, 'state/quarterdeck');
	seed(await accountFileFor(state, {url, key: 'bench'}), {sessions, computers: 6, messages: 0});
	const env = {...world.env, QUARTERDECK_BASE_URL: url, QUARTERDECK_API_KEY: 'bench'};
	await readOnce({...env, XDG_CONFIG_HOME: join(world.folder, 'fast')}, world.folder);
	const program = startTimed('node', [cli, '--session', 'session-0000'], env);
	const yardstick = startTimed('node', [panes], world.env);
	const floor = startTimed('node', [polling, other.url, String(sessions)], world.env);
	const count = async () => (await (await fetch(`${url}/count`)).json()) as number;
	try {
		await Promise.all([program.shown('The words of'), yardstick.shown('READY k=0')]);
		// The first minute compiles what is called often.
		await pause(60_000);
		await count();
		const [before, floorBefore] = [usageOf(program.pid), usageOf(floor.pid)];
		const from = performance.now();
		await pause(seconds * 1_000);
		const [after, floorAfter] = [usageOf(program.pid), usageOf(floor.pid)];
		const took = (performance.now() - from) / 1_000;
		const requests = await count();
		const name = `${sessions.toLocaleString('en')} sessions watched`;
		const [own, least] = [after.cpu - before.cpu, floorAfter.cpu - floorBefore.cpu].map(
			cpu => cpu / 1e7 / took,
		) as [number, number];
		yield {
			name: `${name}: processor`,
			value: own / least,
			unit: 'x',
			goal: 3,
			detail: `${own.toFixed(2)} % over ${least.toFixed(2)} % of a core (empty Node that reads as often)`,
		};
		yield {name: `${name}: requests a second`, value: requests / took, unit: '/s', goal: 2.1};
		let presses = 0;
		const typed = letters(program);
		const keys = await inRounds(60, {
			floor: () => keyTime(yardstick, 'x', `k=${++presses};`),
			watching: typed.time,
		});
		const key = median(keys.floor);
		yield ratio(`${name}: key to paint p50`, median(keys.watching), key, 'raw Node panes', 14);
		yield paced(`${name}: key to paint p95`, percentile(keys.watching, 0.95), key, 15);
	} finally {
		await Promise.all([program, yardstick, floor].map(one => one.end()));
		for (const one of [service, other.service]) {
			const ended = once(one, 'exit');
			one.kill();
			await ended;
		}
		world.remove();
	}
}
