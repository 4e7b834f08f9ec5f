import type {FolderSummary} from '../../domain/sessions/work-folder.ts';
import type {StoredSession} from '../storage/sessions.ts';
import {type DiffReader, readWorkingDiff} from './read-diff.ts';

/** How long a request waits for the summary, ms: a huge repository tells it to the next one. */
const maxWait = 5000;
/** Sessions whose summary is kept. */
const maxKept = 500;

/** Branch and changed lines of the folders that sessions work in. */
export type FolderSummaries = {
	/**
	 * Reads it anew unless a turn is running, which changes it all the time and reads it at its end. Undefined
	 * outside a repository, and until it is known.
	 */
	of(
		session: Pick<StoredSession, 'id' | 'cwd' | 'status' | 'completedAt'>,
	): Promise<FolderSummary | undefined>;
};

export function createFolderSummaries(reader: DiffReader): FolderSummaries {
	const known = new Map<string, FolderSummary | undefined>();
	const running = new Map<string, Promise<void>>();

	const read = async (id: string, cwd: string) => {
		const {problem, branch, added = 0, removed = 0} = await readWorkingDiff(reader, cwd, {hasPatches: false});
		if (problem === 'failed') return;
		known.delete(id);
		known.set(
			id,
			problem === undefined ? {added, removed, ...(branch !== undefined && {branch})} : undefined,
		);
		for (const oldest of known.keys()) {
			if (known.size <= maxKept) break;
			known.delete(oldest);
		}
	};

	return {
		async of({id, cwd, status, completedAt}) {
			if (status === 'running' && known.has(id)) return known.get(id);
			// What began before the end of a turn may have missed its last changes.
			const key = `${id} ${status} ${completedAt}`;
			const reading =
				running.get(key) ??
				read(id, cwd)
					.catch(() => {})
					.finally(() => running.delete(key));
			running.set(key, reading);
			let timer: NodeJS.Timeout | undefined;
			const wait = new Promise<void>(resolve => {
				timer = setTimeout(resolve, maxWait);
			});
			await Promise.race([reading, wait]);
			clearTimeout(timer);
			return known.get(id);
		},
	};
}
