import type {Database} from '../db/database.ts';

/** Data that a command must save can't be saved. */
class StorageWriteError extends Error {
	override readonly name = 'StorageWriteError';
}

/** Saved data that a command must show can't be read. */
class StorageReadError extends Error {
	override readonly name = 'StorageReadError';
}

/** For commands that only show saved data: an unreadable database must not look like an empty one. */
export function requireReadable(database: Pick<Database, 'isUnread' | 'problem'>): void {
	if (database.isUnread) throw new StorageReadError(`saved data can't be read: ${database.problem}`);
}

/** For commands whose only purpose is to save something: a memory-only database would lose it. */
export function requireWritable(database: Pick<Database, 'problem'>): void {
	if (database.problem !== undefined) throw new StorageWriteError(`nothing was changed: ${database.problem}`);
}
