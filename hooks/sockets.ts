import {readdirSync, unlinkSync} from 'node:fs';
import {isPrivateFolder, type RuntimeEnvironment} from './runtime-folder.ts';

/** A socket found in a runtime folder. */
export type FoundSocket = {
	readonly file: string;
	readonly pid: number;
	readonly startedAt: number;
};

/** Finds the sockets of one kind in private folders, newest first. Doesn't check whether anyone listens. */
export function findSockets(
	folders: readonly string[],
	environment: RuntimeEnvironment,
	kind: SocketKind = 'hook',
): FoundSocket[] {
	const found: FoundSocket[] = [];
	for (const folder of folders) {
		if (!isPrivateFolder(folder, environment)) continue;
		for (const name of namesIn(folder)) {
			const parsed = parseSocketName(name, kind);
			if (!parsed) continue;
			found.push({file: `${folder}/${name}`, pid: parsed.pid, startedAt: parsed.startedAt});
		}
	}
	return found.sort((a, b) => b.startedAt - a.startedAt);
}

/**
 * Removes a socket that refused a connection if its process is dead; a live one may only be busy. A socket
 * with our own pid belongs to an earlier process: containers reuse the same few pids.
 */
export function removeIfDead(socket: FoundSocket): void {
	if (socket.pid !== process.pid && isAlive(socket.pid)) return;
	try {
		unlinkSync(socket.file);
	} catch {
		// Another process was faster.
	}
}

/** Whether a process exists, whoever owns it. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code !== 'ESRCH';
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

/** Maximum length of a socket path, bytes: Node on Linux silently truncates longer ones. */
export const maxSocketPath = 103;

/** What the listener accepts: hook events, or permission requests (`ask-wire.ts`). */
export type SocketKind = 'hook' | 'ask';

const suffixes: Readonly<Record<SocketKind, string>> = {hook: 'sock', ask: 'ask'};

/** The parts of a socket name: when its process began to listen (Unix ms), its pid, and a random tag. */
type SocketName = {readonly startedAt: number; readonly pid: number; readonly tag: string};

/** `tag` is random, of [0-9a-f]. */
export function formatSocketName({startedAt, pid, tag}: SocketName, kind: SocketKind = 'hook'): string {
	return `${startedAt.toString(36)}-${pid}-${tag}.${suffixes[kind]}`;
}

export function parseSocketName(name: string, kind: SocketKind = 'hook'): SocketName | undefined {
	const match = /^([0-9a-z]{1,11})-(\d{1,10})-([0-9a-f]{4,64})\.([a-z]+)$/.exec(name);
	if (!match?.[1] || !match[2] || !match[3] || match[4] !== suffixes[kind]) return undefined;
	return {startedAt: Number.parseInt(match[1], 36), pid: Number(match[2]), tag: match[3]};
}
