import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {z} from 'zod';
import {readRegularFile} from '../../hooks/regular-file.ts';
import type {ServiceAddress} from '../config/config.ts';
import {Secret} from '../config/secret.ts';
import {registerInstance} from './instance.ts';
import type {LocalService} from './local-service.ts';
import {writePrivateFile} from './private-files.ts';
import {socketAddress} from './socket-address.ts';

/** A service that runs over the same folder, most likely in another process. */
export type Attached = {
	readonly address: ServiceAddress;
	readonly socket: string;
	readonly pid: number;
	readonly computerIds: readonly string[];
};

const announcement = z.object({
	/** The socket's file: with another environment, as in ssh or cron, the runtime folder would be another one. */
	socket: z.string(),
	/** Of this start alone, and of no use to whoever can't open the socket. */
	key: z.string().regex(/^[\w-]{43}$/),
	pid: z.int().positive(),
	/** Who announced: alive as long as its lock is held. */
	instance: z.uuid(),
	computerIds: z.array(z.string()).readonly(),
});

const announcedFile = (folder: string) => join(folder, 'service.json');
const locksFolder = (folder: string) => join(folder, 'announced');

/** Lets other programs find a running service. The function that is returned takes it back. */
export function announce(folder: string, service: LocalService): () => void {
	const lock = registerInstance(locksFolder(folder));
	const file = announcedFile(folder);
	const write = () => {
		const {socket, key} = service;
		writePrivateFile(
			file,
			JSON.stringify({
				socket,
				key: key.reveal(),
				pid: process.pid,
				instance: lock.id,
				computerIds: service.computerIds(),
			} satisfies z.infer<typeof announcement>),
		);
	};
	const isLatest = () => readAnnouncement(folder)?.instance === lock.id;
	write();
	const stop = service.onMove(() => {
		if (isLatest()) write();
	});
	return () => {
		stop();
		if (isLatest()) rmSync(file, {force: true});
		lock.close();
	};
}

/**
 * The service that is alive over this folder, if there is one. Throws `LocalServiceError` when its socket can't be
 * trusted: it was replaced, or removed a moment ago and isn't back yet.
 */
export function findRunning(folder: string): Attached | undefined {
	const found = readAnnouncement(folder);
	if (!found || !isHeld(folder, found.instance)) return undefined;
	const {socket, key, pid, computerIds} = found;
	return {address: socketAddress(socket, new Secret(key)), socket, pid, computerIds};
}

function isHeld(folder: string, instance: string): boolean {
	const probe = registerInstance(locksFolder(folder));
	try {
		return probe.isAlive(instance);
	} finally {
		probe.close();
	}
}

function readAnnouncement(folder: string): z.infer<typeof announcement> | undefined {
	try {
		return announcement.parse(JSON.parse(readRegularFile(announcedFile(folder))));
	} catch {
		// None, or of another release: there is nothing to attach to.
		return undefined;
	}
}
