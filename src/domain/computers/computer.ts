import type {ExtraFields, OpenEnum} from '../known.ts';

export const providerTypes = ['byom', 'e2b'] as const;
type ProviderType = (typeof providerTypes)[number];
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

/**
 * How a machine is reached: by OpenSSH, or by a command and its arguments that runs a program there with its standard
 * input and output, such as `podman exec -i NAME`.
 */
export type MachineHost = {readonly ssh: string} | {readonly command: readonly string[]};

/** The name under which the embedded service announces that computers can be other machines. */
export const machineOffer = 'machines';

/** Longest name of a host, and longest command, in characters. */
export const hostLength = {min: 1, max: 255};
export const commandLength = {min: 1, max: 2000};

/** Returns why it can't be a host of ssh, or undefined if it can. */
export function hostProblem(host: string): string | undefined {
	if (host.startsWith('-')) return "can't start with a dash";
	return /[\p{C}\s]/u.test(host) ? "can't contain spaces or control characters" : undefined;
}

/** The words of a command, which no shell reads. */
export function commandWords(command: string): readonly string[] {
	return command.split(/\s+/).filter(Boolean);
}

/** Returns why no shell's words can be made of a command, or undefined if they can. */
export function commandProblem(command: string): string | undefined {
	return /["'\\`$;&|<>]/.test(command)
		? "is run without a shell: it can't contain quotes, $ or the like"
		: undefined;
}

export function hostTitle(host: MachineHost): string {
	return 'ssh' in host ? host.ssh : host.command.join(' ');
}

/** `type` of the problem that a service answers with when a machine of its can't be reached: nothing was sent. */
export const unreachableProblem = 'computer-unreachable';
