import {createHash} from 'node:crypto';
import {existsSync, type FSWatcher, statSync, watch} from 'node:fs';
import {join} from 'node:path';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import {type ClientProcess, type Signal, type SignalState, signalKey} from '../../domain/sessions/signal.ts';
import type {FleetStore} from '../../state/fleet.ts';
import type {Clock} from '../core/clock.ts';
import {claudeFolder, claudeTranscript} from './claude-folder.ts';
import {type ClientFile, firstWords, isRunning, readClientFiles} from './client-files.ts';

/**
 * How often the files are read while a session works or waits, while its client runs, and else, ms: in case a change isn't
 * reported.
 */
const busyInterval = 1000;
const idleInterval = 5000;
const emptyInterval = 30_000;
/** Delay after a change, ms: the client may still be writing. */
const changeDelay = 50;
/** The client writes a message to its transcript this long after its turn began at most, ms. */
const writeTime = 10_000;
/** A process that runs this long after the reported end of its session has taken it up again, ms. */
const endTime = 3000;
/** How long a status lasts before it counts, ms: its hook, if there is one, has reported it by then and knows more. */
const settled = {busy: 300, waiting: 500, idle: 700} as const;

const client = 'claude';

export type ClientSessionsOptions = {
	readonly clock: Clock;
	readonly fleet: FleetStore;
	/** Claude Code's own folder; defaults to the user's. */
	readonly folder?: string;
	/** Called with what no hook tells. */
	readonly onEvent: (event: HookEvent) => void;
	/** Called with a signal that has a new title or process. */
	readonly onSignal: (signal: Signal) => void;
	/** Called for a request that was answered in its client. */
	readonly onAnswered: (request: HookRequest) => void;
};

/**
 * Follows the sessions of Claude Code on this machine by the files that it keeps of its processes. Without hooks, they
 * are all that is known of a session; with hooks, they show what no hook does: an answer given in the client's own
 * terminal, a turn ended by Esc, a killed process.
 */
export class ClientSessions {
	readonly #options: ClientSessionsOptions;
	readonly #folder: string;
	/** When the first words of a session were last looked for, by its id: the `at` of its file. */
	readonly #searched = new Map<string, number>();
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

	/** Checks now, after each change of the files, and now and then. */
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

	/** Checks after this time, or when a check is due anyway before. */
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
		const ours = [...signals.values()].filter(signal => signal.client === client && !isOver(signal));
		const isBusy = ours.some(({state}) => state === 'working' || state === 'needs-permission');
		if (isBusy || requests.size > 0) return busyInterval;
		return ours.some(({process}) => process?.start !== undefined) ? idleInterval : emptyInterval;
	}

	/** Compares the files with what is known. Returns when a new status will have settled, in ms. */
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
			if (file && file.status !== 'waiting' && file.at > request.createdAt && settlesIn(file, now) <= 0)
				onAnswered(request);
		}
		this.#reportEnds(files, now);
		for (const file of files.values()) {
			const signal = this.#signalOf(file.sessionId);
			if (!isNews(file, signal, now)) continue;
			const left = settlesIn(file, now);
			if (left > 0) next = Math.min(next, left);
			else onEvent(statusEvent(this.#folder, file, signal, now));
		}
		for (const file of files.values()) await this.#describe(file);
		return next;
	}

	/** Reports sessions whose process has ended, or goes on with another session. */
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
			// Later than what came before, also if the status didn't change: taken up again, it is news.
			if (successor) end(Math.max(successor.at, lastEventAt + 1), 'clear');
			else if (!isRunning(process))
				end(now, existsSync(join(this.#folder, 'sessions', `${process.pid}.json`)) ? 'killed' : 'exit');
		}
	}

	/** Adds process and title to a session's signal. */
	async #describe({sessionId, process, title, cwd, at}: ClientFile): Promise<void> {
		const before = this.#signalOf(sessionId);
		if (!before) return;
		let words = title ?? before.title;
		const isFresh = this.#searched.get(sessionId) !== at || this.#options.clock.now() - at < writeTime;
		if (words === undefined && isFresh) {
			this.#searched.set(sessionId, at);
			words = await firstWords(claudeTranscript(this.#folder, {cwd, sessionId}));
		}
		const signal = this.#signalOf(sessionId);
		if (!signal || this.#isStopped) return;
		if (isSameProcess(signal.process, process) && signal.title === words) return;
		this.#options.onSignal({...signal, process, ...(words !== undefined && {title: words})});
	}

	#signalOf(sessionId: string): Signal | undefined {
		return this.#options.fleet.getState().signals.get(signalKey(client, sessionId));
	}

	/** Watches the files, or for their folder to come, and again if it was replaced. */
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
			// It can't be looked up, or the system has no more watches: the interval has to do.
		}
	}
}

/** Whether the client of a session runs, as far as can be told: by its process, else by what its hooks told last. */
export async function isClientRunning({client: name, sessionId, process, state}: Signal): Promise<boolean> {
	const files = name === client ? await readClientFiles(join(claudeFolder(), 'sessions')) : [];
	if (files.some(file => file.sessionId === sessionId)) return true;
	if (process?.start !== undefined) return isRunning(process);
	return state !== 'ended' && state !== 'replaced' && state !== 'unknown';
}

const ended = 'ClientEnded';

/** What each status makes of a session, and the states of a hook's that agree with it. */
const statuses: Readonly<Record<string, {readonly event: string; readonly states: readonly SignalState[]}>> =
	{
		busy: {event: 'ClientBusy', states: ['working']},
		waiting: {event: 'ClientWaiting', states: ['needs-permission', 'needs-input']},
		idle: {event: 'ClientIdle', states: ['idle', 'done', 'error']},
	};

/** Whether a session's file says something else than its signal, and later. */
function isNews({status, at}: ClientFile, signal: Signal | undefined, now: number): boolean {
	if (!signal) return true;
	if (isOver(signal)) return at > signal.lastEventAt || now - signal.lastEventAt > endTime;
	const {states} = statuses[status] ?? {};
	if (!states || states.includes(signal.state)) return false;
	// A state that expired goes on while its process does.
	return at > signal.lastEventAt || signal.state === 'unknown';
}

function isOver({state}: Signal): boolean {
	return state === 'ended' || state === 'replaced';
}

function isSameProcess(one: ClientProcess | undefined, other: ClientProcess): boolean {
	return one?.pid === other.pid && one.start === other.start;
}

/** How long until a status counts, ms. */
function settlesIn({status, at}: ClientFile, now: number): number {
	return at + (Object.hasOwn(settled, status) ? settled[status as keyof typeof settled] : 0) - now;
}

function statusEvent(folder: string, file: ClientFile, signal: Signal | undefined, now: number): HookEvent {
	const {sessionId, cwd, status, process, waitingFor} = file;
	const data = {
		session_id: sessionId,
		hook_event_name: statuses[status]?.event ?? 'ClientIdle',
		cwd,
		transcript_path: claudeTranscript(folder, file),
		...(status === 'waiting' && waitingFor && {message: waitingFor}),
	};
	// What goes on is news since it was believed to be over.
	const since = signal?.state === 'unknown' ? signal.since : (signal?.lastEventAt ?? 0);
	return eventOf(data, {at: Math.max(file.at, since), process, now});
}

type EventOptions = {
	readonly at: number;
	readonly process: ClientProcess;
	readonly now: number;
	/** Of an end: when the session's last event was. A process that takes up a session again can end it again. */
	readonly since?: number;
};

/**
 * The event that a hook would have sent. Several programs make the same one; of an end, each may report another time.
 */
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
