import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {Worker} from 'node:worker_threads';
import {keyTime, pause} from '../bench/keys.ts';
import {startTimed, type TimedProgram, usageOf} from '../bench/pty.ts';
import {median, percentile} from '../bench/statistics.ts';
import {emptyWorld, type World} from '../bench/world.ts';
import {bundle} from './bundle.ts';
import type {Testimony, WitnessTask} from './hook-witness.ts';
import {type Finding, lengthOf, type Part, type Progress} from './part.ts';

const minutes = lengthOf('SOAK_FLOOD_MINUTES', 10, 0.5);
const rate = lengthOf('SOAK_FLOOD_RATE', 500, 500);
const goalMs = 50;
/** Between two keys, ms, so that they meet every moment of a frame. */
const keysApart = 83;
/** Typing in one view before the other has its turn, ms. */
const keysFor = 10_000;

/** S3: the built program in a pty, a flood of events, and a user who types all the while. */
export const hookFlood: Part = {
	name: 'S3',
	title: `${rate} hook events a second for ${minutes} minutes`,
	async run(progress) {
		const dist = mkdtempSync(join(tmpdir(), 'soak-dist-'));
		const world = emptyWorld();
		const built = await bundle(['hook-sender', 'hook-spooler']);
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
	await typist.type('work', keysFor);
	await typist.type('events', keysFor);
	const idle = typist.takeTimes();

	const witness = new Worker(join(import.meta.dirname, 'hook-witness.ts'), {
		workerData: {
			senderFile,
			env: world.env,
			rate,
			count: rate * 60 * minutes,
			database: join(world.folder, 'state/quarterdeck/accounts/machine.sqlite'),
		} satisfies WitnessTask,
	});
	const start = performance.now();
	const total = minutes * 60;
	let hasEnded = false;
	const findings = new Promise<readonly Finding[]>((resolve, reject) => {
		witness.on('error', reject);
		witness.on('message', (said: Testimony) => {
			if ('findings' in said) {
				resolve(said.findings);
				return;
			}
			hasEnded = said.hasEnded;
			const seconds = (performance.now() - start) / 1000;
			const reached = (said.acknowledged + said.spooled) / seconds;
			const note = `${reached.toFixed(0)} events/s, ${said.spooled} spooled`;
			progress(Math.min(total, Math.floor(seconds)), total, note);
		});
	});
	const resident: number[] = [];
	for (let turn = 0; !hasEnded; turn++) {
		await Promise.race([findings, typist.type(turn % 2 === 0 ? 'work' : 'events', keysFor)]);
		resident.push(usageOf(program.pid).resident);
	}
	const times = typist.takeTimes();
	const [first = 0, most] = [resident[Math.floor(resident.length / 10)], Math.max(...resident)];
	const p99 = percentile(times, 0.99);
	return [
		...(await findings),
		{what: 'key to frame p50, no events', value: `${median(idle).toFixed(1)} ms`},
		{what: 'key to frame p99, no events', value: `${percentile(idle, 0.99).toFixed(1)} ms`},
		{what: `key to frame p50, ${times.length} keys in the flood`, value: `${median(times).toFixed(1)} ms`},
		{what: 'key to frame p99', value: `${p99.toFixed(1)} ms`, goal: `< ${goalMs} ms`, isMet: p99 < goalMs},
		{what: 'resident after a tenth of the time', value: `${(first / 1024).toFixed(0)} MB`},
		{what: 'resident, most', value: `${(most / 1024).toFixed(0)} MB`},
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
		program.send(view === 'work' ? '1' : '8');
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
