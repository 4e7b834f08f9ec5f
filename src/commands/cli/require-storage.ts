import type {Database} from '../../db/database.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes} from './errors.ts';
import {cliStrings} from './strings.ts';

/** Data that a command must save can't be saved. */
class StorageWriteError extends Error {
	override readonly name = 'StorageWriteError';
}

/** Saved data that a command must show can't be read. */
class StorageReadError extends Error {
	override readonly name = 'StorageReadError';
}

/** The database of the service's account, for commands that show what only a whole file has. */
export async function wholeDatabase(context: CommandContext): Promise<Database> {
	const database = await serviceDatabase(context);
	requireWhole(database);
	return database;
}

/** The database of the service's account, for commands whose only purpose is to save something. */
export async function writableDatabase(context: CommandContext): Promise<Database> {
	const database = await serviceDatabase(context);
	requireWritable(database);
	return database;
}

export async function serviceDatabase({wiring}: CommandContext): Promise<Database> {
	const parts = await wiring();
	parts.requireService();
	return parts.database();
}

/** An unreadable database must not look like an empty one. */
export function requireWhole(database: Pick<Database, 'isPartial' | 'problem'>): void {
	if (database.isPartial) throw new StorageReadError(cliStrings.storage.unreadable(database.problem));
}

/** Runs `show`, which shows saved data, and returns the exit code. A note has said what was read only in part. */
export async function showSaved(
	context: CommandContext,
	isEmpty: boolean,
	show: () => Promise<void>,
): Promise<ExitCode> {
	const database = await (await context.wiring()).database();
	if (isEmpty) requireWhole(database);
	await show();
	return database.isPartial ? exitCodes.refused : exitCodes.done;
}

/** A memory-only database would lose the data. */
export function requireWritable(database: Pick<Database, 'problem'>): void {
	if (database.problem !== undefined)
		throw new StorageWriteError(cliStrings.storage.unchanged(database.problem));
}
