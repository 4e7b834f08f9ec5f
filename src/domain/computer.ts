import type {ExtraFields, OpenEnum} from './open-enum.ts';

export const providerTypes = ['byom', 'e2b'] as const;
export type ProviderType = (typeof providerTypes)[number];
export type ComputerStatus = 'provisioning' | 'active' | 'error';

/** One step of a computer's provisioning (contract 2.4). Times are Unix ms. The values of `status` are open. */
export type ProvisioningStep = ExtraFields & {
	readonly id?: string;
	readonly name?: string;
	readonly status?: string;
	readonly error?: string;
	readonly startedAt?: number;
	readonly completedAt?: number;
	/** Session whose messages are the output of this step. */
	readonly installSessionId?: string;
};

/** A remote work machine (contract 2.4). Only `id` is sure to be there; times are Unix ms. */
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
};

/** Body of create computer (contract 4.5). */
export type ComputerDraft = {
	name: string;
	remoteUser: string;
	provider?: ProviderType;
	/** UUID. */
	hostId?: string;
	/** URIs, at most 20, each at most 2048 characters. */
	repos?: readonly string[];
	autoInstallDeps?: boolean;
};

/** Body of update computer (contract 4.5). */
export type ComputerPatch = {name?: string; hostId?: string; remoteUser?: string};
