import {createHash} from 'node:crypto';
import {existsSync, type FSWatcher, statSync, watch} from 'node:fs';
import {join} from 'node:path';
import type {Clock} from '../../domain/clock.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import {
	type ClientProcess,
	type HookEvent,
	type Signal,
	type SignalState,
	signalKey,
} from '../../domain/sessions/signal.ts';
import {
	type ClientFile,
	firstWords,
	isAnswered,
	isRunning,
	readClientFiles,
	settlesIn,
} from '../../hook-listeners/client-files.ts';
import type {FleetStore} from '../../state/fleet.ts';
import {claudeFolder, claudeTranscript} from '../../transcripts/transcript-file.ts';

/** How often the files are read although no change was reported, ms: by whether a session is active or just open. */
const busyInterval = 1000;
const idleInterval = 5000;
const emptyInterval = 30_000;
/** Delay after a change, ms: the client may still be writing. */
const changeDelay = 50;
/** Maximum delay from the start of a turn until its prompt is in the transcript, ms. */
const maxWriteDelay = 10_000;
/** If a process still runs this long after the reported end of its session, it has resumed the session, ms. */
const maxEndDelay = 3000;
const client = 'claude';

type ClientSessionsOptions = {
	readonly clock: Clock;
	readonly fleet: FleetStore;
	/** Claude Code's own folder; defaults to the user's. */
	readonly folder?: string;
	/** Called with events that no hook has reported. */
	readonly onEvent: (event: HookEvent) => void;
	/** Called with a signal that has a new title or process. */
	readonly onSignal: (signal: Signal) => void;
	/** Called with a request that the user has answered in its client. */
	readonly onAnswered: (request: HookRequest) => void;
};

/**
 * Follows the sessions of Claude Code on this machine by its files about its processes. Without hooks, they are the
 * only source; with hooks, they add what no hook reports: an answer in the client's own terminal, a turn ended by Esc,
 * a killed process.
 */
export class ClientSessions {
	readonly #options: ClientSessionsOptions;
	readonly #folder: string;
	/** The `at` of each session's file when its first words were last looked for. */
	readonly #searchedAt = new Map<string, number>();
	#watcher: {readonly files: FSWatcher; readonly inode: number} | undefined;
	#cancel = () => {};
	#dueAt = Number.POSITIVE_INFINITY;
	#isChecking = false;
	#unsubscribe = () => {};
	#isStopped = false;

	constructor(options: ClientSessionsOptions) {
		this.#options = options;
		this.#folder = options.folder ?? claudeFolder();
	}

	/** Checks the files now, after each change, and at intervals. */
	start(): void {
		this.#unsubscribe = this.#options.fleet.subscribe(({signals, requests}, before) => {
			if (signals !== before.signals || requests !== before.requests) this.#checkIn(this.#interval());
		});
		this.#checkIn(0);
	}

	stop(): void {
		this.#isStopped = true;
		this.#unsubscribe();
		this.#cancel();
		this.#watcher?.files.close();
	}

	/** Checks after this time, unless a check is due before. */
	#checkIn(ms: number): void {
		const {clock} = this.#options;
		const at = clock.now() + ms;
		if (this.#isStopped || at >= this.#dueAt) return;
		this.#cancel();
		this.#dueAt = at;
		this.#cancel = clock.after(ms, async () => {
			this.#dueAt = Number.POSITIVE_INFINITY;
			if (this.#isChecking) return this.#checkIn(changeDelay);
			this.#isChecking = true;
			const next = await this.#check().finally(() => {
				this.#isChecking = false;
			});
			this.#checkIn(Math.min(next, this.#interval()));
		});
	}

	#interval(): number {
		const {requests, signals} = this.#options.fleet.getState();
		const ours = [...signals.values()].filter(
			signal => signal.client === client && !signal.computer && !isOver(signal),
		);
		const isBusy = ours.some(({state}) => state === 'working' || state === 'needs-permission');
		if (isBusy || requests.size > 0) return busyInterval;
		return ours.some(({process}) => process?.start !== undefined) ? idleInterval : emptyInterval;
	}

	/** Compares the files with the signals. Resolves to the ms until the next new status can be reported. */
	async #check(): Promise<number> {
		this.#watch();
		const files = new Map<string, ClientFile>();
		for (const file of await readClientFiles(join(this.#folder, 'sessions'))) {
			const other = files.get(file.sessionId);
			if (!other || other.at <= file.at) files.set(file.sessionId, file);
		}
		if (this.#isStopped) return emptyInterval;
		const {clock, fleet, onEvent, onAnswered} = this.#options;
		const now = clock.now();
		let next = Number.POSITIVE_INFINITY;
		for (const request of fleet.getState().requests.values()) {
			const file = files.get(request.sessionId);
			if (file && isAnswered(request, file, now)) onAnswered(request);
		}
		this.#reportEnds(files, now);
		for (const file of files.values()) {
			const signal = this.#signalOf(file.sessionId);
			if (!isNewer(file, signal, now)) continue;
			const delay = settlesIn(file, now);
			if (delay > 0) next = Math.min(next, delay);
			else onEvent(statusEvent(this.#folder, file, signal, now));
		}
		for (const file of files.values()) await this.#describe(file);
		return next;
	}

	/** Reports sessions whose process has ended, or has switched to another session. */
	#reportEnds(files: ReadonlyMap<string, ClientFile>, now: number): void {
		for (const signal of [...this.#options.fleet.getState().signals.values()]) {
			const {sessionId, process, lastEventAt} = signal;
			if (signal.client !== client || process?.start === undefined) continue;
			if (files.has(sessionId) || isOver(signal)) continue;
			const successor = [...files.values()].find(file => isSameProcess(file.process, process));
			const end = (at: number, reason: string) =>
				this.#options.onEvent(
					eventOf(
						{session_id: sessionId, hook_event_name: ended, reason},
						{at, process, now, since: lastEventAt},
					),
				);
			// Must be later than the last event, so that a session that is resumed afterwards is newer than its end.
			if (successor) end(Math.max(successor.at, lastEventAt + 1), 'clear');
			else if (!isRunning(process))
				end(now, existsSync(join(this.#folder, 'sessions', `${process.pid}.json`)) ? 'killed' : 'exit');
		}
	}

	async #describe({sessionId, process, title, cwd, at}: ClientFile): Promise<void> {
		const before = this.#signalOf(sessionId);
		if (!before) return;
		let words = title ?? before.title;
		const isFresh = this.#searchedAt.get(sessionId) !== at || this.#options.clock.now() - at < maxWriteDelay;
		if (words === undefined && isFresh) {
			this.#searchedAt.set(sessionId, at);
			words = await firstWords(claudeTranscript(this.#folder, {cwd, sessionId}));
		}
		const signal = this.#signalOf(sessionId);
		if (!signal || this.#isStopped) return;
		if (isSameProcess(signal.process, process) && signal.title === words) return;
		this.#options.onSignal({...signal, process, title: words ?? signal.title});
	}

	#signalOf(sessionId: string): Signal | undefined {
		return this.#options.fleet.getState().signals.get(signalKey(client, sessionId));
	}

	/** Watches the folder of the files, or its parent until it exists; starts over if it was replaced. */
	#watch(): void {
		const files = join(this.#folder, 'sessions');
		const folder = existsSync(files) ? files : this.#folder;
		try {
			const inode = statSync(folder, {throwIfNoEntry: false})?.ino;
			if (inode === this.#watcher?.inode) return;
			this.#watcher?.files.close();
			this.#watcher = undefined;
			if (inode === undefined) return;
			const files = watch(folder, {persistent: false}, () => this.#checkIn(changeDelay));
			files.on('error', () => files.close());
			this.#watcher = {files, inode};
		} catch {
			// The folder can't be read, or the system has no more watches: rely on the interval.
		}
	}
}

/** Whether the client of a session runs: by its process if that is known, else by its last hook event. */
export async function isClientRunning({client: name, sessionId, process, state}: Signal): Promise<boolean> {
	const files = name === client ? await readClientFiles(join(claudeFolder(), 'sessions')) : [];
	if (files.some(file => file.sessionId === sessionId)) return true;
	if (process?.start !== undefined) return isRunning(process);
	return state !== 'ended' && state !== 'replaced' && state !== 'unknown';
}

const ended = 'ClientEnded';

/** The event that each status is reported as, and the states of a signal that agree with it. */
const statuses: Readonly<Record<string, {readonly event: string; readonly states: readonly SignalState[]}>> =
	{
		busy: {event: 'ClientBusy', states: ['working']},
		waiting: {event: 'ClientWaiting', states: ['needs-permission', 'needs-input']},
		idle: {event: 'ClientIdle', states: ['idle', 'done', 'error']},
	};

/** Whether a session's file disagrees with its signal and is newer. */
function isNewer({status, at}: ClientFile, signal: Signal | undefined, now: number): boolean {
	if (!signal) return true;
	if (isOver(signal)) return at > signal.lastEventAt || now - signal.lastEventAt > maxEndDelay;
	const {states} = statuses[status] ?? {};
	if (!states || states.includes(signal.state)) return false;
	// A signal expires although its process still runs.
	return at > signal.lastEventAt || signal.state === 'unknown';
}

function isOver({state}: Signal): boolean {
	return state === 'ended' || state === 'replaced';
}

function isSameProcess(one: ClientProcess | undefined, other: ClientProcess): boolean {
	return one?.pid === other.pid && one.start === other.start;
}

function statusEvent(folder: string, file: ClientFile, signal: Signal | undefined, now: number): HookEvent {
	const {sessionId, cwd, status, process, waitingFor} = file;
	const data = {
		session_id: sessionId,
		hook_event_name: statuses[status]?.event ?? 'ClientIdle',
		cwd,
		transcript_path: claudeTranscript(folder, file),
		message: status === 'waiting' ? waitingFor : undefined,
	};
	// A session that resumes is newer than its end.
	const since = signal?.state === 'unknown' ? signal.since : (signal?.lastEventAt ?? 0);
	return eventOf(data, {at: Math.max(file.at, since), process, now});
}

type EventOptions = {
	readonly at: number;
	readonly process: ClientProcess;
	readonly now: number;
	/** For an end: time of the session's last event. A process can resume a session and end it again. */
	readonly since?: number;
};

/** The event that a hook would have sent. Its id is the same in all programs, though each may see an end later. */
function eventOf(data: HookEvent['data'], {at, process, now, since}: EventOptions): HookEvent {
	const {session_id: sessionId, hook_event_name: event = ''} = data;
	const mark = event === ended ? `${process.pid} ${process.start} ${since}` : at;
	const digest = createHash('sha256').update(`${client} ${sessionId} ${event} ${mark}`).digest('hex');
	return {
		v: 1,
		id: digest.slice(0, 32),
		ts: at,
		client,
		event,
		pid: globalThis.process.pid,
		agentPid: process.pid,
		data,
		receivedAt: now,
		delivery: 'socket',
	};
}
