import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {z} from 'zod';
import {readRegularFile} from '../../hooks/regular-file.ts';
import type {ServiceAddress} from '../config/config.ts';
import {Secret} from '../config/secret.ts';
import {agentOffer} from '../domain/sessions/agent-request.ts';
import {workFolderOffer} from '../domain/sessions/work-folder.ts';
import {registerInstance} from './instance.ts';
import {writePrivateFile} from './private-files.ts';
import {socketAddress} from './socket-address.ts';
import type {LocalService} from './start-local-service.ts';

/** A service running over the same folder, usually in another process. */
export type Attached = {
	readonly address: ServiceAddress;
	readonly socket: string;
	readonly pid: number;
	readonly computerIds: readonly string[];
	/** What it offers beside the contract. */
	readonly offers: readonly string[];
};

const announcement = z.object({
	/** Path of the socket. In another environment (ssh, cron) the runtime folder would differ. */
	socket: z.string(),
	/** Valid for this start only, and useless to anyone who can't open the socket. */
	key: z.string().regex(/^[\w-]{43}$/),
	pid: z.int().positive(),
	/** The announcing instance: alive as long as its lock is held. */
	instance: z.uuid(),
	computerIds: z.array(z.string()).readonly(),
	offers: z.array(z.string()).readonly().catch([]),
});

/** Offers of this release's embedded service beyond the contract. */
export const offers: readonly string[] = [agentOffer, workFolderOffer];

const announcementFile = (folder: string) => join(folder, 'service.json');
const locksFolder = (folder: string) => join(folder, 'announced');

/**
 * Lets other programs find a running service. Returns a function that withdraws the announcement, after which an
 * earlier service over the folder is found again if it still runs.
 */
export function announce(folder: string, service: LocalService): () => void {
	const earlier = readAnnouncement(folder);
	const lock = registerInstance(locksFolder(folder));
	const file = announcementFile(folder);
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
				offers,
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
		if (isLatest()) {
			if (earlier && lock.isAlive(earlier.instance)) writePrivateFile(file, JSON.stringify(earlier));
			else rmSync(file, {force: true});
		}
		lock.close();
	};
}

/**
 * Finds the live service over this folder, if any. Throws `LocalServiceError` when its socket can't be
 * trusted: it was replaced, or was just removed and isn't back yet.
 */
export function findRunning(folder: string): Attached | undefined {
	const announced = readAnnouncement(folder);
	if (!announced || !isInstanceAlive(folder, announced.instance)) return undefined;
	const {socket, key, pid, computerIds, offers} = announced;
	return {address: socketAddress(socket, new Secret(key)), socket, pid, computerIds, offers};
}

function isInstanceAlive(folder: string, instance: string): boolean {
	const probe = registerInstance(locksFolder(folder));
	try {
		return probe.isAlive(instance);
	} finally {
		probe.close();
	}
}

function readAnnouncement(folder: string): z.infer<typeof announcement> | undefined {
	try {
		return announcement.parse(JSON.parse(readRegularFile(announcementFile(folder))));
	} catch {
		// No announcement, or one from another release: nothing to attach to.
		return undefined;
	}
}
