import type {Computer} from './computer.ts';
import type {Observed} from './observed.ts';
import type {OpenEnum} from './open-enum.ts';
import type {Session, SessionStatus} from './session.ts';

/** Where an id was found. No endpoint lists computers or sessions, so ids are collected wherever they appear. */
export type Origin = 'created' | 'added' | 'install-step' | 'child' | 'hook' | 'local';

/** A computer in the registry, with its last snapshot. `fetchedAt` (Unix ms) is absent while it was never read. */
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
	/** Only told in passing by the service: kept with its source and age. */
	readonly status?: Observed<OpenEnum<SessionStatus>>;
	/** The computer it runs on, when known (from its snapshot, its creation or the user). */
	readonly computerId?: string;
	readonly cwd?: string;
	/** First line of the first message we sent to it: its name while the service has told no title. Raw. */
	readonly subject?: string;
	/** Its name on this machine alone, given by the user: the contract has no call that changes a title. Raw. */
	readonly name?: string;
	/** The `archivedAt` with which the user brought it back here: the contract can't take that mark off. */
	readonly restored?: string;
	/** The user wants it first in its group. */
	readonly pinned?: boolean;
	/** Of one that a hook event told of: does the service know the id? Absent while it was not asked. */
	readonly atService?: boolean;
};

/**
 * The computer that a session's messages are asked of and sent to, where the service has to be told: the one the user
 * named, while no snapshot of the session names one. The service takes its own otherwise.
 */
export function routeOf(known: KnownSession | undefined): string | undefined {
	return known?.session?.computerId === undefined ? known?.computerId : undefined;
}

/** What is kept of a session on this machine alone; an absent field leaves it as it is, an empty one takes it away. */
export type SessionMarks = {
	readonly name?: string;
	readonly restored?: string;
	readonly pinned?: boolean;
};

/** Archived at the service, and not brought back here since. */
export function isArchived(known: KnownSession | undefined): boolean {
	const archivedAt = known?.session?.sessionSettings?.archivedAt;
	return Boolean(archivedAt) && archivedAt !== known?.restored;
}

/** Does it run outside of the service, as far as is known? Only hook events told of it. */
export function isOutsideService(known: KnownSession | undefined): boolean {
	if (known === undefined) return true;
	return known.origin === 'hook' && known.session === undefined && known.atService !== true;
}
