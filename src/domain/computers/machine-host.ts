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
