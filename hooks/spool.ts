import {chmodSync, lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync} from 'node:fs';
import {dirname, isAbsolute} from 'node:path';
import {makeFolder} from './make-folder.ts';
import {isPrivateFolder, type RuntimeEnvironment, runtimeFolders} from './runtime-folder.ts';
import {type Envelope, maxLine} from './wire.ts';

/** Limits of one spool folder. When it is full, the oldest events go first, those that end a turn or session last. */
export const maxSpoolFiles = 500;
export const maxSpoolBytes = 1024 * 1024;
export const maxSpoolAge = 24 * 60 * 60 * 1000;

/** With fewer files than this no limit but the age can be passed, and that one is kept by whoever drains. */
const surelyFits = maxSpoolBytes / maxLine;

/** How long a temporary file may be in the making before it counts as left behind, ms. */
const maxWriting = 60_000;

/**
 * Where events wait, best first: the state folder; the same of an environment without our variables; and, for a home
 * that can't be written, the runtime folders. The first is nearly always enough, so they are named one at a time.
 */
export function* spoolFolders(environment: RuntimeEnvironment): Generator<string> {
	const {env, platform} = environment;
	const state = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_STATE_HOME;
	if (state && isAbsolute(state)) yield `${state}/quarterdeck/spool`;
	if (platform !== 'win32' && env.HOME && isAbsolute(env.HOME))
		yield `${env.HOME}/.local/state/quarterdeck/spool`;
	for (const folder of runtimeFolders(environment)) yield `${folder}/spool`;
}

/**
 * What a file's name tells, so that nothing need be opened or measured to keep order and limits. `isEnd` of an event that
 * ends a turn or a session: without it the state that was before would stand, and those go last when the spool is full.
 */
export type SpoolName = {
	readonly ts: number;
	readonly id: string;
	readonly bytes: number;
	readonly isEnd?: boolean;
};

/** The clients' names of such events. */
const ends: readonly string[] = ['Stop', 'StopFailure', 'AfterAgent', 'SessionEnd'];

/** Names sort by time. */
export function formatSpoolName({ts, id, bytes, isEnd}: SpoolName): string {
	return `${String(ts).padStart(15, '0')}-${id}${isEnd ? '-end' : ''}-${bytes}.json`;
}

export function parseSpoolName(name: string): SpoolName | undefined {
	const match = /^(\d{15})-([\w-]{8,64}?)(-end)?-(\d{1,6})\.json/.exec(name);
	if (!match?.[1] || !match[2]) return undefined;
	return {ts: Number(match[1]), id: match[2], bytes: Number(match[4]), ...(match[3] && {isEnd: true})};
}

/**
 * Keeps one event for the next program to drain, in the first folder that takes it. Whole or not at all: written under
 * a temporary name, then renamed. When full, others go (`trimSpool`). False when no folder takes it.
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
		isEnd: ends.includes(envelope.event),
	});
	for (const folder of folders) {
		const temporary = `${folder}/.${name}`;
		try {
			openSpoolFolder(folder, environment);
			const names = readdirSync(folder);
			if (names.length >= surelyFits) trimSpool(folder, envelope.ts, bytes, names);
			writeFileSync(temporary, line, {flag: 'wx', mode: 0o600});
			renameSync(temporary, `${folder}/${name}`);
			return true;
		} catch {
			remove(temporary);
		}
	}
	return false;
}

function openSpoolFolder(folder: string, environment: RuntimeEnvironment): void {
	if (isPrivateFolder(folder, environment)) return;
	const parent = dirname(folder);
	makeFolder(parent, 0o700);
	// Whoever owns the parent can put a link there, and another folder of ours would be changed.
	if (environment.platform !== 'win32' && lstatSync(parent).uid !== environment.uid)
		throw new Error('the folder of the spool is not ours');
	makeFolder(folder, 0o700);
	// Ours with too open a mode can be mended; a stranger's can't, and throws.
	if (lstatSync(folder).isDirectory()) chmodSync(folder, 0o700);
	if (!isPrivateFolder(folder, environment)) throw new Error('the spool folder is not ours');
}

/**
 * Removes what is too old, then the oldest until one more file of `bytes` fits: of the events that end nothing, and only
 * then of the others. `now` is Unix ms, `names` what is in the folder. In a flood every hook does it: nothing is sorted.
 */
export function trimSpool(folder: string, now: number, bytes = 0, names = readdirSync(folder)): void {
	/** Bytes by name. */
	const passing = new Map<string, number>();
	const lasting = new Map<string, number>();
	let total = bytes;
	for (const name of names) {
		const isTemporary = name.startsWith('.');
		const parsed = parseSpoolName(isTemporary ? name.slice(1) : name);
		if (!parsed) continue;
		const age = now - parsed.ts;
		if (age > (isTemporary ? maxWriting : maxSpoolAge)) remove(`${folder}/${name}`);
		else if (!isTemporary) {
			(parsed.isEnd ? lasting : passing).set(name, parsed.bytes);
			total += parsed.bytes;
		}
	}
	const maxFiles = maxSpoolFiles - (bytes > 0 ? 1 : 0);
	while (passing.size + lasting.size > maxFiles || total > maxSpoolBytes) {
		const files = passing.size > 0 ? passing : lasting;
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
		// Gone already: another process keeps the same limits.
	}
}
