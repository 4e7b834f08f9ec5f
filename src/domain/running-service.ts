import type {Session} from './sessions/session.ts';

/** Posted with an `Idempotency-Key`, a message is added once however often its post is repeated. */
export const idempotencyOffer = 'idempotent-messages';

/** A message can say that an agent sent it. */
export const authorOffer = 'message-authors';

/** Changes can be waited for. */
export const changesOffer = 'changes';

/** The `Server` header of an embedded service, by which clients know that asking it for a status writes nothing. */
export const embeddedServer = 'quarterdeck';

/** What the running embedded service says about itself. */
export type RunningService = {
	readonly pid: number;
	readonly version: string;
	/** Unix ms. */
	readonly startedAt: number;
	/** What it offers beside the contract. */
	readonly offers: readonly string[];
	/** No endpoint of the contract lists them. */
	readonly computerIds: readonly string[];
	readonly agentsAtWork: number;
	/** Whether an agent or the provisioning of a computer is at work. */
	readonly isAtWork: boolean;
	/** It ends as soon as nothing is at work, for a newer version to take its place. */
	readonly endsWhenIdle: boolean;
	/** Sessions whose turn the end of a service cut off, that can go on if the user says so. */
	readonly cutOffIds: readonly string[];
};

/** Whether a version, such as `1.2.3`, is older than another. */
export function isOlderVersion(version: string, other: string): boolean {
	const [parts, others] = [version, other].map(text => text.split('.').map(Number));
	const at = parts?.findIndex((part, index) => part !== others?.[index]) ?? -1;
	return at >= 0 && (parts?.[at] ?? 0) < (others?.[at] ?? 0);
}

/** What changed at the embedded service since a cursor, and the cursor to go on from. */
export type ServiceChanges = {
	readonly cursor: number;
	/** Sessions that changed, or whose messages did. */
	readonly sessions: readonly Session[];
	/** Sessions that were created, but for those of a computer's install step. */
	readonly addedIds: readonly string[];
	readonly computerIds: readonly string[];
};
