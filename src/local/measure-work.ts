import {statSync} from 'node:fs';
import {join} from 'node:path';
import type {Workshop} from './context.ts';
import {askGit} from './git.ts';

/** How long measuring may take, ms: a huge work tree stays unmeasured. */
const patience = 20_000;

/**
 * Records what a turn that began at `since` (Unix ms) left in the git work tree around `cwd`: files that are new or
 * changed since then, committed or not, and commits made since then. Outside a work tree nothing is recorded.
 */
export async function measureWork(
	{storage, groups, closing}: Workshop,
	cwd: string,
	since: number,
): Promise<void> {
	const signal = AbortSignal.any([closing, AbortSignal.timeout(patience)]);
	const ask = (at: string, ...args: string[]) => askGit(groups, at, args, signal);
	const root = (await ask(cwd, 'rev-parse', '--show-toplevel'))?.replace(/\n$/, '');
	if (!root) return;
	const sinceSeconds = Math.floor(since / 1000);
	const [status, log] = await Promise.all([
		ask(root, 'status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'),
		ask(root, 'log', `--since=@${sinceSeconds}`, '--no-renames', '--name-status', '-z', '--format=%x01%H'),
	]);
	if (closing.aborted) return;
	const date = new Date(since).toISOString().slice(0, 10);
	const changes = [
		...changesOfLog(log ?? ''),
		...changesOfStatus(status ?? '').filter(({path}) => changedSince(join(root, path), since)),
	];
	storage.transaction(() => {
		for (const hash of hashesOfLog(log ?? '')) storage.usage.addCommit(hash, date);
		for (const {path, kind} of changes) storage.usage.addFileChange({date, path: join(root, path), kind});
	});
}

type Change = {readonly path: string; readonly kind: 'created' | 'edited'};

/** Files of `git status --porcelain=v1 -z`: untracked and added ones are created, deleted ones are left out. */
export function changesOfStatus(status: string): Change[] {
	return status.split('\0').flatMap((entry): Change[] => {
		const state = entry.slice(0, 2);
		if (entry.length < 4 || state.includes('D')) return [];
		return [{path: entry.slice(3), kind: state === '??' || state.includes('A') ? 'created' : 'edited'}];
	});
}

/** Files of `git log --name-status -z --format=%x01%H`. */
export function changesOfLog(log: string): Change[] {
	const changes: Change[] = [];
	const fields = log.split('\0').map(field => field.replace(/^\n/, ''));
	for (let i = 0; i + 1 < fields.length; i++) {
		const state = fields[i] ?? '';
		if (!/^[AMTD]$/.test(state)) continue;
		const path = fields[++i] ?? '';
		if (state !== 'D') changes.push({path, kind: state === 'A' ? 'created' : 'edited'});
	}
	return changes;
}

export function hashesOfLog(log: string): string[] {
	return [...log.matchAll(/\u0001([\da-f]{40,64})/g)].map(match => match[1] ?? '');
}

function changedSince(path: string, since: number): boolean {
	// File systems may keep whole seconds only.
	return (statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0) >= Math.floor(since / 1000) * 1000;
}
