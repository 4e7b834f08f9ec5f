import {closeSync, type Dirent, openSync, readdirSync, readSync, unlink} from 'node:fs';
import {join} from 'node:path';
import {decodeEnvelope} from '../../hooks/envelope.ts';
import {isPrivateFolder, type RuntimeEnvironment} from '../../hooks/runtime-folder.ts';
import {parseSpoolName, trimSpool} from '../../hooks/spool.ts';
import {type Envelope, maxLine} from '../../hooks/wire.ts';

export type DrainOptions = {
	readonly folders: readonly string[];
	readonly environment: RuntimeEnvironment;
	/** Unix ms. */
	readonly now: () => number;
	/** Keeps some envelopes; after a throw or a rejection their files stay for the next drain. */
	readonly save: (envelopes: readonly Envelope[]) => void | Promise<void>;
};

/** So many are handed over at a time, to be kept by one write, or as many as can be read in so many ms. */
const atOnce = 32;
const turn = 4;

/**
 * Hands over every spooled event in time order and then removes its file. Several programs may drain at once, and one
 * that is killed may leave a file whose event it has kept: the same event can come to each of them and come again, its
 * envelope's id tells. Stops at the first events that can't be kept; rejects with their error. What isn't an envelope is
 * removed. Answers how many files there were.
 *
 * In a flood the hooks whose connections wait spool as well, so nothing here may hold the receiver up for long: a few
 * files are read in a turn, and removed by another thread, as the hooks that write there hold the folder's lock.
 */
export async function drainSpool({folders, environment, now, save}: DrainOptions): Promise<number> {
	const waiting = folders
		.filter(folder => isPrivateFolder(folder, environment))
		.flatMap(folder => filesIn(folder, now()))
		.sort((a, b) => a.ts - b.ts || (a.file < b.file ? -1 : 1));
	const buffer = Buffer.allocUnsafe(maxLine + 1);
	for (let next = 0; next < waiting.length; ) {
		const from = next;
		const envelopes: Envelope[] = [];
		const startedAt = now();
		do {
			const envelope = readEnvelope(waiting[next++]?.file ?? '', buffer);
			if (envelope) envelopes.push(envelope);
		} while (next < waiting.length && next - from < atOnce && now() - startedAt < turn);
		await save(envelopes);
		await Promise.all(waiting.slice(from, next).map(({file}) => remove(file)));
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

/** Undefined for what is gone or holds none. `buffer` is longer than any. */
function readEnvelope(file: string, buffer: Buffer): Envelope | undefined {
	try {
		const descriptor = openSync(file, 'r');
		try {
			const bytes = readSync(descriptor, buffer, 0, buffer.length, 0);
			return bytes < buffer.length ? decodeEnvelope(buffer.toString('utf8', 0, bytes)) : undefined;
		} finally {
			closeSync(descriptor);
		}
	} catch {
		return undefined;
	}
}

function namesIn(folder: string): string[] {
	let entries: Dirent[] = [];
	try {
		entries = readdirSync(folder, {withFileTypes: true});
	} catch {
		// Removed meanwhile.
	}
	// A link in the spool is nobody's event: the hook writes files.
	return entries.filter(entry => entry.isFile()).map(entry => entry.name);
}

/** Resolves also when another program removed it first. */
function remove(file: string): Promise<void> {
	return new Promise(resolve => unlink(file, () => resolve()));
}
