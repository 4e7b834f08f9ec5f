import {type Dirent, readdirSync, unlink} from 'node:fs';
import {join} from 'node:path';
import {isPrivateFolder, type RuntimeEnvironment} from '../../hooks/runtime-folder.ts';
import {parseSpoolName, readSpooled, trimSpool} from '../../hooks/spool.ts';
import type {Envelope} from '../../hooks/wire.ts';

type DrainOptions = {
	readonly folders: readonly string[];
	readonly environment: RuntimeEnvironment;
	/** Returns Unix ms. */
	readonly now: () => number;
	/** Saves some envelopes. If it throws or rejects, their files stay for the next drain. */
	readonly save: (envelopes: readonly Envelope[]) => void | Promise<void>;
};

/** Files per write: a few ms of work. */
const filesPerWrite = 32;

/**
 * Passes every spooled event to `save` in time order, then removes its file. Several programs may drain at
 * once, and one that is killed may leave the file of a saved event, so the same event can come more than
 * once: compare envelope ids. Files that hold no envelope are removed. Stops and rejects with the error if
 * `save` fails. Resolves to the number of files found. A few files are read per
 * turn, so that the receiver isn't blocked for long.
 */
export async function drainSpool({folders, environment, now, save}: DrainOptions): Promise<number> {
	const waiting = folders
		.filter(folder => isPrivateFolder(folder, environment))
		.flatMap(folder => filesIn(folder, now()))
		.sort((a, b) => a.ts - b.ts || (a.file < b.file ? -1 : 1));
	if (waiting.length === 0) return 0;
	for (let from = 0; from < waiting.length; from += filesPerWrite) {
		const files = waiting.slice(from, from + filesPerWrite).map(({file}) => file);
		await save(files.flatMap(file => readSpooled(file) ?? []));
		await Promise.all(files.map(remove));
	}
	return waiting.length;
}

function filesIn(folder: string, now: number): {file: string; ts: number}[] {
	const names = namesIn(folder);
	trimSpool(folder, now, 0, names);
	return names.flatMap(name => {
		const parsed = parseSpoolName(name);
		return parsed ? [{file: join(folder, name), ts: parsed.ts}] : [];
	});
}

function namesIn(folder: string): string[] {
	let entries: Dirent[] = [];
	try {
		entries = readdirSync(folder, {withFileTypes: true});
	} catch {
		// The folder was removed.
	}
	// Skip links: hooks write only regular files.
	return entries.filter(entry => entry.isFile()).map(entry => entry.name);
}

/** Removes a file; resolves even if another program has already removed it. */
function remove(file: string): Promise<void> {
	return new Promise(resolve => unlink(file, () => resolve()));
}
