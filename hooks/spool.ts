import {
	chmodSync,
	closeSync,
	constants,
	lstatSync,
	openSync,
	readdirSync,
	readSync,
	renameSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, isAbsolute} from 'node:path';
import {isPrivateFolder, makeFolder, type RuntimeEnvironment, runtimeFolders} from './runtime-folder.ts';
import {decodeEnvelope, type Envelope, maxLine} from './wire.ts';

/**
 * Limits of one spool folder: files, bytes, and age in ms. When it is full, the oldest events are deleted
 * first; those that end a turn or session go last.
 */
export const maxSpoolFiles = 500;
export const maxSpoolBytes = 1024 * 1024;
export const maxSpoolAge = 24 * 60 * 60 * 1000;

/** With fewer files than this only the age limit can be exceeded, which the draining program enforces. */
const fewFiles = maxSpoolBytes / maxLine;

/** Age at which a temporary file counts as abandoned, ms. */
const maxWritingTime = 60_000;

/** The state folders of programs of this user: with our variables, and by default. */
export function* stateFolders({env}: RuntimeEnvironment): Generator<string> {
	const state = env.XDG_STATE_HOME;
	if (state && isAbsolute(state)) yield `${state}/quarterdeck`;
	if (env.HOME && isAbsolute(env.HOME)) yield `${env.HOME}/.local/state/quarterdeck`;
}

/**
 * The spool folders, best first: in the state folder; in the default state folder, for programs without our
 * variables; and in the runtime folders, if the home can't be written. A generator, because the first is
 * nearly always enough.
 */
export function* spoolFolders(environment: RuntimeEnvironment): Generator<string> {
	for (const folder of stateFolders(environment)) yield `${folder}/spool`;
	for (const folder of runtimeFolders(environment)) yield `${folder}/spool`;
}

/**
 * The parts of a spool file's name, which allow sorting and limiting without opening files. `isEnd` marks an
 * event that ends a turn or session: losing it would leave a stale state, so these are deleted last.
 */
type SpoolName = {
	readonly ts: number;
	readonly id: string;
	readonly bytes: number;
	readonly isEnd?: boolean;
};

/** Names of the events that end a turn or session. */
const endEvents: readonly string[] = ['Stop', 'StopFailure', 'AfterAgent', 'SessionEnd'];

/** Names sort by time. */
export function formatSpoolName({ts, id, bytes, isEnd}: SpoolName): string {
	return `${String(ts).padStart(15, '0')}-${id}${isEnd ? '-end' : ''}-${bytes}.json`;
}

export function parseSpoolName(name: string): SpoolName | undefined {
	const match = /^(\d{15})-([\w-]{8,64}?)(-end)?-(\d{1,6})\.json/.exec(name);
	if (!match?.[1] || !match[2]) return undefined;
	return {ts: Number(match[1]), id: match[2], bytes: Number(match[4]), isEnd: match[3] !== undefined};
}

/**
 * Saves one event for the next program, in the first folder that accepts it. Atomic: writes a temporary file,
 * then renames it. Deletes other events when full (`trimSpool`). Returns false if no folder accepts it.
 */
export function spool(
	folders: Iterable<string>,
	line: string,
	envelope: Envelope,
	environment: RuntimeEnvironment,
): boolean {
	const bytes = Buffer.byteLength(line);
	const name = formatSpoolName({
		ts: envelope.ts,
		id: envelope.id,
		bytes,
		isEnd: endEvents.includes(envelope.event),
	});
	for (const folder of folders) {
		const temporary = `${folder}/.${name}`;
		try {
			openSpoolFolder(folder, environment);
			const names = readdirSync(folder);
			if (names.length >= fewFiles) trimSpool(folder, envelope.ts, bytes, names);
			writeFileSync(temporary, line, {flag: 'wx', mode: 0o600});
			renameSync(temporary, `${folder}/${name}`);
			return true;
		} catch {
			remove(temporary);
		}
	}
	return false;
}

/** Reads the event of a spool file; undefined if there is none. Never follows a link or waits for the writer of a pipe. */
export function readSpooled(file: string): Envelope | undefined {
	const buffer = Buffer.allocUnsafe(maxLine + 1);
	try {
		const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
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

function openSpoolFolder(folder: string, environment: RuntimeEnvironment): void {
	if (isPrivateFolder(folder, environment)) return;
	const parent = dirname(folder);
	makeFolder(parent, 0o700);
	// The parent's owner could put a link there, and we would change another folder of ours.
	if (lstatSync(parent).uid !== environment.uid) throw new Error('the folder of the spool is not ours');
	makeFolder(folder, 0o700);
	// If the folder is ours, restricts too open a mode; on another user's folder chmod throws.
	if (lstatSync(folder).isDirectory()) chmodSync(folder, 0o700);
	if (!isPrivateFolder(folder, environment)) throw new Error('the spool folder is not ours');
}

/**
 * Deletes expired files, then the oldest until a file of `bytes` fits: first events that end nothing, then
 * the others. `now` is Unix ms, `names` the folder's entries. Every hook runs this during a flood, so it
 * doesn't sort.
 */
export function trimSpool(folder: string, now: number, bytes = 0, names = readdirSync(folder)): void {
	/** Bytes by name. */
	const ordinaryFiles = new Map<string, number>();
	const endFiles = new Map<string, number>();
	let total = bytes;
	for (const name of names) {
		const isTemporary = name.startsWith('.');
		const parsed = parseSpoolName(isTemporary ? name.slice(1) : name);
		if (!parsed) continue;
		const age = now - parsed.ts;
		if (age > (isTemporary ? maxWritingTime : maxSpoolAge)) remove(`${folder}/${name}`);
		else if (!isTemporary) {
			(parsed.isEnd ? endFiles : ordinaryFiles).set(name, parsed.bytes);
			total += parsed.bytes;
		}
	}
	const maxFiles = maxSpoolFiles - (bytes > 0 ? 1 : 0);
	while (ordinaryFiles.size + endFiles.size > maxFiles || total > maxSpoolBytes) {
		const files = ordinaryFiles.size > 0 ? ordinaryFiles : endFiles;
		const name = oldestOf(files.keys());
		if (name === undefined) return;
		remove(`${folder}/${name}`);
		total -= files.get(name) ?? 0;
		files.delete(name);
	}
}

function oldestOf(names: Iterable<string>): string | undefined {
	let oldest: string | undefined;
	for (const name of names) if (oldest === undefined || name < oldest) oldest = name;
	return oldest;
}

function remove(file: string): void {
	try {
		unlinkSync(file);
	} catch {
		// Deleted already: another process enforces the same limits.
	}
}
