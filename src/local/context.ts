import type {Agent, findAgent} from './agents/agents.ts';
import type {Save} from './background-work.ts';
import type {Route} from './http/router.ts';
import type {Lifetime} from './lifetime.ts';
import type {HookEvents, HookEventsOptions} from './machines/hook-events.ts';
import type {Machines} from './machines/machines.ts';
import type {ProcessGroups} from './processes/process-group.ts';
import type {Provisioner} from './provisioning/provisioner.ts';
import type {doStep} from './provisioning/step-work.ts';
import type {Storage} from './storage/open-storage.ts';
import type {Conversations} from './turns/conversations.ts';
import type {Turns} from './turns/turns.ts';
import type {FolderSummaries} from './work-folder/folder-summaries.ts';

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
	readonly standIn?: StandIn;
	/** What hooks on this machine report is for a Quarterdeck elsewhere, too. */
	readonly hooks?: HookEventsOptions;
};

/** Shared by all background work. `closing` is aborted when the service stops. */
export type BackgroundContext = {
	readonly folder: string;
	readonly storage: Storage;
	readonly save: Save;
	readonly groups: ProcessGroups;
	/** The agent of sessions that name none. */
	readonly agent: Agent;
	readonly findAgent: typeof findAgent;
	readonly doStep: typeof doStep;
	readonly closing: AbortSignal;
	readonly worktreeSetup?: LocalOptions['worktreeSetup'];
};

export type LocalContext = BackgroundContext & {
	readonly lifetime: Lifetime;
	readonly turns: Turns;
	readonly conversations: Conversations;
	readonly provisioner: Provisioner;
	readonly machines: Machines;
	readonly hookEvents: HookEvents;
	readonly folderSummaries: FolderSummaries;
};
