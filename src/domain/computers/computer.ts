import type {ExtraFields, OpenEnum} from '../known.ts';
import type {MachineHost} from './machine-host.ts';

export const providerTypes = ['byom', 'e2b'] as const;
export type ProviderType = (typeof providerTypes)[number];
/** Where a computer comes from, in the user's words; `short` where there is little room. */
export const providerTitles: ReadonlyMap<string, {readonly title: string; readonly short: string}> = new Map(
	Object.entries({
		byom: {title: 'your own machine', short: 'own machine'},
		e2b: {title: 'cloud sandbox', short: 'cloud sandbox'},
	} satisfies Record<ProviderType, unknown>),
);
export type ComputerStatus = 'provisioning' | 'active' | 'error';

/** One step of a computer's provisioning. Times are Unix ms. `status` may be any word. */
export type ProvisioningStep = ExtraFields & {
	readonly id?: string;
	readonly name?: string;
	readonly status?: string;
	readonly error?: string;
	readonly startedAt?: number;
	readonly completedAt?: number;
	/** The session whose messages are this step's output. */
	readonly installSessionId?: string;
};

/** A remote work machine. Only `id` is guaranteed; times are Unix ms. */
export type Computer = ExtraFields & {
	readonly id: string;
	readonly name?: string;
	readonly providerType?: OpenEnum<ProviderType>;
	readonly createdAt?: number;
	readonly hostId?: string;
	readonly hostname?: string;
	readonly status?: OpenEnum<ComputerStatus>;
	readonly provisioningSteps?: readonly ProvisioningStep[];
	readonly relayClientUrl?: string;
	readonly relayAgentUrl?: string;
	readonly remoteUser?: string;
	/** Only of the embedded service: where a session starts that names no folder. */
	readonly folder?: string;
	/** Only of the embedded service: the agent of a session that names none. */
	readonly agent?: string;
	/** Only of the embedded service: it is another machine. */
	readonly host?: MachineHost;
	/** Since when that machine can't be reached; absent while it can. */
	readonly unreachableSince?: number;
	/** Its service is of an older version, and goes on until its agents are done. */
	readonly updatesWhenIdle?: boolean;
	/** Where an ssh of the user leaves its socket, for the service to use its connection. */
	readonly controlPath?: string;
};

export type ComputerDraft = {
	name: string;
	remoteUser: string;
	provider?: ProviderType;
	/** UUID. */
	hostId?: string;
	/** URIs, at most 20, each at most 2048 characters. */
	repos?: readonly string[];
	autoInstallDeps?: boolean;
	/** Only at the embedded service: another machine. */
	host?: MachineHost;
};

export type ComputerPatch = {name?: string; hostId?: string; remoteUser?: string};
