import type {EventComputer} from '../../hooks/wire.ts';
import type {Computer} from './computers/computer.ts';
import type {SessionActivity} from './sessions/activity.ts';
import type {Session, SessionStatus} from './sessions/session.ts';

/** Where an id was found. No endpoint lists computers or sessions, so ids are collected wherever they occur. */
export type Origin = 'created' | 'added' | 'install-step' | 'child' | 'hook' | 'local';

/** A computer in the registry, with its last snapshot. `fetchedAt` (Unix ms) is absent until it is first read. */
export type KnownComputer = {
	readonly id: string;
	readonly origin: Origin;
	readonly addedAt: number;
	readonly computer?: Computer;
	readonly fetchedAt?: number;
};

/** A session in the registry, with its last snapshot. */
export type KnownSession = {
	readonly id: string;
	readonly origin: Origin;
	readonly addedAt: number;
	readonly session?: Session;
	readonly fetchedAt?: number;
	/** Reported only as part of other responses, so stored with its source and age. */
	readonly status?: KnownStatus;
	/** Inferred from its newest messages, as last read. */
	readonly activity?: SessionActivity;
	/** When its newest messages were last read, Unix ms, give or take 15 s; kept only while its turn may be open. */
	readonly readAt?: number;
	/** Id of the newest message that the user has read to. */
	readonly seenId?: string;
	/** Whether it had no messages when it was first read. */
	readonly wasEmpty?: true;
	/** The computer it runs on, when known (from its snapshot, its creation or the user). */
	readonly computerId?: string;
	/** The folder that it was created with; `folderOf` prefers the one that the service names. */
	readonly cwd?: string;
	/** First line of our first message to it; used as the name until the service reports a title. Raw. */
	readonly subject?: string;
	/** User-defined local name; the contract has no call to change a title. Raw. */
	readonly name?: string;
	/** The `archivedAt` value at the time the user restored it locally; the contract has no call to unarchive. */
	readonly restored?: string;
	/** Pinned to the top of its group. */
	readonly pinned?: boolean;
	/** For a session known from a hook event: whether the service knows its id. Absent until checked. */
	readonly atService?: boolean;
	/** The file that its client writes the conversation to. Untrusted: a hook may name any path. */
	readonly transcriptPath?: string;
};

/**
 * The computer id to send with a session's message requests: the user's choice, unless a snapshot of the
 * session names a computer. Undefined lets the service use its own.
 */
export function routeOf(known: KnownSession | undefined): string | undefined {
	return known?.session?.computerId === undefined ? known?.computerId : undefined;
}

export function folderOf(known: KnownSession | undefined): string | undefined {
	return known?.session?.cwd ?? known?.cwd;
}

/** Number of a session's messages; undefined if messages have arrived since it was known. */
export function messageCountOf(known: KnownSession | undefined): number | undefined {
	const {session: {messageCount = 0} = {}, activity, fetchedAt = 0} = known ?? {};
	const {count = 0, isWhole = false} = activity?.stored ?? {};
	// The service may count late: more are in the stream.
	const isOutdated = activity && (activity.changedAt > fetchedAt || count > messageCount);
	if (!isOutdated) return known?.session?.messageCount;
	return isWhole ? count : undefined;
}

/** The least number of messages that a session is known to have; undefined if nothing is known of them. */
export function leastMessagesOf(known: KnownSession | undefined): number | undefined {
	const {session, activity} = known ?? {};
	if (!activity) return session?.messageCount;
	const {stored, unread} = activity;
	return messageCountOf(known) ?? Math.max(session?.messageCount ?? 0, stored?.count ?? 0, unread, 1);
}

/** A session's title: the service's, else the first words of its first message. */
export function titleOf({session, activity, subject}: KnownSession): string | undefined {
	return session?.title?.trim() || activity?.title || subject;
}

/**
 * Per-session data stored only on this machine. An absent field leaves the value unchanged; an empty one
 * removes it.
 */
export type SessionMarks = {
	readonly name?: string;
	readonly restored?: string;
	readonly pinned?: boolean;
};

/** Whether the session is archived at the service and has not been restored locally since. */
export function isArchived(known: KnownSession | undefined): boolean {
	const archivedAt = known?.session?.sessionSettings?.archivedAt;
	return Boolean(archivedAt) && archivedAt !== known?.restored;
}

/** Whether the session, as far as known, runs outside the service: known only from its client's hooks or files. */
export function isOutsideService(known: KnownSession | undefined): boolean {
	if (known === undefined) return true;
	return known.origin === 'hook' && known.session === undefined && known.atService !== true;
}

/** Whether what a hook said of a session counts. Hooks on another computer speak only of the sessions there. */
export function isOfComputer(
	known: KnownSession | undefined,
	computer: Pick<EventComputer, 'id'> | undefined,
): boolean {
	if (known === undefined || computer === undefined) return true;
	return (known.computerId ?? known.session?.computerId) === computer.id;
}

/** Whether the session is read in the background while nobody has it open. */
export function isWatched(known: KnownSession | undefined): known is KnownSession {
	return known !== undefined && !isArchived(known) && !isOutsideService(known);
}

/** The source of a value, displayed next to it with its age. `step`: a computer's install step. */
export type StatusSource = 'created' | 'updated' | 'posted' | 'hook' | 'activity' | 'step';

/** A value with its source and the time it was learned (Unix ms). */
type Observed<T> = {readonly value: T; readonly source: StatusSource; readonly at: number};

/** A session's status as the service last reported it. `busyAt`: when it last said that the session is at work, Unix ms. */
export type KnownStatus = Observed<OpenEnum<SessionStatus>> & {readonly busyAt?: number};

/** A contract enum as read: one of its known words, or any other word, kept and displayed verbatim. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

/** Fields not in the contract are kept on the object under their own key. */
export type ExtraFields = {readonly [key: string]: unknown};

/** How long a newly created resource may return 404, ms. */
const startingFor = 120_000;

export const startingRetryDelay = 2_000;

/**
 * Whether a 404 may mean "not yet". A service can take a while to find an object that it has just created, or
 * sessions that started automatically during a computer's provisioning.
 */
export function isStarting(known: KnownComputer | KnownSession | undefined, now: number): boolean {
	if (known?.origin !== 'created' && known?.origin !== 'install-step') return false;
	// If the clock was set back, a signed difference would count the resource as new until it catches up.
	return Math.abs(now - known.addedAt) < startingFor;
}
