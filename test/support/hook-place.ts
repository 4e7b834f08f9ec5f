import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {Envelope} from '../../hooks/wire.ts';

/** A user's folders, empty and gone after the test, and the environment that names them. */
export type HookPlace = {
	readonly root: string;
	/** Where programs listen. */
	readonly runtime: string;
	readonly spool: string;
	readonly env: NodeJS.ProcessEnv;
	/** What waits in a spool folder, in the order of its names. */
	spooled(folder?: string): Envelope[];
};

export function hookPlace(): HookPlace {
	// Short, as paths of sockets must be.
	const root = mkdtempSync('/tmp/hp-');
	onTestFinished(() => rmSync(root, {recursive: true, force: true}));
	for (const folder of ['run', 'state', 'home', 'tmp']) mkdirSync(join(root, folder), {mode: 0o700});
	const spool = join(root, 'state', 'quarterdeck', 'spool');
	return {
		root,
		runtime: join(root, 'run', 'quarterdeck'),
		spool,
		env: {
			PATH: process.env.PATH,
			XDG_RUNTIME_DIR: join(root, 'run'),
			XDG_STATE_HOME: join(root, 'state'),
			HOME: join(root, 'home'),
			TMPDIR: join(root, 'tmp'),
		},
		spooled(folder = spool) {
			return namesIn(folder)
				.filter(name => name.endsWith('.json') && !name.startsWith('.'))
				.sort()
				.map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Envelope);
		},
	};
}

/** How a process ended and every byte it wrote. */
export type Ended = {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly output: string;
};

export const silentSuccess: Ended = {code: 0, signal: null, output: ''};

/** What is written to standard input: chunks in turn, then its end, unless it is `held` open. */
export type Feed = {
	readonly chunks?: readonly (string | Uint8Array)[];
	readonly held?: boolean;
};

/** Runs a command to its end. */
export function runFed(command: readonly string[], env: NodeJS.ProcessEnv, feed: Feed = {}): Promise<Ended> {
	const [file = '', ...args] = command;
	return new Promise((resolve, reject) => {
		// One that never ends fails its test, and doesn't outlive it.
		const child = spawn(file, args, {env, stdio: 'pipe', timeout: 60_000, killSignal: 'SIGKILL'});
		let output = '';
		child.stdout.on('data', bytes => {
			output += bytes;
		});
		child.stderr.on('data', bytes => {
			output += bytes;
		});
		// A process may leave before it has read all it was given.
		child.stdin.on('error', () => {});
		child.on('error', reject);
		child.on('close', (code, signal) => {
			child.stdin.destroy();
			resolve({code, signal, output});
		});
		void write();

		async function write(): Promise<void> {
			for (const chunk of feed.chunks ?? []) {
				await new Promise<void>(written => child.stdin.write(chunk, () => setImmediate(written)));
			}
			if (!feed.held) child.stdin.end();
		}
	});
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
