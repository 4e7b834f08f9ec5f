import type {Database} from '../db/database.ts';

/** What a command wants to keep can't be kept. */
class StorageWriteError extends Error {
	override readonly name = 'StorageWriteError';
}

/** What a command wants to show can't be read. */
class StorageReadError extends Error {
	override readonly name = 'StorageReadError';
}

/** For commands that only show what is kept here: nothing found is no answer when nothing could be read. */
export function requireReadable(database: Pick<Database, 'isUnread' | 'problem'>): void {
	if (database.isUnread) throw new StorageReadError(`saved data can't be read: ${database.problem}`);
}

/** For commands whose only purpose is to keep something: in a memory-only database it would be lost. */
export function requireWritable(database: Pick<Database, 'problem'>): void {
	if (database.problem !== undefined) throw new StorageWriteError(`nothing was changed: ${database.problem}`);
}
