import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {CachedSession} from '../db/cache.ts';
import type {Database} from '../db/database.ts';
import {bytesOnDisk} from '../db/file/open-file.ts';
import {accountName} from '../domain/accounts/account.ts';
import {isWatched} from '../domain/known.ts';
import {parseByteCount} from '../domain/numbers.ts';
import {localFolder} from '../embedded-service.ts';
import {databaseFile} from '../local/service-files.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {safe} from '../text/cells/safe.ts';
import {byteSize, storedSize} from '../text/values/numbers.ts';
import {age} from '../text/values/times.ts';
import {confirm} from './cli/confirm.ts';
import type {CommandContext, CommandRun} from './cli/context.ts';
import {exitCodes, UsageError} from './cli/errors.ts';
import type {Flags} from './cli/parse.ts';
import {requireWhole, requireWritable} from './cli/require-storage.ts';
import {cliStrings} from './cli/strings.ts';
import {limitOf, type OutputColumn, printTable} from './output/print-rows.ts';
import {savedNames} from './sessions/session-states.ts';
import {strings} from './strings.ts';

const {storage: text} = strings;

export const storage = {
	async ''(context) {
		const {wiring, output, clock} = context;
		const shown = limitOf(context);
		const parts = await wiring();
		const {config} = parts;
		const database = await parts.database();
		requireWhole(database);
		const sessions = database.cache.sessions().slice(0, shown);
		const {account} = await parts.account();
		const file = join(config.stateFolder, account.file);
		const others = (await parts.machine()).accounts
			.all()
			.map(one => join(config.stateFolder, one.file))
			.filter(other => other !== file && existsSync(other));
		const service = databaseFile(localFolder(config));
		const hasService = existsSync(service);
		const more = [...others, ...(hasService ? [service] : [])];
		const size = existsSync(file) ? database.cache.size() : {used: 0, free: 0};
		const stored = {...size, limit: config.storageLimit};
		const bytes = bytesOnDisk(file);
		if (output.isJson) {
			output.json({account: account.id, file, bytes, ...stored, sessions});
			for (const other of more) output.json({file: other, bytes: bytesOnDisk(other)});
			return exitCodes.done;
		}
		output.text(
			cleanLine(
				text.used({
					account: accountName(account),
					stored: storedSize(stored),
					onDisk: byteSize(bytes),
					file,
				}),
			),
		);
		printTable(output, sessionColumns(database, clock.now()), sessions);
		for (const other of others)
			output.text(cleanLine(text.otherAccount(byteSize(bytesOnDisk(other)), other)));
		if (hasService) output.text(cleanLine(text.embeddedService(byteSize(bytesOnDisk(service)), service)));
		const total = more.reduce((sum, other) => sum + bytesOnDisk(other), bytes);
		output.text(cleanLine(text.total(byteSize(total))));
		return exitCodes.done;
	},

	async prune(context) {
		const requestedSize = sizeOf(context.flags);
		const parts = await context.wiring();
		const {config} = parts;
		const database = await parts.database();
		requireWritable(database);
		const targetSize = requestedSize ?? config.storageLimit;
		if (!context.flags.is('yes') && !(await isConfirmed(context, database, targetSize)))
			return exitCodes.refused;
		// Without the log, which the next program truncates.
		const fileSize = () => {
			const {used, free} = database.cache.size();
			return used + free;
		};
		const before = fileSize();
		let pruned = 0;
		const watched = database.sessions.all().filter(isWatched);
		const ids = watched.map(({id}) => id);
		for (const sessionId of database.cache.prune(targetSize, ids)) {
			if (sessionId !== undefined) pruned++;
			if (context.signal.aborted) throw context.signal.reason;
		}
		const {used} = database.cache.size();
		const after = fileSize();
		if (context.output.isJson)
			context.output.json({sessions: pruned, before, after, used, target: targetSize});
		else context.output.text(cleanLine(text.pruned(pruned, byteSize(before), byteSize(after))));
		if (used <= targetSize) return exitCodes.done;
		context.output.note(text.overTarget);
		return exitCodes.refused;
	},
} satisfies Record<string, CommandRun>;

function sessionColumns(database: Database, now: number): OutputColumn<CachedSession>[] {
	const names = savedNames(database, now);
	const ago = (at: number | undefined) => age(at === undefined ? undefined : now - at);
	return [
		{name: 'session', show: ({sessionId}) => cleanLine(sessionId)},
		{
			name: 'title',
			show: ({sessionId}) => cleanLine(names.get(sessionId) ?? '-', 60),
		},
		{name: 'size', isNumber: true, show: ({bytes}) => byteSize(bytes)},
		{name: 'messages', isNumber: true, show: ({messages}) => safe`${messages}`},
		{name: 'oldest', show: ({oldestAt}) => ago(oldestAt)},
		{name: 'used', show: ({usedAt}) => ago(usedAt)},
	];
}

function sizeOf(flags: Flags): number | undefined {
	const size = flags.text('to');
	if (size === undefined) return undefined;
	const bytes = parseByteCount(size);
	if (bytes === undefined) throw new UsageError(cliStrings.usage.wrongValue('--to', size, text.size));
	return bytes;
}

function isConfirmed(context: CommandContext, {cache}: Database, targetSize: number): Promise<boolean> {
	const {used} = cache.size();
	return confirm(context, text.question(byteSize(used), byteSize(targetSize)), cliStrings.confirm.addYes);
}
