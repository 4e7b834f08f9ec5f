import type {Database} from '../db/database.ts';

/** What a command wants to keep can't be kept. */
class NotKeptError extends Error {
	override readonly name = 'NotKeptError';
}

/** What a command wants to show can't be read. */
class NotReadError extends Error {
	override readonly name = 'NotReadError';
}

/** For commands that only show what is kept here: nothing found is no answer when nothing could be read. */
export function requireRead(database: Pick<Database, 'isUnread' | 'problem'>): void {
	if (database.isUnread) throw new NotReadError(`what is known here can't be read: ${database.problem}`);
}

/** For commands whose only purpose is to keep something: in a memory-only database it would be lost. */
export function requireKept(database: Pick<Database, 'problem'>): void {
	if (database.problem !== undefined) throw new NotKeptError(`nothing was changed: ${database.problem}`);
}
