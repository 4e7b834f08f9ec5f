import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/storage-error.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {mergeComputer} from '../../domain/computers/provisioning.ts';
import type {KnownComputer, KnownSession, Origin, SessionMarks} from '../../domain/known.ts';
import {mergeSession, type Session} from '../../domain/sessions/session.ts';
import {type KnownStatus, recallStatus} from '../../domain/sessions/session-status.ts';
import {expireSignal, type Signal, signalKey} from '../../domain/sessions/signal.ts';
import type {Fleet, FleetStore, Problem} from '../../state/fleet.ts';
import type {Clock} from '../core/clock.ts';
import type {SafeWrite} from '../core/safe-write.ts';

/**
 * The computers and sessions known to this program. No endpoint lists them, so every id seen anywhere is
 * saved, first to disk and then to the fleet store.
 */
export type Registry = {
	/** Fills the fleet store from disk. */
	load(): void;
	/**
	 * Adds what other programs have added on disk, and removes what they have forgotten. Returns the changes.
	 */
	adoptOthers(): OthersChanges;
	/** Writes again what a replaced database file has lost. */
	restore(): void;
	/** Records a snapshot of a computer, and the sessions of its install steps. */
	seeComputer(computer: Computer, origin: Origin): void;
	/** Updates the read times (Unix ms) of unchanged computers, in one store update and one write. */
	readAgain(readAt: ReadonlyMap<string, number>): void;
	addComputer(id: string, origin: Origin): void;
	/** Restores a forgotten computer as it was. */
	restoreComputer(known: KnownComputer): void;
	forgetComputer(id: string): void;
	/**
	 * Records a snapshot of a session, and the child sessions that it names. The status is set by `setStatus`.
	 */
	seeSession(session: Session, origin: Origin): void;
	addSession(id: string, origin: Origin, facts?: {computerId?: string; cwd?: string}): void;
	forgetSession(id: string): void;
	setStatus(sessionId: string, status: KnownStatus): void;
	/** Names an untitled session after the first message that we sent to it. */
	setSubject(sessionId: string, text: string): void;
	/** Saves the user's own marks of a session, on this machine only. */
	markSession(sessionId: string, marks: SessionMarks): void;
	/** Records whether the service knows a session that was seen in a hook event. */
	setAtService(sessionId: string, isThere: boolean): void;
	putSignal(signal: Signal): void;
	/** Sets or clears the problem of a computer or session. */
	setProblem(id: string, problem: Problem | undefined): void;
	/**
	 * Returns the current state, including pending changes. Its maps are modified in place while `together`
	 * runs.
	 */
	current(): Fleet;
	/** Runs several changes and applies them to the store in one update; applies none if `run` throws. */
	together<T>(run: () => T): T;
};

/** Ids that another program has added or forgotten. */
export type OthersChanges = {
	readonly newComputers: readonly string[];
	readonly goneComputers: readonly string[];
	readonly goneSessions: readonly string[];
};

/** Maximum length in UTF-16 code units; subjects are for lists. */
const maxSubjectLength = 120;

export function createRegistry(
	database: Database,
	fleet: FleetStore,
	safeWrite: SafeWrite,
	clock: Clock,
): Registry {
	/** State with pending changes that the store doesn't have yet. */
	let atHand: Fleet | undefined;
	/** Maps copied for the pending changes. Nothing else refers to them, so they can be modified in place. */
	const own = new Set<unknown>();
	const current = () => atHand ?? fleet.getState();
	/** Ids known to be on disk: one that has disappeared was forgotten by another program. */
	let stored = {computers: new Set<string>(), sessions: new Set<string>()};

	const version = unlessStorageFails(database.peerWriteCount);
	let hasOthers = false;

	/**
	 * Whether another program has written to the file. If not, there is no need to check the disk for its
	 * changes.
	 */
	function isShared(): boolean {
		hasOthers ||= unlessStorageFails(database.peerWriteCount) !== version;
		return hasOthers;
	}

	function change(next: (before: Fleet) => Partial<Fleet>): void {
		if (atHand) atHand = {...atHand, ...next(atHand)};
		else fleet.setState(next);
	}

	/** Drops the pending state once it is applied or abandoned: its maps may no longer be modified in place. */
	function settle(): void {
		atHand = undefined;
		own.clear();
	}

	/**
	 * Returns the map with a value added. Modifies our own copies in place, so that many changes cost one copy.
	 */
	function withOne<T>(map: ReadonlyMap<string, T>, key: string, value: T): ReadonlyMap<string, T> {
		const next = own.has(map) ? (map as Map<string, T>) : new Map(map);
		if (atHand) own.add(next);
		return next.set(key, value);
	}

	function putComputer(next: KnownComputer): void {
		storeComputers([next]);
		change(({computers}) => ({computers: withOne(computers, next.id, next)}));
	}

	/** Saves computers, except those that another program has forgotten. */
	function storeComputers(computers: readonly KnownComputer[]): void {
		const wanted = computers.filter(({id}) => !isForgotten('computers', id));
		if (wanted.length === 0) return;
		safeWrite(() => {
			database.computers.put(...wanted);
			for (const {id} of wanted) stored.computers.add(id);
		});
	}

	function isForgotten(table: 'computers' | 'sessions', id: string): boolean {
		if (!stored[table].has(id) || !isShared()) return false;
		return unlessStorageFails(() => database[table].get(id) === undefined) ?? false;
	}

	/**
	 * Saves a session, merged with what another program has saved meanwhile, unless that program has forgotten
	 * it. Returns the merged session.
	 */
	function putSession(next: KnownSession): KnownSession {
		const before = current().sessions.get(next.id);
		const kept = before && isShared() ? keptSession(next.id) : undefined;
		const merged = before && kept ? mergeSession(kept, before, next) : next;
		// How a recalled status ages is local to each program, so the store keeps ours.
		const known = next.status ? {...merged, status: next.status} : merged;
		if (!isForgotten('sessions', next.id)) {
			safeWrite(() => {
				database.sessions.put(merged);
				stored.sessions.add(next.id);
			});
		}
		change(({sessions}) => ({sessions: withOne(sessions, next.id, known)}));
		return known;
	}

	function keptSession(id: string): KnownSession | undefined {
		return unlessStorageFails(() => database.sessions.get(id));
	}

	function addComputer(id: string, origin: Origin): KnownComputer {
		const known = current().computers.get(id);
		if (known) return known;
		const added = {id, origin, addedAt: clock.now()};
		putComputer(added);
		return added;
	}

	function storedIds(): typeof stored {
		return {
			computers: new Set(database.computers.ids()),
			sessions: new Set(database.sessions.ids()),
		};
	}

	/** Loads a session that is new here but that another program has saved. */
	function adoptSession(id: string): KnownSession | undefined {
		const kept = keptSession(id);
		if (!kept) return undefined;
		const known = recall(kept, clock.now());
		stored.sessions.add(id);
		change(({sessions}) => ({sessions: withOne(sessions, id, known)}));
		return known;
	}

	function addSession(
		id: string,
		origin: Origin,
		{computerId, cwd}: {computerId?: string; cwd?: string} = {},
	): KnownSession {
		const known = current().sessions.get(id) ?? adoptSession(id);
		const next = {
			...(known ?? {id, origin, addedAt: clock.now()}),
			...(known?.origin === 'hook' && {origin}),
			...(computerId !== undefined && {computerId}),
			...(cwd !== undefined && {cwd}),
		};
		const isSame =
			known?.origin === next.origin && known.computerId === next.computerId && known.cwd === next.cwd;
		return isSame ? next : putSession(next);
	}

	function setProblem(id: string, problem: Problem | undefined): void {
		const {problems} = current();
		if (!problem && !problems.has(id)) return;
		const next = new Map(problems);
		if (problem) next.set(id, problem);
		else next.delete(id);
		change(() => ({problems: next}));
	}

	return {
		load() {
			const now = clock.now();
			const computers = database.computers.all();
			const sessions = database.sessions.all();
			stored = {
				computers: new Set(computers.map(({id}) => id)),
				sessions: new Set(sessions.map(({id}) => id)),
			};
			change(() => ({
				computers: new Map(computers.map(byId)),
				sessions: new Map(sessions.map(known => byId(recall(known, now)))),
				signals: new Map(
					// Expired signals must not appear as current on the first frame.
					database.events
						.signals()
						.map(signal => [signalKey(signal.client, signal.sessionId), expireSignal(signal, now)]),
				),
			}));
		},
		adoptOthers() {
			const now = clock.now();
			const before = stored;
			const after = storedIds();
			// The file was replaced during the read: what is missing from it was not forgotten.
			if (stored !== before) return {newComputers: [], goneComputers: [], goneSessions: []};
			stored = after;
			const {computers, sessions} = current();
			const goneComputers = [...before.computers].filter(id => !after.computers.has(id));
			const goneSessions = [...before.sessions].filter(id => !after.sessions.has(id));
			const newComputers = [...after.computers]
				.filter(id => !computers.has(id))
				.flatMap(id => database.computers.get(id) ?? []);
			const newSessions = [...after.sessions]
				.filter(id => !sessions.has(id))
				.flatMap(id => database.sessions.get(id) ?? []);
			if (newComputers.length + goneComputers.length > 0)
				change(() => ({
					computers: new Map([...without(computers, goneComputers), ...newComputers.map(byId)]),
				}));
			if (newSessions.length + goneSessions.length > 0) {
				const recalled = newSessions.map(known => byId(recall(known, now)));
				change(() => ({sessions: new Map([...without(sessions, goneSessions), ...recalled])}));
			}
			for (const id of [...goneComputers, ...goneSessions]) setProblem(id, undefined);
			return {newComputers: newComputers.map(({id}) => id), goneComputers, goneSessions};
		},
		restore() {
			const {computers, sessions} = current();
			stored = unlessStorageFails(storedIds) ?? {computers: new Set(), sessions: new Set()};
			const lostComputers = [...computers.values()].filter(({id}) => !stored.computers.has(id));
			if (lostComputers.length > 0) storeComputers(lostComputers);
			for (const known of sessions.values()) if (!stored.sessions.has(known.id)) putSession(known);
		},
		seeComputer(computer, origin) {
			const known = addComputer(computer.id, origin);
			putComputer({
				...known,
				computer: mergeComputer(known.computer, computer),
				fetchedAt: clock.now(),
			});
			for (const {installSessionId} of computer.provisioningSteps ?? []) {
				if (installSessionId) addSession(installSessionId, 'install-step', {computerId: computer.id});
			}
		},
		readAgain(readAt) {
			const {computers} = current();
			const again = [...readAt].flatMap(([id, at]) => {
				const known = computers.get(id);
				return known && (known.fetchedAt ?? 0) < at ? [{...known, fetchedAt: at}] : [];
			});
			if (again.length === 0) return;
			storeComputers(again);
			change(() => ({computers: new Map([...computers, ...again.map(byId)])}));
		},
		addComputer,
		restoreComputer: putComputer,
		forgetComputer(id) {
			stored.computers.delete(id);
			safeWrite(() => database.computers.remove(id));
			change(({computers}) => ({computers: without(computers, [id])}));
			setProblem(id, undefined);
		},
		seeSession(session, origin) {
			const id = session.sessionId;
			const {computerId} = session;
			const known = addSession(id, origin, computerId ? {computerId} : {});
			putSession({...known, session, fetchedAt: clock.now()});
			const children = session.sessionSettings?.childInclusiveTokenUsageBySessionId ?? {};
			for (const child of Object.keys(children)) {
				if (child && child !== id) addSession(child, 'child', computerId ? {computerId} : {});
			}
		},
		addSession,
		forgetSession(id) {
			stored.sessions.delete(id);
			safeWrite(() => database.sessions.remove(id));
			change(({sessions}) => ({sessions: without(sessions, [id])}));
			setProblem(id, undefined);
		},
		setStatus(sessionId, status) {
			const known = current().sessions.get(sessionId);
			if (known) putSession({...known, status});
		},
		setSubject(sessionId, text) {
			const known = current().sessions.get(sessionId);
			if (!known || known.subject !== undefined) return;
			const subject = text.trim().split('\n', 1)[0]?.slice(0, maxSubjectLength);
			if (subject) putSession({...known, subject});
		},
		markSession(sessionId, marks) {
			const known = current().sessions.get(sessionId);
			if (!known) return;
			const {name = known.name, restored = known.restored, pinned = known.pinned} = marks;
			const {name: _, restored: __, pinned: ___, ...rest} = known;
			putSession({
				...rest,
				...(name && {name}),
				...(restored && {restored}),
				...(pinned && {pinned}),
			});
		},
		setAtService(sessionId, atService) {
			const known = current().sessions.get(sessionId);
			if (known && known.atService !== atService) putSession({...known, atService});
		},
		putSignal(signal) {
			safeWrite(() => database.events.putSignal(signal));
			change(({signals}) => ({
				signals: withOne(signals, signalKey(signal.client, signal.sessionId), signal),
			}));
		},
		setProblem,
		current,
		together(run) {
			if (atHand) return run();
			const before = fleet.getState();
			atHand = before;
			try {
				const result = run();
				const after = atHand;
				settle();
				if (after !== before) fleet.setState(after, true);
				return result;
			} finally {
				settle();
			}
		},
	};
}

function byId<T extends {readonly id: string}>(known: T): readonly [string, T] {
	return [known.id, known];
}

function recall(known: KnownSession, now: number): KnownSession {
	return known.status ? {...known, status: recallStatus(known.status, now)} : known;
}

function without<T>(map: ReadonlyMap<string, T>, ids: readonly string[]): ReadonlyMap<string, T> {
	const left = new Map(map);
	for (const id of ids) left.delete(id);
	return left;
}
