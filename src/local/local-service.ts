import type {BackgroundContext, LocalContext} from './context.ts';
import type {HookEventsOptions} from './hook-events.ts';
import type {Route} from './http/router.ts';

/** Ways a service may vary within the contract. For tests only; never on by default. */
export type TestVariant = {
	/** Order of messages in a listing, and which end the page without a cursor returns. */
	readonly pageOrder: 'newest-first' | 'oldest-first';
	/** `bare`: texts are `{text, id}` only. `typed`: they carry `type`, as other items always do. */
	readonly content: 'bare' | 'typed';
	readonly hasRoleField: boolean;
	/** Delay before a new message appears in listings, ms. */
	readonly listingLag: number;
	/** How long a new session returns 404, ms. */
	readonly notFoundAfterCreate: number;
	/** Extra latency of the first call, ms. */
	readonly coldCall: number;
	/** Vocabulary of step statuses. */
	readonly stepWords: 'plain' | 'loud' | 'strange';
};

/** Does the work of a service that starts no agent and provisions nothing: the demo's. */
export type StandIn = Pick<BackgroundContext, 'findAgent' | 'doStep'> & {
	/** Answer in place of the service's own. */
	readonly routes: (context: LocalContext) => readonly Route[];
};

export type LocalOptions = {
	/** The service's root: its database and its computers' folders. */
	readonly folder: string;
	/** Also listen on this port of 127.0.0.1 for third-party clients; 0 picks any free port. */
	readonly port?: number;
	/** Name of the agent of sessions that are created without one; defaults to `shell`. */
	readonly agent?: string;
	/** Time without a client and without work after which it ends, ms; absent: never by itself. */
	readonly idleTime?: number;
	/** How long an agent's process is kept after its last turn, ms; defaults to 10 minutes. */
	readonly agentIdleTime?: number;
	/** Provisions this machine's computer if there is none yet. */
	readonly provisionsThisMachine?: boolean;
	/** The folder of this machine's computer; the process's working folder when absent. */
	readonly startedIn?: string;
	/** The commands that make new worktrees ready, by the folder of their repository, as configured now. */
	readonly worktreeSetup?: () => Promise<Readonly<Record<string, string>>>;
	readonly variant?: Partial<TestVariant>;
	readonly standIn?: StandIn;
	/** What hooks on this machine report is for a Quarterdeck elsewhere, too. */
	readonly hooks?: HookEventsOptions;
	/** Called with a one-line report when the database file was removed or replaced at run time. */
	readonly onFileLost?: (what: string) => void;
};
