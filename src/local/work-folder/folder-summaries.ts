import {setTimeout as delay} from 'node:timers/promises';
import {type FolderSummary, folderSummary, type WorkingDiff} from '../../domain/sessions/work-folder.ts';
import type {StoredSession} from '../storage/sessions.ts';
import {type DiffReader, readWorkingDiff} from './read-diff.ts';

/** How long a request waits for the summary, ms. That of a huge repository comes with a later request. */
const maxWait = 5000;
const maxCached = 500;

export type FolderSummaries = ReturnType<typeof createFolderSummaries>;

export function createFolderSummaries(reader: DiffReader) {
	const known = new Map<string, FolderSummary | undefined>();
	const running = new Map<string, Promise<void>>();

	/** Keeps what was read of a folder, for all sessions in it. Returns its summary; undefined if it couldn't be read. */
	const record = (diff: WorkingDiff): FolderSummary | undefined => {
		const {folder} = diff;
		if (folder === undefined) return undefined;
		const summary = folderSummary(diff);
		for (const [id, other] of known) if (other?.folder === folder) known.set(id, summary);
		return summary;
	};

	const read = async (id: string, cwd: string) => {
		const diff = await readWorkingDiff(reader, cwd, {hasPatches: false});
		if (diff.problem === 'failed') return;
		known.delete(id);
		known.set(id, record(diff));
		for (const oldest of known.keys()) {
			if (known.size <= maxCached) break;
			known.delete(oldest);
		}
	};

	return {
		record,
		/**
		 * Reads it again unless a turn is running, which changes it all the time and reads it at its end. Undefined
		 * outside a repository, and until it is known.
		 */
		async of({id, cwd, status, completedAt}: StoredSession): Promise<FolderSummary | undefined> {
			if (status === 'running' && known.has(id)) return known.get(id);
			// A read that began before the turn ended may have missed its last changes.
			const key = `${id} ${status} ${completedAt}`;
			const reading =
				running.get(key) ??
				read(id, cwd)
					.catch(() => {})
					.finally(() => running.delete(key));
			running.set(key, reading);
			await Promise.race([reading, delay(maxWait, undefined, {ref: false})]);
			return known.get(id);
		},
	};
}
