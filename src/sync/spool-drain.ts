import {type Dirent, readdirSync, readFileSync, renameSync, statSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';
import {decodeEnvelope} from '../../hooks/envelope.ts';
import {isPrivateFolder, type Place} from '../../hooks/runtime-folder.ts';
import {parseSpoolName, trimSpool} from '../../hooks/spool.ts';
import {type Envelope, maxLine} from '../../hooks/wire.ts';

/** A claim this old belongs to a process that died over it, ms. */
const claimTime = 10_000;

export type DrainOptions = {
	readonly folders: readonly string[];
	readonly place: Place;
	readonly now: () => number;
	/** Keeps some envelopes; a throw or a rejection puts their files back for the next drain. */
	readonly keep: (envelopes: readonly Envelope[]) => void | Promise<void>;
};

/** So many are handed over at a time, to be kept by one write: a few ms, then keys have their turn. */
const atOnce = 32;

/**
 * Hands over every spooled event in time order and removes its file. A file is claimed by renaming it first, so that
 * of several programs draining at once one handles it. Stops at the first events that can't be kept; rejects with their
 * error. What isn't an envelope is removed. Answers how many files there were.
 */
export async function drainSpool({folders, place, now, keep}: DrainOptions): Promise<number> {
	const waiting: {folder: string; name: string; ts: number}[] = [];
	for (const folder of folders) {
		if (!isPrivateFolder(folder, place)) continue;
		trimSpool(folder, now());
		for (const name of fileNames(folder)) {
			const parsed = parseSpoolName(name);
			if (parsed && isFree(name, now())) waiting.push({folder, name, ts: parsed.ts});
		}
	}
	waiting.sort((a, b) => a.ts - b.ts || (a.name < b.name ? -1 : 1));
	for (let from = 0; from < waiting.length; from += atOnce) {
		const claims = waiting
			.slice(from, from + atOnce)
			.flatMap(({folder, name}) => claim(folder, name, now()) ?? []);
		try {
			await keep(claims.flatMap(({envelope}) => envelope ?? []));
		} catch (error) {
			for (const {claimed, file} of claims) tryTo(() => renameSync(claimed, file));
			throw error;
		}
		for (const {claimed} of claims) tryTo(() => unlinkSync(claimed));
		await new Promise(setImmediate);
	}
	return waiting.length;
}

/** Undefined when another process was faster; without an envelope when there is none in it. */
function claim(
	folder: string,
	name: string,
	now: number,
): {file: string; claimed: string; envelope?: Envelope} | undefined {
	const file = join(folder, name.replace(/\.json.*$/s, '.json'));
	const claimed = `${file}.${now}.claim`;
	if (!tryTo(() => renameSync(join(folder, name), claimed))) return undefined;
	const envelope = readEnvelope(claimed);
	return {file, claimed, ...(envelope && {envelope})};
}

function isFree(name: string, now: number): boolean {
	const claimedAt = /\.json\.(\d+)\.claim$/.exec(name)?.[1];
	return claimedAt ? now - Number(claimedAt) > claimTime : name.endsWith('.json');
}

function readEnvelope(file: string): Envelope | undefined {
	let text: string | undefined;
	tryTo(() => {
		if (statSync(file).size <= maxLine) text = readFileSync(file, 'utf8');
	});
	return text === undefined ? undefined : decodeEnvelope(text);
}

function fileNames(folder: string): string[] {
	let entries: Dirent[] = [];
	tryTo(() => {
		entries = readdirSync(folder, {withFileTypes: true});
	});
	// A link in the spool is nobody's event: the hook writes files.
	return entries.filter(entry => entry.isFile()).map(entry => entry.name);
}

/** False when it failed: another process took or removed the file first. */
function tryTo(act: () => void): boolean {
	try {
		act();
		return true;
	} catch {
		return false;
	}
}
