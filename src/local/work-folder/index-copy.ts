import {copyFileSync, mkdtempSync, rmSync, statSync, utimesSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Repository} from '../../git/repository.ts';
import type {Git} from '../processes/git.ts';
import type {ProgramResult} from '../processes/run-program.ts';

/** Calls `run` with a git that works on a copy of the index. */
export async function withIndexCopy<T>(
	git: Git,
	{gitDir}: Repository,
	run: (inCopy: Git) => Promise<T>,
): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-index-'));
	try {
		const env = {GIT_INDEX_FILE: join(folder, 'index')};
		copyIndex(join(gitDir, 'index'), env.GIT_INDEX_FILE);
		return await run((args, options) => git(args, {...options, env}));
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

/**
 * Stages once more what is staged, so that git compares it with the files: an index made elsewhere may say that its
 * text is that of a file, or that no file has to be looked at.
 */
export function stageAgain(git: Git, staged: readonly string[]): Promise<ProgramResult> {
	return git(['update-index', '-z', '--index-info'], {stdin: staged.map(entry => `${entry}\0`).join('')});
}

export function copyIndex(from: string, to: string): void {
	copyFileSync(from, to);
	// Keep the second of its time: git then reads files again that changed in that second without changing size.
	const seconds = Math.floor(statSync(from).mtimeMs / 1000);
	utimesSync(to, seconds, seconds);
}
