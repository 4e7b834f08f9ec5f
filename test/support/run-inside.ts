import {join} from 'node:path';
import {Readable, Writable} from 'node:stream';
import {expect} from 'vitest';
import {InterruptedError} from '../../src/commands/cli/errors.ts';
import {run} from '../../src/commands/cli/run.ts';
import type {System} from '../../src/commands/cli/system.ts';
import {type Clock, systemClock} from '../../src/domain/clock.ts';
import {type CliResult, jsonLines} from './cli.ts';
import {patience} from './eventually.ts';
import {builtCli} from './program.ts';

export type InsideOptions = {
	readonly home: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly input?: string | Uint8Array;
	readonly clock?: Clock;
	/** The error code with which every write to stdout fails. */
	readonly outputFails?: 'ENOSPC' | 'EPIPE';
	/** If it isn't given, others take it for a process that has ended. */
	readonly pid?: number;
};

/** A command that goes on: what it said so far, and its end. */
export type CommandRun = {
	readonly stdout: string;
	readonly stderr: string;
	readonly ended: Promise<CliResult>;
	/** Resolves with stdout once it matches; rejects when the command ends before, or takes too long. */
	until(pattern: RegExp): Promise<string>;
	/** Ends it as Ctrl+C does. */
	interrupt(): void;
};

/** Larger than any that Linux gives. */
const endedPid = 2 ** 22 + 1;

/** Starts a command inside this process, with nothing of its environment but PATH. */
export function startInside(
	args: readonly string[],
	{home, env, input = '', clock = systemClock, pid = endedPid, outputFails}: InsideOptions,
): CommandRun {
	const stdout = new Printed(outputFails);
	const stderr = new Printed();
	let interrupt = () => {};
	const system: System = {
		stdin: Readable.from([Buffer.from(input)]),
		stdout,
		stderr,
		env: {PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), TMPDIR: home, ...env},
		home,
		folder: home,
		script: builtCli,
		pid,
		clock,
		watch(abort) {
			interrupt = () => abort(new InterruptedError());
			return () => {};
		},
	};
	const ended = run(args, () => {}, system).then(code => ({
		code,
		stdout: stdout.text,
		stderr: stderr.text,
	}));
	return {
		get stdout() {
			return stdout.text;
		},
		get stderr() {
			return stderr.text;
		},
		ended,
		until: pattern => untilPrinted(stdout, pattern, ended),
		interrupt: () => interrupt(),
	};
}

/** Runs a command inside this process to its end. */
export function runInside(args: readonly string[], options: InsideOptions): Promise<CliResult> {
	return startInside(args, options).ended;
}

/** Runs a command inside this process over the service that runs in the home, and answers its JSON lines. */
export async function runJson(
	{HOME: home = ''}: NodeJS.ProcessEnv,
	...args: readonly string[]
): Promise<Record<string, unknown>[]> {
	const {code, stdout, stderr} = await runInside([...args, '--local', '--json'], {home});
	expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
	return jsonLines(stdout);
}

/** A stream that keeps what is written, as a pipe does. */
class Printed extends Writable {
	text = '';
	readonly #failure: Error | undefined;
	readonly #decoder = new TextDecoder();

	constructor(failure?: string) {
		super();
		this.#failure = failure === undefined ? undefined : Object.assign(new Error(failure), {code: failure});
	}

	override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
		if (!this.#failure) {
			this.text += this.#decoder.decode(chunk, {stream: true});
			this.emit('printed');
		}
		done(this.#failure);
	}
}

function untilPrinted(stream: Printed, pattern: RegExp, ended: Promise<CliResult>): Promise<string> {
	const {promise, resolve, reject} = Promise.withResolvers<string>();
	const look = () => {
		if (pattern.test(stream.text)) resolve(stream.text);
	};
	const fail = () => reject(new Error(`${pattern} was not printed, but:\n${stream.text}`));
	const timer = setTimeout(fail, patience);
	stream.on('printed', look);
	look();
	void ended.then(({code, stderr}) => reject(new Error(`ended with ${code}: ${stderr}`)));
	return promise.finally(() => {
		clearTimeout(timer);
		stream.off('printed', look);
	});
}
