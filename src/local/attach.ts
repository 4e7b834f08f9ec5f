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

const announced = z.object({
	/** Path of the socket. */
	socket: z.string(),
	/** Valid for this start only, and useless to anyone who can't open the socket. */
	key: z.string().regex(/^[\w-]{43}$/),
	pid: z.int().positive(),
	/** The announcing instance: alive as long as its lock is held. */
	instance: z.uuid(),
	computerIds: z.array(z.string()).readonly(),
	offers: z.array(z.string()).readonly().catch([]),
});
type Announced = z.infer<typeof announced>;

/** The service that is found, and those over the same folder to find once it has ended, the latest first. */
const announcement = announced.extend({earlier: z.array(announced).readonly().catch([])});

/** Offers of this release's embedded service beyond the contract. */
export const offers: readonly string[] = [agentOffer, workFolderOffer];

const announcementFile = (folder: string) => join(folder, 'service.json');
const locksFolder = (folder: string) => join(folder, 'announced');

/**
 * Lets other programs find a running service. Returns a function that withdraws the announcement, after which an
 * earlier service over the folder is found again if it still runs.
 */
export function announce(folder: string, service: LocalService): () => void {
	const lock = registerInstance(locksFolder(folder));
	const isOwn = ({instance}: Announced) => instance === lock.id;
	const own = (): Announced => ({
		socket: service.socket,
		key: service.key.reveal(),
		pid: process.pid,
		instance: lock.id,
		computerIds: service.computerIds(),
		offers,
	});
	const write = ([latest, ...earlier]: readonly Announced[]) => {
		const file = announcementFile(folder);
		if (latest) writePrivateFile(file, JSON.stringify({...latest, earlier}));
		else rmSync(file, {force: true});
	};
	write([own(), ...readAnnouncements(folder).filter(({instance}) => lock.isAlive(instance))]);
	const stop = service.onMove(() => {
		const all = readAnnouncements(folder);
		if (all.some(isOwn)) write(all.map(one => (isOwn(one) ? own() : one)));
	});
	return () => {
		stop();
		const all = readAnnouncements(folder);
		if (all.some(isOwn)) write(all.filter(one => !isOwn(one) && lock.isAlive(one.instance)));
		lock.close();
	};
}

/**
 * Finds the live service over this folder, if any. Throws `LocalServiceError` when its socket can't be
 * trusted: it was replaced, or was just removed and isn't back yet.
 */
export function findRunning(folder: string): Attached | undefined {
	const running = readAnnouncements(folder).find(({instance}) => isInstanceAlive(folder, instance));
	if (!running) return undefined;
	const {socket, key, pid, computerIds, offers} = running;
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

/** What is announced of the services over a folder, the latest first. */
function readAnnouncements(folder: string): readonly Announced[] {
	try {
		const {earlier, ...latest} = announcement.parse(JSON.parse(readRegularFile(announcementFile(folder))));
		return [latest, ...earlier];
	} catch {
		// No announcement that can be read: nothing to attach to.
		return [];
	}
}
