import {readdirSync, unlinkSync} from 'node:fs';
import {isPrivateFolder, type RuntimeEnvironment} from './runtime-folder.ts';
import {endpoint, parseSocketName, type SocketKind} from './socket-name.ts';

/** A socket found in a runtime folder; `file` is its path on disk, `address` what to connect to. */
export type FoundSocket = {
	readonly file: string;
	readonly address: string;
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
			const address = endpoint(folder, name, environment.platform);
			found.push({file: `${folder}/${name}`, address, pid: parsed.pid, startedAt: parsed.startedAt});
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
