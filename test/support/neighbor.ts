import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {onTestFinished} from 'vitest';

/** User id of another user of this machine. */
export const neighborId = 65534;

/** Arguments of setpriv. */
const asNeighbor = [`--reuid=${neighborId}`, `--regid=${neighborId}`, '--clear-groups'];

/** Why tests that take a second user can't run here, or undefined when they can. */
export const noNeighbor: string | undefined = whyNone();

function whyNone(): string | undefined {
	if (process.getuid?.() !== 0) return 'only root can act as another user';
	const {status} = spawnSync('setpriv', [...asNeighbor, process.execPath, '-e', '0']);
	return status === 0 ? undefined : 'setpriv, or Node as another user, does not run here';
}

/** A program that runs as the neighbor, with its output, line by line. */
export type Neighbor = {
	readonly child: ChildProcess;
	/** Everything it printed so far. */
	output(): string;
	/** Resolves once its output matches; rejects when it ends before. */
	until(pattern: RegExp): Promise<RegExpMatchArray>;
};

/** Runs a script of CommonJS as the neighbor, with `args` from `process.argv[1]` on. Ends with the test. */
export function runAsNeighbor(script: string, ...args: readonly string[]): Neighbor {
	const child = spawn('setpriv', [...asNeighbor, process.execPath, '-e', script, ...args], {
		cwd: '/',
		env: {PATH: process.env.PATH},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	let output = '';
	let look = () => {};
	child.stdout.setEncoding('utf8').on('data', part => {
		output += part;
		look();
	});
	return {
		child,
		output: () => output,
		until: pattern =>
			new Promise((resolve, reject) => {
				look = () => {
					const match = output.match(pattern);
					if (match) resolve(match);
				};
				look();
				child.once('close', code => reject(new Error(`the neighbor ended with ${code}: ${output}`)));
			}),
	};
}
