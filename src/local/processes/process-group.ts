import {type ChildProcess, spawn} from 'node:child_process';
import {createHash, randomUUID} from 'node:crypto';
import {readProcStat} from '../../../hooks/proc-stat.ts';
import {errorCode} from '../local-error.ts';
import {childEnvironment} from './child-environment.ts';
import {endProcesses, killProcesses, liveGroups, type Started, withMark} from './started-processes.ts';

/** A program to run, never through a shell unless the program is the shell. */
export type Command = {
	readonly file: string;
	readonly args: readonly string[];
	readonly cwd: string;
	/** Beside the variables that all programs get. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Written to standard input, which is then closed; standard input is empty when absent. */
	readonly stdin?: string;
};

/** How a program ended: its exit code, the signal that killed it, or the error that kept it from starting. */
export type Ended = {readonly code?: number; readonly signal?: string; readonly error?: Error};

export type OutputSource = 'stdout' | 'stderr';

/** The last line of an answer whose program failed; undefined if it succeeded. */
export function endNote(program: string, {code, signal, error}: Ended): string | undefined {
	if (error)
		return errorCode(error) === 'ENOENT'
			? `[${program} was not found on PATH: install it, or choose another agent]`
			: `[${program} could not be started: ${error.message}]`;
	if (signal) return `[ended by ${signal}]`;
	return code === 0 ? undefined : `[exit ${code}]`;
}

type OnOutput = (chunk: Buffer, source: OutputSource) => void;

/** Programs started by this service, each with its own group and mark, so its descendants end with it. */
export type ProcessGroups = ReturnType<typeof createProcessGroups>;

/** After a program exits, its output is read until none has arrived for this long, ms. */
const quietTime = 150;
/** Maximum number of such waits: background jobs may keep writing. */
const maxChecks = 10;
/** How often it is checked which groups still have a process, ms: each check reads all of the machine's processes. */
const checkInterval = 5000;

/**
 * Ends what a killed service over the same folder left running, on Linux. The folder's name marks the processes that are
 * started: a copy's service still owns its own.
 */
export function createProcessGroups(folder: string) {
	const mark = createHash('sha256').update(folder).digest('hex').slice(0, 16);
	const groups = new Set<number>();
	let since = Infinity;
	const all = (): Started => ({groups, isMarked: owner => owner === mark, since});
	killProcesses({...all(), since: 0});
	let isClosed = false;
	let sweeper: NodeJS.Timeout | undefined;
	const killAll = () => killProcesses(all());
	process.once('exit', killAll);

	// The id of a finished group may be reused by an unrelated one, so it is forgotten soon.
	const forgetEnded = () => {
		const live = liveGroups(groups);
		for (const group of groups) if (!live.has(group)) groups.delete(group);
		sweeper = undefined;
		forgetLater();
	};
	const forgetLater = () => {
		if (groups.size > 0 && !isClosed) sweeper ??= setTimeout(forgetEnded, checkInterval).unref();
	};

	const open = (command: Omit<Command, 'stdin'>, input: 'pipe' | 'ignore', onOutput: OnOutput) => {
		if (isClosed) return notStarted(new Error('the service is closing'));
		const run = randomUUID();
		let child: ChildProcess;
		try {
			child = start({...command, env: withMark(childEnvironment(command.env), mark, run)}, input);
		} catch (error) {
			// The arguments are too long or contain a NUL.
			return notStarted(error as Error);
		}
		const startedAt = child.pid === undefined ? Infinity : Number(readProcStat(child.pid)?.start ?? 0);
		since = Math.min(since, startedAt);
		if (child.pid !== undefined) groups.add(child.pid);
		child.stdout?.on('data', chunk => onOutput(chunk, 'stdout'));
		child.stderr?.on('data', chunk => onOutput(chunk, 'stderr'));
		// A program may close its input without reading it.
		child.stdin?.on('error', () => {});
		const own: Started = {
			groups: new Set(child.pid === undefined ? [] : [child.pid]),
			isMarked: (_, each) => each === run,
			since: startedAt,
		};
		let stopping: Promise<void> | undefined;
		return {
			/** Writes to standard input; dropped once the program has ended. */
			write: (text: string) => void child.stdin?.write(text),
			closeInput: (text?: string) => void child.stdin?.end(text),
			/** Ends the program and everything it started: TERM, then KILL. */
			stop: () =>
				(stopping ??= endProcesses(own).finally(() => {
					stopping = undefined;
				})),
			/** True from its exit on, while its last output may still be read. */
			get hasExited() {
				return child.exitCode !== null || child.signalCode !== null;
			},
			/** Resolves when it has ended; never rejects. */
			ended: waitForEnd(child).finally(forgetLater),
		};
	};

	return {
		/**
		 * Runs a program to its end and passes on its output as it arrives. Never rejects. `close` ends processes
		 * that the program leaves running in the background.
		 */
		async run(
			{stdin, ...command}: Command,
			onOutput: OnOutput,
			{signal}: {readonly signal?: AbortSignal} = {},
		): Promise<Ended> {
			if (signal?.aborted) return {error: new Error('the service is closing')};
			const program = open(command, stdin === undefined ? 'ignore' : 'pipe', onOutput);
			program.closeInput(stdin);
			const stop = () => void program.stop();
			signal?.addEventListener('abort', stop, {once: true});
			const ended = await program.ended;
			signal?.removeEventListener('abort', stop);
			return ended;
		},
		/** Starts a program whose standard input stays open. */
		open: (command: Omit<Command, 'stdin'>, onOutput: OnOutput) => open(command, 'pipe', onOutput),
		/**
		 * Ends everything that was started (TERM, then KILL), on Linux including processes that left their group,
		 * and rejects new programs. Resolves when nothing is left.
		 */
		async close(): Promise<void> {
			isClosed = true;
			clearTimeout(sweeper);
			await endProcesses(all());
			process.off('exit', killAll);
		},
	};
}

function notStarted(error: Error) {
	return {
		write: () => {},
		closeInput: () => {},
		stop: async () => {},
		hasExited: true,
		ended: Promise.resolve<Ended>({error}),
	};
}

function start(
	command: Omit<Command, 'stdin' | 'env'> & {readonly env: NodeJS.ProcessEnv},
	input: 'pipe' | 'ignore',
): ChildProcess {
	return spawn(command.file, [...command.args], {
		cwd: command.cwd,
		env: command.env,
		detached: true,
		stdio: [input, 'pipe', 'pipe'],
	});
}

/** Waits for the exit and, for a limited time, for the end of output, which background jobs can hold open. */
function waitForEnd(child: ChildProcess): Promise<Ended> {
	return new Promise(resolve => {
		const pipes = [child.stdout, child.stderr];
		child.once('error', error => {
			// An error after the start (a failed kill) is followed by `close`.
			if (child.pid === undefined) resolve({error});
		});
		child.once('exit', (code, signal) => {
			let isQuiet = true;
			let checks = 0;
			const onData = () => {
				isQuiet = false;
			};
			const finish = () => {
				clearTimeout(timer);
				// Read and drop further output of background jobs: a closed pipe would kill them.
				for (const pipe of pipes) pipe?.removeAllListeners('data').resume();
				resolve({code: code ?? undefined, signal: signal ?? undefined});
			};
			const check = () => {
				if (isQuiet || ++checks === maxChecks) return finish();
				isQuiet = true;
				timer = checkLater();
			};
			// Wait one more event-loop turn: a blocked loop has not read the pending output yet.
			const checkLater = () => setTimeout(() => setImmediate(check), quietTime);
			let timer = checkLater();
			for (const pipe of pipes) pipe?.on('data', onData);
			child.once('close', finish);
		});
	});
}
