import {unlessStorageFails} from '../../db/file/storage-error.ts';
import {isOutsideService, type Origin, type StatusSource} from '../../domain/known.ts';
import {isDelivered, type OutboxItem} from '../../domain/messages/delivery.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {Session} from '../../domain/sessions/session.ts';
import {newestSignalOf} from '../../domain/sessions/signal.ts';
import {
	assumedFor,
	type Evidence,
	isBusyNow,
	mayBeAtWork,
	turnState,
} from '../../state/sessions/session-state.ts';
import type {Stream} from '../../state/stream.ts';
import type {EngineParts} from '../engine-parts.ts';
import {ActivityRecorder} from '../messages/activity-recorder.ts';
import {Follower} from '../messages/follower.ts';
import {readPreview} from '../messages/message-window.ts';
import {OpenSessions, type SessionFollower} from '../messages/open-sessions.ts';
import {SessionWatcher, type SessionWatcherOptions} from '../messages/session-watcher.ts';
import {TranscriptFollower} from '../transcripts/transcript-follower.ts';
import {previewTranscript, transcriptIn} from '../transcripts/transcripts.ts';
import {type ProbeMode, StatusProbe} from './status-probe.ts';

export type SessionsOptions = EngineParts &
	Pick<SessionWatcherOptions, 'isWanted' | 'onFailure'> & {
		readonly statusProbe: ProbeMode;
		/** Whether the service has announced itself as an embedded one, for which a probe is no write. */
		readonly isEmbedded: () => boolean;
		/** Whether the user waits for the ends of turns that others began, too. */
		readonly isWaiting?: boolean;
		/** How far the service's clock is ahead of this machine's, ms. */
		readonly skew: () => number | undefined;
		/** Called with the newest and changed messages of each successful read. */
		readonly onMessages: (sessionId: string, items: readonly TimelineItem[]) => void;
		/** Called when a session is no longer open anywhere. */
		readonly onClosed?: (sessionId: string) => void;
	};

/** Silence after which the service is asked whether a turn is over, ms: before that would pass for its end. */
const quietProbe = 10_000;

/** The known sessions: follows those that are open, and watches the others. */
export class Sessions {
	readonly #options: SessionsOptions;
	readonly #open: OpenSessions;
	readonly watcher: SessionWatcher;
	readonly activity: ActivityRecorder;
	readonly #statusProbe: StatusProbe;
	readonly #outboxOf: (sessionId: string) => readonly OutboxItem[];

	constructor(options: SessionsOptions) {
		const {stores, statusProbe, isEmbedded, onClosed} = options;
		const outboxOf = (sessionId: string) => stores.outbox.getState().bySession.get(sessionId) ?? [];
		this.#options = options;
		this.#outboxOf = outboxOf;
		this.#open = new OpenSessions(
			sessionId => this.#follow(sessionId),
			sessionId => {
				if (!this.#open.get(sessionId)) this.watcher.closed(sessionId);
				onClosed?.(sessionId);
			},
		);
		this.activity = new ActivityRecorder({
			...options,
			outboxOf,
			isFolderUnread: () => !isEmbedded(),
			isAsked: sessionId => this.#isAsked(sessionId),
		});
		this.watcher = new SessionWatcher({
			...options,
			activity: this.activity,
			isAtWork: sessionId => isBusyNow(this.#evidence(sessionId), this.#options.clock.now()),
			onRead: (sessionId, items) => this.#wasRead(sessionId, items),
		});
		this.#statusProbe = new StatusProbe({
			...options,
			mode: statusProbe,
			onSession: session => this.#probed(session),
		});
	}

	/** Ends all timers and requests; resolves when none is left. */
	async stop(): Promise<void> {
		await Promise.all([this.#open.stop(), this.watcher.stop(), this.#statusProbe.close()]);
	}

	/** Reads all open sessions at once; with an id, that session only, open or not. */
	refresh(id?: string): void {
		const {registry} = this.#options;
		for (const [sessionId, follower] of this.#open.all()) {
			if (id !== undefined && sessionId !== id) continue;
			follower.refresh();
			// A probe is a write: don't send one for a session that the service doesn't know.
			if (!isOutsideService(registry.session(sessionId)))
				this.#statusProbe.probe(sessionId, id !== undefined || sessionId === this.#open.focused);
		}
		if (id === undefined || this.#open.get(id) || isOutsideService(registry.session(id))) return;
		this.#statusProbe.probe(id, true);
		this.watcher.kick(id);
	}

	/** Follows a session while it is open at least once. Call the returned function to close it. */
	open(sessionId: string): () => void {
		return this.#open.open(sessionId);
	}

	openIds(): readonly string[] {
		return [...this.#open.all()].map(([sessionId]) => sessionId);
	}

	/** Keeps the stream of an open session up to date, and loads more of its history; undefined if it isn't open. */
	follower(sessionId: string): SessionFollower | undefined {
		return this.#open.get(sessionId);
	}

	/** Sets the open session that the user is looking at; it is polled most often. */
	focus(sessionId: string | undefined): void {
		this.#open.focus(sessionId);
	}

	/** Returns the newest cached messages of a session without a request; undefined if they can't be read. */
	preview(sessionId: string): Stream | undefined {
		const path = this.#transcriptOf(sessionId);
		if (path !== undefined) return previewTranscript(sessionId, path);
		return unlessStorageFails(() => readPreview(this.#options.database, sessionId));
	}

	/** Records a session that the service returned. */
	remember(session: Session, origin: Origin, source: StatusSource): void {
		this.#statusProbe.outdate(session.sessionId);
		this.#record(session, origin, source);
	}

	#record(session: Session, origin: Origin, source: StatusSource): void {
		this.#options.registry.recordSession(session, origin);
		if (session.status !== undefined) this.reportStatus(session.sessionId, session.status, source);
	}

	reportStatus(sessionId: string, value: string, source: StatusSource): void {
		const {registry, clock} = this.#options;
		// `idle` in the answer to our own message is the state before it.
		if (value === 'idle' && source === 'posted') return;
		registry.setStatus(sessionId, {value, source, at: clock.now()});
	}

	/** Reads a session at once: the service has accepted one of our messages. `isBehind`: its agent was at work. */
	posted(sessionId: string, isBehind = false): void {
		if (isBehind) this.activity.keepTurn(sessionId);
		this.#statusProbe.outdate(sessionId);
		this.#open.get(sessionId)?.kick();
		// It may be closed before its agent has answered.
		this.watcher.posted(sessionId);
	}

	/** Reads a session at once: a hook event reports that something happened in it. */
	hookReceived(sessionId: string): void {
		const follower = this.#open.get(sessionId);
		if (follower instanceof Follower && this.#transcriptOf(sessionId) !== undefined)
			this.#open.reopen(sessionId);
		else this.#kick(sessionId);
	}

	/** Reads a session at once: the service reports that something happened in it. */
	changed(session: Session): void {
		const {registry} = this.#options;
		const {sessionId, status} = session;
		// The program that created it may have saved all of it already.
		const known = registry.refreshedSession(sessionId);
		if (!known) this.#record(session, 'added', 'updated');
		// It comes without its settings and folder: the probe reads them, too.
		if (status !== known?.status?.value) this.#statusProbe.renew(sessionId);
		else this.#statusProbe.outdate(sessionId);
		this.#kick(sessionId);
	}

	/** Reads a session at once, open or not. */
	#kick(sessionId: string): void {
		const follower = this.#open.get(sessionId);
		if (follower) follower.kick();
		else this.watcher.kick(sessionId);
	}

	#probed(session: Session): void {
		const {sessionId} = session;
		const {registry} = this.#options;
		// The session may have been forgotten while the probe was under way.
		if (!registry.session(sessionId)) return;
		this.#record(session, 'added', 'updated');
		const known = registry.session(sessionId);
		if (known?.activity?.evidence === 'growing' && known?.status?.value === 'idle') this.#kick(sessionId);
	}

	#follow(sessionId: string): SessionFollower {
		const {registry, safeWrite, database, stores, clock, isEmbedded} = this.#options;
		const path = this.#transcriptOf(sessionId);
		if (path !== undefined) return new TranscriptFollower({sessionId, path, clock, streams: stores.streams});
		if (!registry.session(sessionId)) registry.addSession(sessionId, 'added');
		safeWrite(() => database.cache.use([sessionId]));
		this.watcher.opened(sessionId);
		// The embedded service reads the session's folder for it.
		if (isEmbedded() && !isOutsideService(registry.session(sessionId)))
			this.#statusProbe.probe(sessionId, false);
		return new Follower({
			...this.#options,
			sessionId,
			isAtWork: () => mayBeAtWork(this.#evidence(sessionId), clock.now()),
			onPolled: (reading, items) => {
				this.activity.record(sessionId, reading);
				this.#wasRead(sessionId, items);
			},
		});
	}

	/** Asks the service whether a turn is over if silence leaves that open. */
	#wasRead(sessionId: string, items: readonly TimelineItem[]): void {
		this.#options.onMessages(sessionId, items);
		const {clock, isEmbedded} = this.#options;
		const {state, knownAt = 0, isAssumed} = turnState(this.#evidence(sessionId));
		const isOpen = state === 'working' || state === 'pending' || state === 'raw' || isAssumed;
		const isDue = isEmbedded()
			? isOpen || state === 'unknown'
			: isOpen && this.#isAsked(sessionId) && clock.now() - knownAt >= quietProbe;
		if (isDue) this.#statusProbe.probe(sessionId, false);
	}

	/** Whether the service is asked if the session's turn is over: one that we began within the hour, or wait for. */
	#isAsked(sessionId: string): boolean {
		const {isEmbedded, isWaiting, clock} = this.#options;
		if (!this.#statusProbe.isAuto) return false;
		if (isEmbedded() || isWaiting) return true;
		const sentAt = this.#outboxOf(sessionId).findLast(isDelivered)?.sentAt ?? Number.NEGATIVE_INFINITY;
		return clock.now() - sentAt < assumedFor;
	}

	#evidence(sessionId: string): Evidence {
		const {sessions, signals} = this.#options.registry.current();
		return {
			known: sessions.get(sessionId),
			signal: newestSignalOf(sessionId, signals.values()),
			outbox: this.#outboxOf(sessionId),
		};
	}

	/** The transcript that a session outside the service is read from, if any. */
	#transcriptOf(sessionId: string): string | undefined {
		const fleet = this.#options.stores.fleet.getState();
		return isOutsideService(fleet.sessions.get(sessionId)) ? transcriptIn(fleet, sessionId) : undefined;
	}
}
