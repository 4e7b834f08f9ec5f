import {type ChildProcess, spawn} from 'node:child_process';
import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import {endProcesses} from '../support/end-processes.ts';
import {noSshHost, type SshHost, startSshHost} from '../support/ssh-host.ts';
import {linesOf} from './lines-of.ts';
import {Failures, lengthOf, type Part} from './part.ts';

const cuts = lengthOf('SOAK_MACHINE_CUTS', 100, 5);
const eventsPerCut = 10;
/** The connection is cut this long after the hooks were started, ms at most. */
const latestCut = 500;
/** Times that the program here is killed and started again. */
const restarts = 3;
/** How long the last events may take, ms: the connection may have to wait for its next try. */
const patience = 90_000;

const dist = resolve(import.meta.dirname, '../../dist');

/** M1: hooks on another machine while the connection to it, and the program here, are killed. Run `npm run build` first. */
export const machineHooks: Part = {
	name: 'M1',
	title: 'hooks of another machine, and kill -9 of ssh and of the program here',
	async run(progress) {
		if (noSshHost) return [{what: 'not run', value: noSshHost}];
		const host = await startSshHost();
		const home = mkdtempSync(join(tmpdir(), 'machine-hooks-'));
		try {
			return await run(host, home, progress);
		} finally {
			await endProcesses(home);
			await endProcesses(host.home);
			host.close();
			rmSync(home, {recursive: true, force: true, maxRetries: 5});
		}
	},
};

async function run(host: SshHost, home: string, progress: (done: number, total: number) => void) {
	const runtime = join(home, 'run');
	mkdirSync(runtime, {mode: 0o700});
	const env = {...host.env, HOME: home, XDG_RUNTIME_DIR: runtime, TMPDIR: home};
	const lost = new Failures();
	const doubled = new Failures();
	const broken = new Failures();
	const start = (...args: string[]) =>
		spawn(process.execPath, [join(dist, 'cli.cjs'), '--local', ...args], {
			env,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
	const command = async (...args: string[]) => {
		const child = start(...args);
		child.stdout.resume();
		const [code] = await once(child, 'close');
		return code;
	};
	for (const args of [
		['computers', 'create', '--ssh', 'devbox', '--yes'],
		['computers', 'watch', 'devbox'],
	])
		if ((await command(...args)) !== 0) broken.add(args.join(' '));
	const follow = () => {
		const child = start('--json', 'events', '--follow');
		const seen = new Set<string>();
		linesOf(child.stdout, line => {
			const {id} = JSON.parse(line);
			if (seen.has(id)) doubled.add(`${id} printed by one program`);
			seen.add(id);
		});
		return child;
	};
	let program = follow();
	for (let cut = 0; cut < cuts; cut++) {
		const hooks = Array.from({length: eventsPerCut}, (_, index) =>
			report(host, `session-${cut * eventsPerCut + index}`),
		);
		await delay(randomInt(latestCut));
		try {
			host.cut();
		} catch {
			// It has been cut already, and waits for its next try.
		}
		if ((cut + 1) % Math.ceil(cuts / (restarts + 1)) === 0) {
			await kill(program);
			program = follow();
		}
		for (const code of await Promise.all(hooks)) if (code !== 0) broken.add(`a hook ended with ${code}`);
		// The next try is due now.
		await command('computers', 'connect', 'devbox');
		progress(cut + 1, cuts);
	}
	const total = cuts * eventsPerCut;
	let kept = new Map<string, number>();
	for (const until = performance.now() + patience; performance.now() < until && kept.size < total; ) {
		await delay(500);
		kept = keptEvents(home);
	}
	await kill(program);
	for (let index = 0; index < total; index++) if (!kept.has(`session-${index}`)) lost.add(`session-${index}`);
	for (const [session, count] of kept) if (count > 1) doubled.add(`${session} stored ${count} times`);
	return [
		{what: 'connections killed', value: String(cuts)},
		{what: 'events', value: total.toLocaleString('en')},
		lost.finding('lost'),
		doubled.finding('stored or printed twice'),
		broken.finding('hooks or commands that failed'),
	];
}

/** The real hook there, which knows nothing of the connection. Resolves to its exit code. */
async function report(host: SshHost, sessionId: string): Promise<number | null> {
	const child = spawn(process.execPath, [join(dist, 'hook.cjs'), '--client', 'claude'], {
		env: host.envThere,
		stdio: ['pipe', 'ignore', 'inherit'],
	});
	const ended = once(child, 'close');
	child.stdin.end(JSON.stringify({session_id: sessionId, hook_event_name: 'Stop', cwd: '/soak'}));
	const [code] = await ended;
	return code;
}

/** How often the event of each session is stored here. */
function keptEvents(home: string): Map<string, number> {
	const file = join(home, '.local/state/quarterdeck/accounts/machine.sqlite');
	const database = new DatabaseSync(file, {readOnly: true});
	try {
		const rows = database
			.prepare(
				`SELECT body ->> '$.data.session_id' AS session, count(*) AS count FROM events
				WHERE body ->> '$.computer.name' = 'devbox' GROUP BY 1`,
			)
			.all();
		return new Map(rows.map(row => [String(row.session), Number(row.count)]));
	} finally {
		database.close();
	}
}

async function kill(child: ChildProcess): Promise<void> {
	const ended = once(child, 'close');
	child.kill('SIGKILL');
	await ended;
}
