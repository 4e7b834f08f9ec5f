import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import type {CachedSession, Database} from '../db/database.ts';
import {sideFiles} from '../db/file-identity.ts';
import {accountName} from '../domain/accounts/account.ts';
import {parseByteCount} from '../domain/byte-count.ts';
import {localFolder} from '../embedded-service.ts';
import {databaseFile} from '../local/storage/database-file.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {safe} from '../text/cells/safe.ts';
import {byteSize} from '../text/values/numbers.ts';
import {age} from '../text/values/times.ts';
import {confirm} from './cli/confirm.ts';
import type {CommandContext, CommandRun} from './cli/context.ts';
import {exitCodes, UsageError} from './cli/errors.ts';
import type {Flags} from './cli/parse.ts';
import {readableDatabase, writableDatabase} from './cli/require-storage.ts';
import {type OutputColumn, printTable} from './output/print-rows.ts';

export const storage = {
	async ''(context) {
		const {wiring, output, clock} = context;
		const parts = await wiring();
		const {config} = parts;
		const database = await readableDatabase(context);
		const {used, free} = database.cache.size();
		const sessions = database.cache.sessions();
		const {account} = await parts.account();
		const file = join(config.stateFolder, account.file);
		const others = (await parts.machine()).accounts
			.all()
			.map(one => join(config.stateFolder, one.file))
			.filter(other => other !== file && existsSync(other));
		const service = databaseFile(localFolder(config));
		const hasService = existsSync(service);
		if (output.isJson) {
			const {storageLimit: limit} = config;
			output.json({account: account.id, file, bytes: bytesOf(file), used, free, limit, sessions});
			for (const other of [...others, ...(hasService ? [service] : [])])
				output.json({file: other, bytes: bytesOf(other)});
			return exitCodes.done;
		}
		output.line(
			safe`${cleanLine(accountName(account))}: ${byteSize(used)} of ${byteSize(config.storageLimit)} at most in ${cleanLine(file)}, ${byteSize(free)} of it unused`,
		);
		printTable(output, sessionColumns(database, clock.now()), sessions);
		for (const other of others)
			output.line(safe`other account: ${byteSize(bytesOf(other))} in ${cleanLine(other)}`);
		if (hasService)
			output.line(safe`embedded service: ${byteSize(bytesOf(service))} in ${cleanLine(service)}`);
		return exitCodes.done;
	},

	async prune(context) {
		const target = targetOf(context.flags);
		const parts = await context.wiring();
		const {config} = parts;
		const database = await writableDatabase(context);
		const goal = target ?? config.storageLimit;
		if (!context.flags.is('yes') && !(await isWanted(context, database, goal))) return exitCodes.refused;
		const file = join(config.stateFolder, (await parts.account()).account.file);
		const before = bytesOf(file);
		let pruned = 0;
		for (const sessionId of database.cache.prune(goal)) {
			if (sessionId !== undefined) pruned++;
			if (context.signal.aborted) throw context.signal.reason;
		}
		// Return unused space to the disk, also for files without automatic vacuuming.
		database.cache.rebuild();
		const {used} = database.cache.size();
		const after = bytesOf(file);
		if (context.output.isJson) context.output.json({sessions: pruned, before, after, used, target: goal});
		else
			context.output.line(
				safe`removed the cached messages of ${pruned} ${pruned === 1 ? safe`session` : safe`sessions`}: ${byteSize(before)} before, ${byteSize(after)} now`,
			);
		if (used <= goal) return exitCodes.done;
		context.output.note(
			'some data stays: drafts, the outbox, usage, and sessions opened in the last ten minutes',
		);
		return exitCodes.refused;
	},
} satisfies Record<string, CommandRun>;

function sessionColumns({sessions}: Database, now: number): OutputColumn<CachedSession>[] {
	const ago = (at: number | undefined) => age(at === undefined ? undefined : now - at);
	return [
		{name: 'session', show: ({sessionId}) => cleanLine(sessionId)},
		{
			name: 'title',
			show: ({sessionId}) => cleanLine(sessions.get(sessionId)?.session?.title ?? '-'),
		},
		{name: 'size', isNumber: true, show: ({bytes}) => byteSize(bytes)},
		{name: 'messages', isNumber: true, show: ({messages}) => safe`${messages}`},
		{name: 'oldest', show: ({oldestAt}) => ago(oldestAt)},
		{name: 'used', show: ({usedAt}) => ago(usedAt)},
	];
}

function targetOf(flags: Flags): number | undefined {
	const text = flags.text('to');
	if (text === undefined) return undefined;
	const bytes = parseByteCount(text);
	if (bytes === undefined) throw new UsageError(`--to is ${text}: it must be a size such as 500 MB`);
	return bytes;
}

function isWanted({signal}: CommandContext, {cache}: Database, goal: number): Promise<boolean> {
	const {used} = cache.size();
	return confirm(
		`${byteSize(used)} used. Remove cached messages down to ${byteSize(goal)}? They can be read from the service again.`,
		signal,
	);
}

function bytesOf(file: string): number {
	const sizes = ['', ...sideFiles].map(suffix => statSync(file + suffix, {throwIfNoEntry: false})?.size ?? 0);
	return sizes.reduce((sum, size) => sum + size, 0);
}
