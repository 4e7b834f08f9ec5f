import type {Agent, findAgent} from './agents/agents.ts';
import type {HookEvents} from './hook-events.ts';
import type {Lifetime} from './lifetime.ts';
import type {LocalOptions, TestVariant} from './local-service.ts';
import type {Machines} from './machines/machines.ts';
import type {ProcessGroups} from './processes/process-group.ts';
import type {Provisioner} from './provisioning/provisioner.ts';
import type {doStep} from './provisioning/step-work.ts';
import type {Save} from './save.ts';
import type {Storage} from './storage/open-storage.ts';
import type {Conversations} from './turns/conversations.ts';
import type {Turns} from './turns/turns.ts';
import type {FolderSummaries} from './work-folder/folder-summaries.ts';

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
	readonly variant: TestVariant;
	readonly lifetime: Lifetime;
	readonly turns: Turns;
	readonly conversations: Conversations;
	readonly provisioner: Provisioner;
	readonly machines: Machines;
	readonly hookEvents: HookEvents;
	readonly folderSummaries: FolderSummaries;
};
