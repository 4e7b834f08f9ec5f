import {statSync} from 'node:fs';
import {join} from 'node:path';
import {utcDayOf} from '../../domain/time.ts';
import {openRepository} from '../../git/repository.ts';
import type {BackgroundContext} from '../context.ts';
import {gitIn, outputOf} from '../processes/git.ts';

/** Time limits, ms: for what a turn waits for, and for measuring, so that a huge work tree is not measured. */
const startLimit = 5000;
const timeLimit = 20_000;

/** State of a git work tree before a turn. `since` is Unix ms. */
export type WorkStart = {readonly root: string; readonly head?: string; readonly since: number};

/** Records the state of the git work tree that contains `cwd`; undefined outside of one. */
export async function recordWorkStart(
	{groups}: Pick<BackgroundContext, 'groups'>,
	cwd: string,
	signal: AbortSignal,
): Promise<WorkStart | undefined> {
	const since = Date.now();
	const repository = await openRepository(cwd, 'read').catch(() => undefined);
	if (!repository) return undefined;
	const git = gitIn(groups, repository, signal);
	// A repository without a commit has no HEAD.
	const head = outputOf(
		await git(['rev-parse', '--verify', '--quiet', 'HEAD'], {timeLimit: startLimit}),
	)?.trim();
	return {root: repository.root, head, since};
}

/** Records a turn's changes in a git work tree: new and changed files, committed or not, and commits. */
export async function measureWork(
	{storage, groups, closing}: BackgroundContext,
	start: WorkStart,
): Promise<void> {
	const {root, head, since} = start;
	const signal = AbortSignal.any([closing, AbortSignal.timeout(timeLimit)]);
	// The turn may have changed the repository's settings.
	const repository = await openRepository(root, 'read').catch(() => undefined);
	if (!repository) return;
	const git = gitIn(groups, repository, signal);
	const gitOutput = async (...args: string[]) => outputOf(await git(args));
	const range = head === undefined ? 'HEAD' : `${head}..HEAD`;
	const [status = '', log = ''] = await Promise.all([
		gitOutput(
			'status',
			'--porcelain=v1',
			'-z',
			'--no-renames',
			'--untracked-files=all',
			'--ignore-submodules=dirty',
		),
		// Commits that were only fetched are older than the turn.
		gitOutput(
			'log',
			`--since=@${Math.floor(since / 1000)}`,
			'--no-renames',
			'--name-status',
			'-z',
			'--format=%x01%H',
			range,
		),
	]);
	if (closing.aborted) return;
	const date = utcDayOf(since);
	const changes = [
		...changesOfLog(log),
		...changesOfStatus(status).filter(({path}) => isChangedSince(join(root, path), since)),
	];
	storage.transaction(() => {
		for (const hash of hashesOfLog(log)) storage.usage.addCommit({hash, date});
		for (const {path, kind} of changes) storage.usage.addFileChange({date, path: join(root, path), kind});
	});
}

type Change = {readonly path: string; readonly kind: 'created' | 'edited'};

/** Parses `git status --porcelain=v1 -z`: untracked and added count as created; deleted are left out. */
export function changesOfStatus(status: string): Change[] {
	return status.split('\0').flatMap((entry): Change[] => {
		const state = entry.slice(0, 2);
		if (entry.length < 4 || state.includes('D')) return [];
		return [{path: entry.slice(3), kind: state === '??' || state.includes('A') ? 'created' : 'edited'}];
	});
}

/** Parses `git log --name-status -z --format=%x01%H`. */
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

function isChangedSince(path: string, since: number): boolean {
	const changedAt = statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0;
	// Some file systems store whole seconds, or use a clock that lags by a few milliseconds.
	return changedAt % 1000 === 0 ? changedAt >= Math.floor(since / 1000) * 1000 : changedAt >= since - 10;
}
