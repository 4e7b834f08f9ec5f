import type {Database} from '../db/database.ts';

/** What a command wants to keep can't be kept. */
class NotKeptError extends Error {
	override readonly name = 'NotKeptError';
}

/** For commands whose only purpose is to keep something: in a memory-only database it would be lost. */
export function requireKept(database: Database): void {
	if (database.problem !== undefined) throw new NotKeptError(`nothing was changed: ${database.problem}`);
}
