import type {Computer} from '../domain/computers/computer.ts';
import type {KnownComputer, Origin, SessionMarks, Source} from '../domain/known.ts';
import type {OutboxDraft, OutboxItem} from '../domain/messages/delivery.ts';
import type {AttentionMark} from '../domain/sessions/attention.ts';
import type {Session} from '../domain/sessions/session.ts';

/** Keeps the stores up to date. Everything is written to disk before it reaches a store. */
export type Engine = {
	/** Fills the stores from disk with all that the first frame shows. Starts nothing. */
	load(): void;
	/** Starts sending unfinished messages, polling and listening for hook events. Loads first if necessary. */
	start(): Promise<void>;
	/** Asks the service whether it accepts the key, unless a known computer is read at the start anyway. */
	checkKey(): void;
	/** Ends all timers, requests and listeners; resolves when nothing of the engine is running. */
	stop(): Promise<void>;
	/** Follows a session while it is open at least once. Call the returned function to close it. */
	open(sessionId: string): () => void;
	/** Marks a computer as on screen until the returned function is called. */
	watchComputer(computerId: string): () => void;
	/** Sets the open session that the user is looking at; it is polled most often. */
	focus(sessionId: string | undefined): void;
	/** Pass false while the terminal is blurred: all polls run four times less often. */
	setTerminalFocused(isFocused: boolean): void;
	/** Polls immediately: one session or computer by id, or every known computer and open session. */
	refresh(id?: string): void;
	/** Loads older messages into the stream of an open session, from the cache first. */
	loadOlder(sessionId: string): Promise<void>;
	/** Loads newer messages, while part of the history is shown. */
	loadNewer(sessionId: string): void;
	/** Shows the part of an open session's history around a cached message. Does nothing if it isn't cached. */
	showMessage(sessionId: string, messageId: string): void;
	/** Returns an open session to its newest messages. */
	showNewest(sessionId: string): void;
	/** Keeps the hook event log filled until the returned function is called. */
	watchEvents(): () => void;
	/** Loads older events into the log. */
	loadOlderEvents(): void;
	/** Loads the messages missing at a gap row of an open session. */
	fillGap(sessionId: string, gapId: string): Promise<void>;
	/** Adds a message to the outbox, to be sent in order. Resolves once it is on disk. */
	enqueue(sessionId: string, draft: OutboxDraft): Promise<OutboxItem>;
	/**
	 * Resolves a `failed` or `unconfirmed` message by the user's choice; `resend` may post it a second time.
	 */
	resend(outboxId: string): void;
	/** Removes a message that isn't on the wire from the outbox and returns it, so that its text isn't lost. */
	discard(outboxId: string): OutboxItem | undefined;
	/** Records a computer that the service returned, or an id to be read. */
	rememberComputer(computer: Computer, origin: Origin): void;
	addComputer(computerId: string, origin: Origin): void;
	/** Restores a forgotten computer in its old place, and reads it. */
	restoreComputer(known: KnownComputer): void;
	rememberSession(session: Session, origin: Origin, source: Source): void;
	addSession(sessionId: string, origin: Origin, facts?: {computerId?: string; cwd?: string}): void;
	/** Saves a session's name, pin or return from the archive on this machine only. */
	markSession(sessionId: string, marks: SessionMarks): void;
	/** Saves that the user acknowledged or snoozed a session that needs attention. */
	setAttentionMark(mark: AttentionMark): void;
	/** Removes the session's attention mark. */
	clearAttentionMark(sessionId: string): void;
	forgetComputer(computerId: string): void;
	forgetSession(sessionId: string): void;
	/** Records that the user has read what happened to the database file. */
	acknowledgeIncidents(): void;
	/** Call after the key changed: lifts the block that a 401 puts on all requests. */
	resume(): void;
};
