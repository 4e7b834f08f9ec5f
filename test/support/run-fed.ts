import {spawn} from 'node:child_process';

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
