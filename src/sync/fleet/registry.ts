import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {mergeComputer} from '../../domain/computers/provisioning.ts';
import {
	isOfComputer,
	type KnownComputer,
	type KnownSession,
	type KnownStatus,
	type Origin,
	type SessionMarks,
} from '../../domain/known.ts';
import {isEqual} from '../../domain/objects.ts';
import type {SessionActivity} from '../../domain/sessions/activity.ts';
import {isBusy, type Session} from '../../domain/sessions/session.ts';
import {expireSignal, type Signal, signalKey} from '../../domain/sessions/signal.ts';
import type {FolderSummary} from '../../domain/sessions/work-folder.ts';
import {type Fleet, FleetChanges, type FleetStore, type Problem} from '../../state/fleet.ts';
import type {SafeWrite} from '../core/safe-write.ts';
import {ForgottenSignals} from './forgotten-signals.ts';

/** The computers that another program has added or changed, and the ids it has forgotten. */
export type PeerChanges = {
	readonly computers: readonly KnownComputer[];
	readonly forgottenComputers: readonly string[];
	readonly forgottenSessions: readonly string[];
};

/** What is known about a session besides its id. */
type SessionDetails = Partial<Pick<KnownSession, 'computerId' | 'cwd' | 'transcriptPath'>>;

/** Maximum length in UTF-16 code units; subjects are for lists. */
const maxSubjectLength = 120;
/** How exactly it is saved when a session was read, ms. */
const readStep = 15_000;

/**
 * The computers and sessions known to this program. No endpoint lists them, so every id seen anywhere is
 * saved, first to disk and then to the fleet store.
 */
export class Registry {
	readonly forgotten: ForgottenSignals;
	readonly #database: Database;
	readonly #changes: FleetChanges;
	readonly #safeWrite: SafeWrite;
	readonly #clock: Clock;

	constructor(database: Database, fleet: FleetStore, safeWrite: SafeWrite, clock: Clock) {
		this.#database = database;
		this.#changes = new FleetChanges(fleet);
		this.#safeWrite = safeWrite;
		this.#clock = clock;
		this.forgotten = new ForgottenSignals(database);
	}

	/** Fills the fleet store from disk. */
	load(): void {
		const now = this.#clock.now();
		const computers = this.#database.computers.load();
		const sessions = new Map(this.#database.sessions.load().map(byId));
		// Expired signals must not appear as current on the first frame.
		this.forgotten.load();
		const signals = this.#database.events
			.signals()
			.filter(signal => isOfComputer(sessions.get(signal.sessionId), signal.computer))
			.filter(signal => !this.forgotten.has(signal))
			.map(signal => expireSignal(signal, now));
		this.#changes.set({
			computers: new Map(computers.map(byId)),
			sessions,
			signals: new Map(signals.map(byKey)),
		});
	}

	/**
	 * Takes over what other programs have written: adds what they have added, removes what they have forgotten, and
	 * updates the sessions they have read since. Computers that are known already stay as they are.
	 */
	readPeerWrites(): PeerChanges {
		const computers = this.#database.computers.changedElsewhere();
		const sessions = this.#database.sessions.changedElsewhere();
		this.together(() => {
			this.#changes.put('computers', computers.changed.filter(({id}) => !this.computer(id)).map(byId));
			this.#changes.remove('computers', computers.removed);
			this.#changes.put('sessions', sessions.changed.map(byId));
			this.#changes.remove('sessions', sessions.removed);
			if (sessions.removed.length > 0) this.forgotten.load();
			this.#removeSignals(sessions.removed);
			for (const id of [...computers.removed, ...sessions.removed]) this.setProblem(id, undefined);
		});
		return {
			computers: computers.changed,
			forgottenComputers: computers.removed,
			forgottenSessions: sessions.removed,
		};
	}

	computer(id: string): KnownComputer | undefined {
		return this.current().computers.get(id);
	}

	session(id: string): KnownSession | undefined {
		return this.current().sessions.get(id);
	}

	/** Returns the current state, including pending changes of `together`. */
	current(): Fleet {
		return this.#changes.current();
	}

	/** Runs several changes and applies them to the store in one update; applies none if `run` throws. */
	together<T>(run: () => T): T {
		return this.#changes.together(run);
	}

	/** Replaces the requests of hooks, which are in memory only. */
	setRequests(requests: Fleet['requests']): void {
		this.#changes.set({requests});
	}

	addComputer(id: string, origin: Origin): KnownComputer {
		const known = this.computer(id);
		if (known && (known.origin === origin || origin !== 'created')) return known;
		const added = {...(known ?? {id, addedAt: this.#clock.now()}), origin};
		this.putComputer(added);
		return added;
	}

	/** Records a snapshot of a computer, and the sessions of its install steps. */
	recordComputer(computer: Computer, origin: Origin): void {
		const known = this.addComputer(computer.id, origin);
		this.putComputer({
			...known,
			computer: mergeComputer(known.computer, computer),
			fetchedAt: this.#clock.now(),
		});
		const ids = (computer.provisioningSteps ?? []).flatMap(({installSessionId}) => installSessionId || []);
		this.#addSessions(ids, 'install-step', computer.id);
	}

	/** Saves a computer as it is, such as one that was forgotten. */
	putComputer(known: KnownComputer): void {
		this.#safeWrite(() => this.#database.computers.put(known));
		this.#changes.put('computers', [byId(known)]);
	}

	forgetComputer(id: string): void {
		this.#forget('computers', id);
	}

	addSession(
		id: string,
		origin: Origin,
		{computerId, cwd, transcriptPath}: SessionDetails = {},
	): KnownSession {
		const known = this.refreshedSession(id);
		const next = {
			...(known ?? {id, addedAt: this.#clock.now()}),
			// Hooks, or the service's own changes, may have told of it before the answer that created it.
			origin: known === undefined || known.origin === 'hook' || origin === 'created' ? origin : known.origin,
			computerId: computerId ?? known?.computerId,
			cwd: cwd ?? known?.cwd,
			transcriptPath: transcriptPath ?? known?.transcriptPath,
		};
		const isSame = known !== undefined && isEqual(known, next);
		return isSame ? next : this.#putSession(next);
	}

	/** Records a snapshot of a session, and the child sessions that it names. The status is set by `setStatus`. */
	recordSession(session: Session, origin: Origin): void {
		const {sessionId: id, computerId} = session;
		this.together(() => {
			const known = this.addSession(id, origin, computerId ? {computerId} : {});
			this.#putSession({...known, session, fetchedAt: this.#clock.now()});
			if (session.workFolder) this.recordFolder(session.workFolder);
		});
		const children = session.sessionSettings?.childInclusiveTokenUsageBySessionId ?? {};
		const ids = Object.keys(children).filter(child => child && child !== id);
		this.#addSessions(ids, 'child', undefined);
	}

	/**
	 * Records what was read of a folder for all sessions in it: they are read rarely, and would show other counts. Without
	 * counts, those are unknown from now on.
	 */
	recordFolder({folder, branch, added, removed, repository, paths}: FolderSummary): void {
		if (folder === undefined) return;
		this.together(() => {
			for (const {id, session: before} of this.current().sessions.values()) {
				if (before?.workFolder?.folder !== folder) continue;
				const workFolder = {...before.workFolder, added, removed, branch, repository, paths};
				if (isEqual(workFolder, before.workFolder)) continue;
				// Another program may have read more of the session since.
				const known = this.refreshedSession(id);
				if (known?.session) this.#putSession({...known, session: {...known.session, workFolder}});
			}
		});
	}

	#addSessions(ids: readonly string[], origin: Origin, computerId: string | undefined): void {
		this.together(() => {
			for (const id of ids) this.addSession(id, origin, computerId ? {computerId} : {});
		});
	}

	/** Forgets a session and its signals, until the next hook event. Other accounts keep them. */
	forgetSession(id: string): void {
		this.together(() => {
			this.#safeWrite(() => this.forgotten.add(this.#signalsOf([id]), this.#clock.now()));
			this.#removeSignals([id]);
			this.#forget('sessions', id);
		});
	}

	/** Restores a forgotten session with its signals. If it was seen again in the meantime, what is known since then counts. */
	restoreSession(known: KnownSession, signals: readonly Signal[]): void {
		this.together(() => {
			const since = this.refreshedSession(known.id);
			this.#putSession({...known, ...since, origin: known.origin, addedAt: known.addedAt});
			const newer = this.current().signals;
			for (const signal of signals) if (!newer.has(byKey(signal)[0])) this.putSignal(signal);
		});
	}

	setStatus(sessionId: string, status: Omit<KnownStatus, 'busyAt'>): void {
		const known = this.refreshedSession(sessionId);
		if (!known) return;
		const busyAt = isBusy(status) ? status.at : known.status?.busyAt;
		this.#putSession({...known, status: {...status, busyAt}});
	}

	/** Records that a session's messages were read, if its turn may be open: until when its state was certain. */
	recordRead(sessionId: string): void {
		const known = this.refreshedSession(sessionId);
		if (!known) return;
		const {readAt = 0} = known;
		const now = this.#clock.now();
		const isOpen = isBusy(known.status) || known.activity?.state === 'working';
		if (isOpen && now - readAt >= readStep) this.#putSession({...known, readAt: now});
	}

	/** Records a session's activity and, if given, the newest message that the user has read. */
	setActivity(sessionId: string, activity: SessionActivity, seenId?: string): void {
		const known = this.refreshedSession(sessionId);
		if (known) this.#putSession({...known, activity, seenId: seenId ?? known.seenId});
	}

	/** Records that a session had no messages when it was first read. */
	setEmpty(sessionId: string): void {
		const known = this.refreshedSession(sessionId);
		if (known && !known.activity && !known.wasEmpty) this.#putSession({...known, wasEmpty: true});
	}

	/** Returns a session with what other programs have written of it since: any change must start from that. */
	refreshedSession(id: string): KnownSession | undefined {
		const stored = unlessStorageFails(() => this.#database.sessions.ifChangedElsewhere(id));
		if (stored) this.#changes.put('sessions', [byId(stored)]);
		return this.session(id);
	}

	/** Names an untitled session after the first message that we sent to it. */
	setSubject(sessionId: string, text: string): void {
		const known = this.refreshedSession(sessionId);
		if (!known || known.subject !== undefined) return;
		const subject = text.trim().split('\n', 1)[0]?.slice(0, maxSubjectLength);
		if (subject) this.#putSession({...known, subject});
	}

	/** Saves the user's own marks of a session, on this machine only. */
	markSession(sessionId: string, marks: SessionMarks): void {
		const known = this.refreshedSession(sessionId);
		if (!known) return;
		const {name = known.name, restored = known.restored, pinned = known.pinned} = marks;
		this.#putSession({
			...known,
			name: name || undefined,
			restored: restored || undefined,
			pinned: pinned || undefined,
		});
	}

	/** Records whether the service knows a session that was seen in a hook event. */
	setAtService(sessionId: string, atService: boolean): void {
		const known = this.refreshedSession(sessionId);
		if (known && known.atService !== atService) this.#putSession({...known, atService});
	}

	/** Saves a signal and shows its session, also if it was forgotten before. */
	putSignal(signal: Signal): void {
		this.#safeWrite(() => {
			this.#database.events.putSignal(signal);
			this.forgotten.remove(signal);
		});
		this.#changes.put('signals', [byKey(signal)]);
	}

	setProblem(id: string, problem: Problem | undefined): void {
		if (problem) this.#changes.put('problems', [[id, problem]]);
		else if (this.current().problems.has(id)) this.#changes.remove('problems', [id]);
	}

	/** Saves a session, unless another program has forgotten it, and returns it. */
	#putSession(known: KnownSession): KnownSession {
		this.#safeWrite(() => this.#database.sessions.put(known));
		this.#changes.put('sessions', [byId(known)]);
		return known;
	}

	#forget(table: 'computers' | 'sessions', id: string): void {
		this.#safeWrite(() => this.#database[table].remove(id));
		this.#changes.remove(table, [id]);
		this.setProblem(id, undefined);
	}

	#signalsOf(sessionIds: readonly string[]): Signal[] {
		return [...this.current().signals.values()].filter(({sessionId}) => sessionIds.includes(sessionId));
	}

	#removeSignals(sessionIds: readonly string[]): void {
		this.#changes.remove(
			'signals',
			this.#signalsOf(sessionIds).map(signal => byKey(signal)[0]),
		);
	}
}

function byId<T extends {readonly id: string}>(known: T): readonly [string, T] {
	return [known.id, known];
}

function byKey(signal: Signal): readonly [string, Signal] {
	return [signalKey(signal.client, signal.sessionId), signal];
}
