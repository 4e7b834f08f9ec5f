import type {Database} from '../../db/database.ts';
import type {CommandContext} from './context.ts';
import {cliStrings} from './strings.ts';

/** Data that a command must save can't be saved. */
class StorageWriteError extends Error {
	override readonly name = 'StorageWriteError';
}

/** Saved data that a command must show can't be read. */
class StorageReadError extends Error {
	override readonly name = 'StorageReadError';
}

/** The database of the service's account, for commands that only show saved data. */
export async function readableDatabase(context: CommandContext): Promise<Database> {
	const database = await serviceDatabase(context);
	requireReadable(database);
	return database;
}

/** The database of the service's account, for commands whose only purpose is to save something. */
export async function writableDatabase(context: CommandContext): Promise<Database> {
	const database = await serviceDatabase(context);
	requireWritable(database);
	return database;
}

async function serviceDatabase({wiring}: CommandContext): Promise<Database> {
	const parts = await wiring();
	parts.requireService();
	return parts.database();
}

/** An unreadable database must not look like an empty one. */
export function requireReadable(database: Pick<Database, 'isUnreadable' | 'problem'>): void {
	if (database.isUnreadable) throw new StorageReadError(cliStrings.storage.unreadable(database.problem));
}

/** A memory-only database would lose the data. */
export function requireWritable(database: Pick<Database, 'problem'>): void {
	if (database.problem !== undefined)
		throw new StorageWriteError(cliStrings.storage.unchanged(database.problem));
}
