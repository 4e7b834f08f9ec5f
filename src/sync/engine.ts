import type {AttentionMark} from '../domain/attention.ts';
import type {Computer} from '../domain/computer.ts';
import type {OutboxDraft, OutboxItem} from '../domain/delivery.ts';
import type {KnownComputer, Origin, SessionMarks} from '../domain/known.ts';
import type {Source} from '../domain/observed.ts';
import type {Session} from '../domain/session.ts';

/** What keeps the stores true. Everything it learns is on disk before it is in a store. */
export type Engine = {
	/** Fills the stores from disk: all that the first frame shows. Nothing begins. */
	load(): void;
	/** Begins: unfinished sends, watches, hook events. Loads first if that wasn't done. */
	start(): Promise<void>;
	/** Ends every timer, request and listener; resolves when nothing of the engine is left running. */
	stop(): Promise<void>;
	/** Follows a session while at least one holder keeps it open. The returned function lets it go. */
	open(sessionId: string): () => void;
	/** Somebody looks at a computer until the returned function is called. */
	watchComputer(computerId: string): () => void;
	/** Which open session has the reader's eyes; it is polled fastest. */
	focus(sessionId: string | undefined): void;
	/** False while the terminal is blurred: all cadences are slowed four times. */
	setTerminalFocused(isFocused: boolean): void;
	/** Polls at once: one session or computer by id, or all that is on screen. */
	refresh(id?: string): void;
	/** Brings older messages of an open session into its stream, from the cache first. */
	loadOlder(sessionId: string): Promise<void>;
	/** Brings newer messages than those shown, while a stretch of the history is shown. */
	loadNewer(sessionId: string): void;
	/** Brings the stretch of an open session's history that holds a kept message. Nothing happens when it isn't kept. */
	showMessage(sessionId: string, messageId: string): void;
	/** Brings the newest messages of an open session back. */
	showNewest(sessionId: string): void;
	/** Keeps the log of hook events filled while at least one holder looks at it. */
	watchEvents(): () => void;
	/** Brings older events into the log. */
	loadOlderEvents(): void;
	/** Fills a gap row of an open session. */
	fillGap(sessionId: string, gapId: string): Promise<void>;
	/** Puts a message in the outbox: on disk when this resolves, then sent in its turn. */
	enqueue(sessionId: string, draft: OutboxDraft): Promise<OutboxItem>;
	/** The user's choice for a `failed` or `unconfirmed` message; `resend` may post it a second time. */
	resend(outboxId: string): void;
	/** Takes a message that is not on the wire out of the outbox and answers it, so that its text can be kept. */
	discard(outboxId: string): OutboxItem | undefined;
	/** Records a computer the service answered with, or an id to be read. */
	rememberComputer(computer: Computer, origin: Origin): void;
	addComputer(computerId: string, origin: Origin): void;
	/** A computer that was forgotten is known again as it was, in its old place, and read. */
	restoreComputer(known: KnownComputer): void;
	rememberSession(session: Session, origin: Origin, source: Source): void;
	addSession(sessionId: string, origin: Origin, facts?: {computerId?: string; cwd?: string}): void;
	/** Keeps a name or a return from the archive on this machine alone. */
	markSession(sessionId: string, marks: SessionMarks): void;
	/** Keeps that a session which needs the user was acknowledged or snoozed. */
	setAttentionMark(mark: AttentionMark): void;
	/** Takes that back. */
	clearAttentionMark(sessionId: string): void;
	forgetComputer(computerId: string): void;
	forgetSession(sessionId: string): void;
	/** The user has read what happened to the database file. */
	acknowledgeIncidents(): void;
	/** After a new key: lifts the stop that a 401 put on everything. */
	resume(): void;
};
