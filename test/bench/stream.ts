import {join, resolve} from 'node:path';
import {keyTime, letters, pause} from './keys.ts';
import {startTimed, type TimedProgram, usageOf} from './pty.ts';
import {type Figure, ratio} from './report.ts';
import {startService} from './start-service.ts';
import {inRounds, median} from './statistics.ts';
import {emptyWorld} from './world.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.cjs');
const panes = join(import.meta.dirname, 'floors/raw-panes.mjs');
const rate = 50;

/** The screen while 50 messages a second come in, beside itself at rest and the yardstick under the same stream. */
export async function* measureStream(): AsyncGenerator<Figure> {
	const worlds = [emptyWorld(), emptyWorld()] as const;
	const services = await Promise.all([startService({rate}), startService({})]);
	const [streamed, quiet] = worlds.map((world, index) =>
		startTimed('node', [cli, '--session', 'streamed'], {
			...world.env,
			QUARTERDECK_BASE_URL: services[index]?.url,
			QUARTERDECK_API_KEY: 'bench',
		}),
	) as [TimedProgram, TimedProgram];
	const yardstick = startTimed('node', [panes], {...worlds[0].env, STREAM: String(rate)});
	try {
		await Promise.all([quiet.shown('199 '), streamed.shown('the agent'), yardstick.shown('READY')]);
		await pause(2000);
		const [own, floor] = await Promise.all([share(streamed.pid), share(yardstick.pid)]);
		const [under, rest] = [letters(streamed), letters(quiet)];
		let count = 0;
		const keys = await inRounds(40, {
			floor: () => keyTime(yardstick, 'x', `k=${++count};`),
			streamed: under.time,
			quiet: rest.time,
		});
		yield ratio(
			'key to paint p50, 50 messages/s',
			median(keys.streamed),
			median(keys.quiet),
			'at rest',
			1.05,
		);
		const detail = `${own.toFixed(1)} % over ${floor.toFixed(1)} % of a core (raw Node panes)`;
		yield {name: 'processor, 50 messages/s', value: own / floor, unit: 'x', goal: 5, detail};
	} finally {
		await Promise.all([streamed, quiet, yardstick].map(program => program.end()));
		for (const {stop} of services) await stop();
		for (const world of worlds) world.remove();
	}
}

/** Share of a core that a process takes over some seconds, %. */
async function share(pid: number): Promise<number> {
	const [before, from] = [usageOf(pid).cpu, performance.now()];
	await pause(8000);
	return (usageOf(pid).cpu - before) / 1e4 / (performance.now() - from);
}
