import type {Secret} from '../config/secret.ts';
import type {PortListener} from './http/listen-on-port.ts';

/** Ways a service may differ within the contract; for tests, never on by default */
export type TestVariant = {
	/** Order of messages in a listing, and which end the page without a cursor holds. */
	readonly pageOrder: 'newest-first' | 'oldest-first';
	/** `bare`: content items are `{text, id}` only. `typed`: they carry `type`. */
	readonly content: 'bare' | 'typed';
	readonly hasRoleField: boolean;
	/** How long a new message stays out of listings, ms. */
	readonly listingLag: number;
	/** How long a new session answers 404, ms. */
	readonly notFoundAfterCreate: number;
	/** Added to the first call, ms. */
	readonly coldCall: number;
	readonly errorShape: 'problem' | 'error' | 'message' | 'text' | 'html' | 'empty';
	/** Words of a step's status. */
	readonly stepWords: 'plain' | 'loud' | 'strange';
	/** PATCH with an empty body is refused. */
	readonly refusesProbe: boolean;
	/** Every n-th post is applied and its answer then lost; 0 for never. */
	readonly losesEveryNthPost: number;
};

export type LocalOptions = {
	/** Where everything of the service lives: its database, its computers' folders. */
	readonly folder: string;
	/** Listen on this port of 127.0.0.1 too, for clients that aren't ours; 0: any free port. None when absent. */
	readonly port?: number;
	/** Name of the agent that answers messages; `shell` when absent. */
	readonly agent?: string;
	/** Provision this machine's computer when there is none yet. */
	readonly provisionsThisMachine?: boolean;
	readonly variant?: Partial<TestVariant>;
	/** Told, in one line, that its database file was removed or replaced while it runs, and what was done about it. */
	readonly onFileLost?: (what: string) => void;
};

/** A running embedded service. `close` ends every process it started before it resolves. */
export type LocalService = {
	/** File of the socket by which this user's programs reach it. It changes when the runtime folder was removed. */
	readonly socket: string;
	/** The socket's key, of this start alone. */
	readonly key: Secret;
	/** Where other clients reach it, when a port was asked for. */
	readonly port?: Pick<PortListener, 'url' | 'key' | 'keyFile'>;
	/** Calls `listener` whenever the socket is another one. Returns what ends that. */
	onMove(listener: () => void): () => void;
	/** Ids of the computers there are now: nothing in the contract lists them. */
	computerIds(): readonly string[];
	/** How many agents answer messages now: they end when it is closed. */
	agentsAtWork(): number;
	close(): Promise<void>;
};
