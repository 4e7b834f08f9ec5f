/** Maximum length of a socket path, bytes: Node on Linux silently truncates longer ones. */
export const maxSocketPath = 103;

/** What the listener accepts: hook events, or permission requests (`ask-wire.ts`). */
export type SocketKind = 'hook' | 'ask';

const suffixes: Readonly<Record<SocketKind, string>> = {hook: 'sock', ask: 'ask'};

/** The parts of a socket name: when its process began to listen (Unix ms), its pid, and a random tag. */
export type SocketName = {readonly startedAt: number; readonly pid: number; readonly tag: string};

/** `tag` is random, of [0-9a-f]; on Windows it is the secret that hides the pipe's name from others. */
export function formatSocketName({startedAt, pid, tag}: SocketName, kind: SocketKind = 'hook'): string {
	return `${startedAt.toString(36)}-${pid}-${tag}.${suffixes[kind]}`;
}

export function parseSocketName(name: string, kind: SocketKind = 'hook'): SocketName | undefined {
	const match = /^([0-9a-z]{1,11})-(\d{1,10})-([0-9a-f]{4,64})\.([a-z]+)$/.exec(name);
	if (!match?.[1] || !match[2] || !match[3] || match[4] !== suffixes[kind]) return undefined;
	return {startedAt: Number.parseInt(match[1], 36), pid: Number(match[2]), tag: match[3]};
}

/**
 * The address to listen on and connect to for a name in the runtime folder: the file itself, or on Windows a
 * named pipe, which the file only announces to those who can read the folder.
 */
export function endpoint(folder: string, name: string, platform: NodeJS.Platform): string {
	return platform === 'win32' ? `\\\\.\\pipe\\quarterdeck-${name}` : `${folder}/${name}`;
}
