import {type ChildProcess, spawn} from 'node:child_process';
import {errorCode} from './local-error.ts';
import {hasLiveMember} from './proc-stat.ts';
import type {ProcessLedger} from './process-ledger.ts';

/** A program to run: never through a shell, unless the shell is the program. */
type Command = {
	readonly file: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** Given on standard input, which is then closed; closed at once when absent. */
	readonly stdin?: string;
};

/** How a program ended: its exit code, the signal that ended it, or why it could not be started. */
export type Ended = {readonly code?: number; readonly signal?: string; readonly error?: Error};

export type OutputSource = 'stdout' | 'stderr';

/** Processes started by this service, each leading a process group of its own, so that all it started ends with it. */
export type ProcessGroups = {
	/**
	 * Runs a program to its end and hands on its output as it comes. Never rejects. What the program leaves running
	 * in the background stays in its group, and ends with `close`.
	 */
	run(
		command: Command,
		onOutput: (chunk: Buffer, source: OutputSource) => void,
		options?: {readonly signal?: AbortSignal},
	): Promise<Ended>;
	/** Ends every group (TERM, then KILL) and refuses new ones; resolves when none is left. */
	close(): Promise<void>;
};

/** From TERM to KILL, ms. */
const patience = 1000;
/** How long after KILL a group is waited for, ms. */
const afterKill = 1000;
/** After a program has ended its output is read until nothing came for this long, ms. */
const drain = 150;
/** Most times that is waited for: background jobs may go on talking. */
const mostLooks = 10;
/** How often a group left in the background is looked at, ms. */
const sweep = 5000;

export function createProcessGroups(ledger: ProcessLedger): ProcessGroups {
	const groups = new Set<number>();
	let isClosed = false;
	let sweeper: NodeJS.Timeout | undefined;
	const killAll = () => {
		for (const group of groups) signalGroup(group, 'SIGKILL');
	};
	process.once('exit', killAll);

	const forget = (group: number) => {
		groups.delete(group);
		ledger.remove(group);
	};
	// The number of a group that is gone may be given to a stranger, so it is forgotten soon.
	const forgetEnded = () => {
		for (const group of groups) if (!isGroupAlive(group)) forget(group);
		clearTimeout(sweeper);
		sweeper = groups.size > 0 && !isClosed ? setTimeout(forgetEnded, sweep).unref() : undefined;
	};

	return {
		async run(command, onOutput, options = {}) {
			if (isClosed || options.signal?.aborted) return {error: new Error('the service is closing')};
			let child: ChildProcess;
			try {
				child = start(command);
			} catch (error) {
				// Arguments that are too long or hold a NUL.
				return {error: error as Error};
			}
			if (child.pid !== undefined) {
				groups.add(child.pid);
				ledger.add(child.pid);
			}
			child.stdout?.on('data', chunk => onOutput(chunk, 'stdout'));
			child.stderr?.on('data', chunk => onOutput(chunk, 'stderr'));
			// A program that doesn't read its input closes it: that is its right.
			child.stdin?.on('error', () => {});
			child.stdin?.end(command.stdin);
			const stop = () => child.pid !== undefined && void endGroup(child.pid);
			options.signal?.addEventListener('abort', stop, {once: true});
			const ended = await waitForEnd(child);
			options.signal?.removeEventListener('abort', stop);
			forgetEnded();
			return ended;
		},
		async close() {
			isClosed = true;
			clearTimeout(sweeper);
			await Promise.all([...groups].map(endGroup));
			for (const group of groups) forget(group);
			process.off('exit', killAll);
		},
	};
}

function start(command: Command): ChildProcess {
	return spawn(command.file, [...command.args], {
		cwd: command.cwd,
		env: command.env,
		detached: true,
		stdio: [command.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
	});
}

/** Waits for the program's end and for the end of its output, which background jobs can hold open: not for ever. */
function waitForEnd(child: ChildProcess): Promise<Ended> {
	return new Promise(resolve => {
		const pipes = [child.stdout, child.stderr];
		child.once('error', error => {
			// An error after the start (a failed kill) is followed by `close`.
			if (child.pid === undefined) resolve({error});
		});
		child.once('exit', (code, signal) => {
			let isQuiet = true;
			let looks = 0;
			const onData = () => {
				isQuiet = false;
			};
			const finish = () => {
				clearTimeout(timer);
				// What a background job still says is read and dropped: a closed pipe would end it.
				for (const pipe of pipes) pipe?.removeAllListeners('data').resume();
				resolve({code: code ?? undefined, signal: signal ?? undefined});
			};
			const look = () => {
				if (isQuiet || ++looks === mostLooks) return finish();
				isQuiet = true;
				timer = lookLater();
			};
			// After the next turn of the event loop: a loop that was held up has not read what is there.
			const lookLater = () => setTimeout(() => setImmediate(look), drain);
			let timer = lookLater();
			for (const pipe of pipes) pipe?.on('data', onData);
			child.once('close', finish);
		});
	});
}

async function endGroup(group: number): Promise<void> {
	signalGroup(group, 'SIGTERM');
	if (await isGoneWithin(group, patience)) return;
	signalGroup(group, 'SIGKILL');
	await isGoneWithin(group, afterKill);
}

async function isGoneWithin(group: number, ms: number): Promise<boolean> {
	const until = Date.now() + ms;
	while (isGroupAlive(group)) {
		if (Date.now() > until) return false;
		await new Promise(resolve => setTimeout(resolve, 20));
	}
	return true;
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-group, signal);
	} catch {
		// The group is gone.
	}
}

function isGroupAlive(group: number): boolean {
	try {
		process.kill(-group, 0);
		return process.platform !== 'linux' || hasLiveMember(group);
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
}
