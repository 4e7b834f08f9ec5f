import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {type FileHandle, open, readdir} from 'node:fs/promises';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {parseObject} from '../../../hooks/ask-wire.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import type {FleetStore} from '../../state/fleet.ts';
import type {Clock} from '../core/clock.ts';

/** How often the files are read while a session works or waits, ms. */
const interval = 500;
/** A busy session has answered its prompt; one that is idle for this long won't report the end of its turn, ms. */
const busySettled = 300;
const idleSettled = 700;
const maxFiles = 200;
const maxSize = 16 * 1024;

type ClientStatus = {readonly status: string; readonly at: number};

export type ClientSessionsOptions = {
	readonly clock: Clock;
	readonly fleet: FleetStore;
	/** Where Claude Code keeps a file for each of its processes; defaults to the user's. */
	readonly folder?: string;
	/** Called with what no hook tells: an answer given in the client, and a turn that the user ended there. */
	readonly onEvent: (event: HookEvent) => void;
	/** Called for a request that was answered in its client. */
	readonly onAnswered: (request: HookRequest) => void;
};

/**
 * Follows sessions of Claude Code that work or wait, by the files that it keeps of them: no hook fires when the user
 * answers a prompt in its own terminal or ends a turn by Esc.
 */
export class ClientSessions {
	readonly #options: ClientSessionsOptions;
	readonly #folder: string;
	#cancel: (() => void) | undefined;
	#unsubscribe = () => {};
	#isStopped = false;

	constructor(options: ClientSessionsOptions) {
		this.#options = options;
		this.#folder = options.folder ?? sessionsFolder();
	}

	/** Checks every half second while a session works or waits. */
	start(): void {
		this.#unsubscribe = this.#options.fleet.subscribe(({signals, requests}, before) => {
			if (signals !== before.signals || requests !== before.requests) this.#schedule();
		});
		this.#schedule();
	}

	stop(): void {
		this.#isStopped = true;
		this.#unsubscribe();
		this.#cancel?.();
	}

	#followed(): Signal[] {
		return [...this.#options.fleet.getState().signals.values()].filter(isFollowed);
	}

	#schedule(): void {
		if (this.#isStopped || this.#cancel) return;
		if (this.#options.fleet.getState().requests.size === 0 && this.#followed().length === 0) return;
		this.#cancel = this.#options.clock.after(interval, async () => {
			await this.#check(this.#followed());
			this.#cancel = undefined;
			this.#schedule();
		});
	}

	async #check(followed: readonly Signal[]): Promise<void> {
		const {clock, fleet, onEvent, onAnswered} = this.#options;
		const statuses = await readStatuses(this.#folder);
		if (this.#isStopped) return;
		const now = clock.now();
		for (const request of fleet.getState().requests.values()) {
			const found = statuses.get(request.sessionId);
			if (found && isOver(found, request.createdAt, now)) onAnswered(request);
		}
		for (const signal of followed) {
			const found = statuses.get(signal.sessionId);
			if (!found || !isOver(found, signal.lastEventAt, now)) continue;
			if (found.status === 'idle') onEvent(eventOf(signal, 'Interrupt', found, now));
			else if (signal.state !== 'working') onEvent(eventOf(signal, 'PermissionAnswered', found, now));
		}
	}
}

function isFollowed({client, state}: Signal): boolean {
	return client === 'claude' && (state === 'working' || state === 'needs-permission');
}

/** Whether the client went on after `since`, and has had the time to report it. */
function isOver({status, at}: ClientStatus, since: number, now: number): boolean {
	const settled =
		status === 'busy' ? busySettled : status === 'idle' ? idleSettled : Number.POSITIVE_INFINITY;
	return at > since && now - at >= settled;
}

/** The event that a hook would have sent; several programs make the same one. */
function eventOf({client, sessionId}: Signal, event: string, {at}: ClientStatus, now: number): HookEvent {
	const digest = createHash('sha256').update(`${client} ${sessionId} ${event} ${at}`).digest('hex');
	return {
		v: 1,
		id: digest.slice(0, 32),
		ts: at,
		client,
		event,
		pid: process.pid,
		agentPid: 0,
		data: {session_id: sessionId, hook_event_name: event},
		receivedAt: now,
		delivery: 'socket',
	};
}

function sessionsFolder(): string {
	const named = process.env.CLAUDE_CONFIG_DIR;
	return join(named && isAbsolute(named) ? named : join(homedir(), '.claude'), 'sessions');
}

/** The newest status of each session. Files that are no such thing are skipped. */
async function readStatuses(folder: string): Promise<Map<string, ClientStatus>> {
	const names = await readdir(folder).catch((): string[] => []);
	const files = names.filter(name => /^\d+\.json$/.test(name)).slice(0, maxFiles);
	const found = new Map<string, ClientStatus>();
	for (const text of await Promise.all(files.map(name => readSmallFile(join(folder, name))))) {
		const {sessionId, status, statusUpdatedAt: at} = parseObject(text) ?? {};
		if (typeof sessionId !== 'string' || typeof status !== 'string' || typeof at !== 'number') continue;
		const other = found.get(sessionId);
		if (!other || other.at < at) found.set(sessionId, {status, at});
	}
	return found;
}

async function readSmallFile(path: string): Promise<string> {
	let file: FileHandle | undefined;
	try {
		// Opening a named pipe would wait for its writer.
		file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const stat = await file.stat();
		return stat.isFile() && stat.size <= maxSize ? await file.readFile('utf8') : '';
	} catch {
		return '';
	} finally {
		await file?.close();
	}
}
