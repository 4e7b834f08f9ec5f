import {spawn} from 'node:child_process';

/** How a command ended, every byte it wrote, and how long it took (ms). */
export type CommandEnd = {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly output: string;
	readonly ms: number;
};

export type CommandRun = {
	/** The complete environment; nothing is inherited. */
	readonly env: {readonly [name: string]: string};
	readonly input: string;
	readonly abort?: AbortSignal;
};

/** After this long (ms) a hook counts as hung. */
const timeLimit = 10_000;

/** Runs a command string as a client does: with `sh -c` and JSON on standard input. Never rejects. */
export function runCommand(command: string, {env, input, abort}: CommandRun): Promise<CommandEnd> {
	return new Promise(resolve => {
		const start = performance.now();
		const child = spawn('/bin/sh', ['-c', command], {
			env,
			cwd: '/',
			stdio: 'pipe',
			timeout: timeLimit,
			killSignal: 'SIGKILL',
			signal: abort,
		});
		let output = '';
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding('utf8').on('data', (text: string) => {
				output += text;
			});
		const end = (code: number | null, signal: NodeJS.Signals | null) =>
			resolve({code, signal, output, ms: performance.now() - start});
		child.on('error', error => {
			output += error.message;
			end(null, null);
		});
		child.on('close', end);
		// A command that does nothing doesn't read its input either.
		child.stdin.on('error', () => {});
		child.stdin.end(input);
	});
}
