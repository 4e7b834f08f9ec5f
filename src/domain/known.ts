import type {Computer} from './computer.ts';
import type {Open} from './open.ts';
import type {Session, SessionStatus} from './session.ts';
import type {Sourced} from './sourced.ts';

/** How an id came to be known: nothing in the contract lists computers or sessions (SERVICE-NOTES, trap 2). */
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
	readonly status?: Sourced<Open<SessionStatus>>;
	/** The computer it runs on, when known (from its snapshot, its creation or the user). */
	readonly computerId?: string;
	readonly cwd?: string;
	/** First line of the first message we sent to it: its name while the service has told no title. Raw. */
	readonly subject?: string;
};
