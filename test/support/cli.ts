import {type ChildProcess, spawn} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFailed, onTestFinished} from 'vitest';
import {endProcesses} from './end-processes.ts';
import {patience} from './eventually.ts';
import {builtCli, environmentIn} from './program.ts';

/** How a run of the program ended. */
export type CliResult = {readonly code: number | null; readonly stdout: string; readonly stderr: string};

export type CliOptions = {
	readonly env?: Readonly<Record<string, string>>;
	readonly input?: string | Uint8Array;
};

/** A run that goes on: what it said so far, and its end. */
export type CliRun = {
	readonly child: ChildProcess;
	readonly stdout: string;
	readonly stderr: string;
	readonly ended: Promise<CliResult>;
	/** Resolves with stdout once it matches; rejects when the run ends before, or with what was printed in a minute. */
	until(pattern: RegExp): Promise<string>;
};

/** The real program as a process, with a home of its own and nothing of this process's environment but PATH. */
export type Cli = {
	readonly home: string;
	readonly stateFolder: string;
	run(args: readonly string[], options?: CliOptions): Promise<CliResult>;
	start(args: readonly string[], options?: CliOptions): CliRun;
};

/** The built program with a fresh home. The folder is the caller's to remove. */
export function cliAt(home: string): Cli {
	mkdirSync(join(home, 'run'), {recursive: true, mode: 0o700});
	const start: Cli['start'] = (args, {env, input} = {}) => {
		const child = spawn(process.execPath, [builtCli, ...args], {
			cwd: home,
			env: {...environmentIn(home), ...env},
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		// A service would outlive the test.
		onTestFinished(() => endProcesses(home));
		let stdout = '';
		let stderr = '';
		let listen = () => {};
		child.stdout.setEncoding('utf8').on('data', part => {
			stdout += part;
			listen();
		});
		child.stderr.setEncoding('utf8').on('data', part => {
			stderr += part;
		});
		onTestFailed(() => {
			if (child.exitCode === null && child.signalCode === null)
				process.stderr.write(`${args.join(' ')} goes on, and printed:\n${stdout}${stderr}\n`);
		});
		child.stdin.on('error', () => {});
		child.stdin.end(input ?? '');
		const ended = new Promise<CliResult>(resolve => {
			child.on('close', code => resolve({code, stdout, stderr}));
		});
		return {
			child,
			get stdout() {
				return stdout;
			},
			get stderr() {
				return stderr;
			},
			ended,
			until: pattern =>
				new Promise((resolve, reject) => {
					const fail = () => reject(new Error(`${pattern} was not printed, but:\n${stdout}${stderr}`));
					const timer = setTimeout(fail, patience);
					listen = () => {
						if (!pattern.test(stdout)) return;
						clearTimeout(timer);
						resolve(stdout);
					};
					listen();
					void ended.then(({code}) => reject(new Error(`ended with ${code}: ${stderr}`)));
				}),
		};
	};
	return {
		home,
		stateFolder: join(home, '.local/state/quarterdeck'),
		start,
		run: (args, options) => start(args, options).ended,
	};
}

/** Any program to its end, with nothing of this process's environment. */
export function runProgram(
	command: string,
	args: readonly string[],
	{env, cwd}: {readonly env: NodeJS.ProcessEnv; readonly cwd: string | undefined},
): Promise<CliResult> {
	const child = spawn(command, args, {env, cwd, stdio: ['ignore', 'pipe', 'pipe']});
	onTestFinished(() => void child.kill('SIGKILL'));
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', part => {
		stdout += part;
	});
	child.stderr.setEncoding('utf8').on('data', part => {
		stderr += part;
	});
	return new Promise(resolve => child.on('close', code => resolve({code, stdout, stderr})));
}

/** What stderr is when it has one line of the program: a failure, or a warning. */
export const oneLine = /^quarterdeck: [^\n]+\n$/;

/** Every JSON object of a line-by-line output. */
export function jsonLines(text: string): Record<string, unknown>[] {
	return text
		.split('\n')
		.filter(line => line !== '')
		.map(line => JSON.parse(line));
}

/** The first JSON object that a run printed which said nothing else. */
export function firstOf({code, stdout, stderr}: CliResult): Record<string, unknown> {
	expect([code, stderr]).toEqual([0, '']);
	return jsonLines(stdout)[0] ?? {};
}

/** Names of the files under a folder whose bytes hold a text: databases are looked into as well. */
export function filesHolding(folder: string, text: string): string[] {
	return readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(name => {
		const path = join(folder, name);
		return statSync(path).isFile() && readFileSync(path).includes(text);
	});
}
