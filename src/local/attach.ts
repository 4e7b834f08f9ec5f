import {readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {z} from 'zod';
import type {Secret} from '../config/secret.ts';
import {registerInstance} from './instance.ts';
import type {LocalService} from './local-service.ts';
import {openKey} from './private-files.ts';

/** A service that runs in another process over the same folder. */
export type Attached = {readonly url: string; readonly key: Secret; readonly computerIds: readonly string[]};

const announcement = z.object({
	url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
	/** Who announced: alive as long as its lock is held, so that no stranger on its port is taken for it. */
	instance: z.uuid(),
	computerIds: z.array(z.string()),
});

const announcedFile = (folder: string) => join(folder, 'service.json');
const locksFolder = (folder: string) => join(folder, 'announced');

/** Lets other programs find a running service. The function that is returned takes it back. */
export function announce(folder: string, service: LocalService): () => void {
	const lock = registerInstance(locksFolder(folder));
	const file = announcedFile(folder);
	const temporary = `${file}.${lock.id}`;
	const {url} = service;
	const text = JSON.stringify({url, instance: lock.id, computerIds: service.computerIds()});
	writeFileSync(temporary, text, {mode: 0o600});
	renameSync(temporary, file);
	return () => {
		if (readAnnouncement(folder)?.instance === lock.id) rmSync(file, {force: true});
		lock.close();
	};
}

/** The service that is alive over this folder, if there is one. Throws `LocalServiceError` when its key can't be used. */
export function findRunning(folder: string): Attached | undefined {
	const found = readAnnouncement(folder);
	if (!found || !isHeld(folder, found.instance)) return undefined;
	return {url: found.url, key: openKey(folder), computerIds: found.computerIds};
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
		return announcement.parse(JSON.parse(readFileSync(announcedFile(folder), 'utf8')));
	} catch {
		// None, or of another release: there is nothing to attach to.
		return undefined;
	}
}
