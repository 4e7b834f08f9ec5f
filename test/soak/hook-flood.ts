import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {keyTime, pause} from '../bench/keys.ts';
import {startTimed, type TimedProgram, usageOf} from '../bench/pty.ts';
import {median, percentile} from '../bench/statistics.ts';
import {emptyWorld, type World} from '../bench/world.ts';
import {bundle} from './bundle.ts';
import {KeptEvents} from './kept-events.ts';
import {linesOf} from './lines-of.ts';
import {Failures, type Finding, type Part, type Progress} from './part.ts';

const minutes = Number(process.env.SOAK_FLOOD_MINUTES ?? 10);
const goalRate = 5000;
const rate = Number(process.env.SOAK_FLOOD_RATE ?? goalRate);
const goalMs = 50;
/** Between two keys, ms, so that they meet every moment of a frame. */
const keysApart = 83;
/** Must be well below the ten seconds in which a flood writes as many events as are kept. */
const settleEvery = 1000;

/** S3: the built program in a pty, a flood of events, and a user who types all the while. */
export const hookFlood: Part = {
	name: 'S3',
	title: `${rate} hook events a second for ${minutes} minutes`,
	async run(progress) {
		const dist = mkdtempSync(join(tmpdir(), 'soak-dist-'));
		const world = emptyWorld();
		const built = await bundle(['hook-sender']);
		try {
			const top = resolve(import.meta.dirname, '../..');
			spawnSync(process.execPath, [join(top, '.ci/build.ts'), dist], {
				stdio: ['ignore', 'ignore', 'inherit'],
			});
			const program = startTimed('node', [join(dist, 'cli.cjs'), '--local'], world.env);
			try {
				return await flood(program, world, built.files['hook-sender'], progress);
			} finally {
				await program.end();
			}
		} finally {
			built.remove();
			world.remove();
			rmSync(dist, {recursive: true, force: true});
		}
	},
};

async function flood(
	program: TimedProgram,
	world: World,
	senderFile: string,
	progress: Progress,
): Promise<Finding[]> {
	await program.shown('active');
	const typist = new Typist(program);
	await typist.type('work', 10_000);
	await typist.type('events', 10_000);
	const idle = typist.takeTimes();

	const count = {acknowledged: 0, spooled: 0, lost: 0};
	const [ends, torn] = [new Failures(), new Failures()];
	const pending = {a: new Map<string, string>(), s: new Map<string, string>()};
	const sender = spawn(process.execPath, [senderFile, String(rate), String(rate * 60 * minutes)], {
		env: world.env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(sender, 'close');
	linesOf(sender.stdout, line => {
		const [how = '', id = '', event = ''] = line.split(' ');
		if (how === 'a') count.acknowledged++;
		else if (how === 's') count.spooled++;
		else count.lost++;
		if (event !== 'Stop' && event !== 'SessionEnd') return;
		if (how === 'a') pending.a.set(id, event);
		else if (how === 's') pending.s.set(id, event);
		else ends.add(`${event} ${id}: nothing kept it`);
	});
	const kept = new KeptEvents(join(world.folder, 'state/quarterdeck/local.sqlite'));
	const settle = () => {
		kept.settle(pending.a, torn);
		for (const [id, event] of pending.a) ends.add(`${event} ${id}: acknowledged, not kept`);
		pending.a.clear();
		kept.settle(pending.s, torn);
	};
	const settling = setInterval(settle, settleEvery);

	const start = performance.now();
	const resident: number[] = [];
	const total = minutes * 60;
	for (let turn = 0; sender.exitCode === null; turn++) {
		await typist.type(turn % 2 === 0 ? 'work' : 'events', 10_000);
		resident.push(usageOf(program.pid).resident);
		const seconds = (performance.now() - start) / 1000;
		const told = count.acknowledged + count.spooled + count.lost;
		progress(
			Math.min(total, Math.floor(seconds)),
			total,
			`${Math.round(told / seconds)} events/s, ${count.spooled} spooled`,
		);
	}
	await ended;
	const seconds = (performance.now() - start) / 1000;
	await pause(25_000);
	clearInterval(settling);
	settle();
	for (const [id, event] of pending.s) ends.add(`${event} ${id}: spooled, never drained`);
	kept.close();

	const times = typist.takeTimes();
	const [first = 0, most] = [resident[Math.floor(resident.length / 10)], Math.max(...resident)];
	const told = count.acknowledged + count.spooled + count.lost;
	const p99 = percentile(times, 0.99);
	return [
		{
			what: 'events a second',
			value: (told / seconds).toFixed(0),
			goal: String(goalRate),
			isMet: told / seconds >= goalRate * 0.98,
		},
		{what: 'acknowledged', value: count.acknowledged.toLocaleString('en')},
		{what: 'spooled: not answered in time', value: count.spooled.toLocaleString('en')},
		{what: 'key to frame p50, no events', value: `${median(idle).toFixed(1)} ms`},
		{what: 'key to frame p99, no events', value: `${percentile(idle, 0.99).toFixed(1)} ms`},
		{what: `key to frame p50, ${times.length} keys in the flood`, value: `${median(times).toFixed(1)} ms`},
		{what: 'key to frame p99', value: `${p99.toFixed(1)} ms`, goal: `< ${goalMs} ms`, isMet: p99 < goalMs},
		{what: 'resident after a tenth of the time', value: `${(first / 1024).toFixed(0)} MB`},
		{what: 'resident, most', value: `${(most / 1024).toFixed(0)} MB`},
		ends.finding('Stop or SessionEnd lost'),
		torn.finding('torn'),
	];
}

/** Types into the filter of a view, a letter and its taking back, and times each. */
class Typist {
	readonly #program: TimedProgram;
	#times: number[] = [];

	constructor(program: TimedProgram) {
		this.#program = program;
	}

	async type(view: 'work' | 'events', ms: number): Promise<void> {
		const program = this.#program;
		program.send(view === 'work' ? '1' : '7');
		await pause(500);
		program.send('/');
		await pause(500);
		const end = performance.now() + ms;
		for (let count = 0; performance.now() < end; count++) {
			const letter = String.fromCharCode(0x61 + (count % 26));
			// A word that nothing else on the screen holds; each key makes it another.
			const word = `zq${letter}`;
			if (count === 0) {
				program.send('zq');
				await program.shown('zq');
			}
			this.#times.push(await keyTime(program, letter, word));
			await pause(Math.random() * keysApart);
			program.send('\u007F');
			await pause(keysApart);
		}
		program.send('\u001B');
		await pause(300);
		program.send('\u001B');
		await pause(300);
	}

	takeTimes(): number[] {
		const times = this.#times;
		this.#times = [];
		return times;
	}
}
