import {randomUUID} from 'node:crypto';
import {homedir, hostname} from 'node:os';
import {dirname} from 'node:path';
import {userName} from '../config/user-name.ts';
import {nameLength, remoteUserLength} from '../domain/limits.ts';
import {planThisMachine} from './provisioning.ts';
import type {Storage} from './storage/open-storage.ts';

/** Creates this machine's computer if there is none yet and returns its id. The caller runs its steps. */
export function addThisMachine(storage: Storage): string | undefined {
	return storage.transaction(() => {
		if (storage.computers.all().length > 0) return undefined;
		const id = randomUUID();
		storage.computers.add(
			{
				id,
				name: cut(hostname() || 'this machine', nameLength.max),
				remoteUser: cut(userName(), remoteUserLength.max),
				hostname: hostname(),
				status: 'provisioning',
				workspace: usersFolder(),
				createdAt: Date.now(),
			},
			planThisMachine().map(step => ({...step, id: randomUUID()})),
		);
		return id;
	});
}

/** The folder we were started in, or home if that was the file system's root. */
function usersFolder(): string {
	try {
		const folder = process.cwd();
		return dirname(folder) === folder ? homedir() : folder;
	} catch {
		// The current folder was removed.
		return homedir();
	}
}

function cut(text: string, length: number): string {
	return [...text].slice(0, length).join('');
}
