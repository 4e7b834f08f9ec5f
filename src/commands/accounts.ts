import {existsSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {isEmptyDatabase, keptIn, withDatabase} from '../account-files.ts';
import {chooseAccount, findKnownAccount, isOpenedByKey} from '../accounts.ts';
import {ConfigError} from '../config/config.ts';
import {loadConfig} from '../config/settings.ts';
import {analyticsOrganization} from '../db/analytics.ts';
import type {Database, Machine} from '../db/database.ts';
import {type Account, accountName, type Kept, noAccount} from '../domain/accounts/account.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {type Safe, safe} from '../text/cells/safe.ts';
import {age} from '../text/values/times.ts';
import {agrees} from './cli/confirm.ts';
import type {CommandContext, CommandRun} from './cli/context.ts';
import {type ExitCode, exitCodes, NothingFoundError} from './cli/errors.ts';
import {requireWhole, requireWritable} from './cli/require-storage.ts';
import {limitOf, printList, type RowFormat} from './output/print-rows.ts';
import {strings} from './strings.ts';

const {accounts: text} = strings;

/** What `accounts use` takes for an account that doesn't exist yet. */
const newAccountWord = 'new';

/** Commands that list and manage the accounts stored on this machine, by service and organization. */
export const accounts = {
	async list(context) {
		const limit = limitOf(context);
		return withMachine(context, async (machine, stateFolder) => {
			const {output, clock} = context;
			const found = machine.accounts
				.all()
				.map(account => ({account, ...contentsOf(machine, stateFolder, account)}))
				.filter(({account, isEmpty}) => account.id !== noAccount || !isEmpty);
			await printList(context, accountFormat(clock.now()), found.slice(0, limit));
			const unread = found.filter(({problem}) => problem !== undefined);
			for (const {account, problem} of unread) output.note(text.unread(account.id, problem));
			return unread.length > 0 ? exitCodes.refused : exitCodes.done;
		});
	},

	async use(context) {
		const {args, output, input} = context;
		const [id = ''] = args;
		const config = await loadConfig(input);
		const {service} = config;
		if (!service) throw new ConfigError(text.noKey);
		return withMachine(context, machine => {
			if (id !== newAccountWord) requireAccount(machine, id);
			requireWritable(machine);
			const before = findKnownAccount(machine, service);
			const used = chooseAccount(machine, config, service, id === newAccountWord ? undefined : id);
			if (output.isJson) output.json({id: used.id, quarterdeck: {isUsed: true}});
			else output.text(cleanLine(text.used(accountName(used))));
			if (before && !isOpenedByKey(machine, before)) output.note(text.unopened(before.id));
			return exitCodes.done;
		});
	},

	forget: context =>
		withMachine(context, async (machine, stateFolder) => {
			const {args, flags, output} = context;
			const [id = ''] = args;
			const account = requireAccount(machine, id);
			requireWritable(machine);
			const {unsent, problem} = contentsOf(machine, stateFolder, account);
			if (problem !== undefined && !flags.is('discard-unsent')) {
				output.note(text.unsentUnknown(problem));
				return exitCodes.refused;
			}
			if (unsent > 0 && !flags.is('discard-unsent')) {
				output.note(text.unsent(unsent));
				return exitCodes.refused;
			}
			if (!(await agrees(context, text.question(accountName(account))))) {
				output.note(text.unchanged);
				return exitCodes.refused;
			}
			// Remove the record first: without one no program posts the account's messages, even one that has it
			// open.
			machine.accounts.remove(id);
			removeFiles(stateFolder, account);
			if (output.isJson) output.json({id, quarterdeck: {isForgotten: true}});
			else output.text(cleanLine(text.forgot(accountName(account))));
			return exitCodes.done;
		}),
} satisfies Record<string, CommandRun>;

async function withMachine(
	{wiring}: CommandContext,
	use: (machine: Machine, stateFolder: string) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
	const parts = await wiring();
	const machine = await parts.machine();
	requireWhole(machine);
	return use(machine, parts.config.stateFolder);
}

function requireAccount({accounts}: Machine, id: string): Account {
	const account = accounts.get(id);
	if (account) return account;
	throw new NothingFoundError(text.unknown(id));
}

type Contents = Kept & {
	readonly computers: number;
	readonly organization?: string | undefined;
	/** Why these counts aren't known. */
	readonly problem?: string | undefined;
	readonly isEmpty: boolean;
};

const noContents: Contents = {sessions: 0, computers: 0, drafts: 0, unsent: 0, isEmpty: true};

function contentsOf(machine: Machine, stateFolder: string, account: Account): Contents {
	if (!existsSync(join(stateFolder, account.file))) return noContents;
	return withDatabase(machine, stateFolder, account, database => contentsIn(database, account));
}

function contentsIn(database: Database, account: Account): Contents {
	const {computers, settings, isPartial, problem} = database;
	const analyticsName = settings.get(analyticsOrganization);
	const organization =
		account.organization ?? (typeof analyticsName === 'string' ? analyticsName : undefined);
	return {
		...keptIn(database),
		computers: computers.all().length,
		organization,
		problem: isPartial ? problem : undefined,
		isEmpty: isEmptyDatabase(database),
	};
}

type Found = {readonly account: Account} & Contents;

function accountJson({account, organization, problem, ...contents}: Found): object {
	const {id, kind, address, profile, createdAt, usedAt, file} = account;
	const known = problem === undefined ? contents : {problem};
	return {id, quarterdeck: {kind, address, organization, profile, createdAt, usedAt, file, ...known}};
}

function count({problem, ...counts}: Found, name: 'sessions' | 'drafts' | 'unsent'): Safe {
	return problem === undefined ? safe`${counts[name]}` : safe`?`;
}

const accountFormat = (now: number): RowFormat<Found> => ({
	objectOf: accountJson,
	fitsTerminal: true,
	columns: [
		{name: 'id', show: ({account}) => cleanLine(account.id)},
		{name: 'service', rank: 0, show: ({account}) => serviceText(account)},
		{name: 'organization', rank: 0, show: ({organization}) => cleanLine(organization ?? '-')},
		{name: 'profile', rank: 0, show: ({account}) => cleanLine(account.profile ?? '-')},
		{
			name: 'sessions',
			isNumber: true,
			rank: 1,
			show: found => count(found, 'sessions'),
		},
		{name: 'drafts', isNumber: true, show: found => count(found, 'drafts')},
		{name: 'unsent', isNumber: true, show: found => count(found, 'unsent')},
		{name: 'used', rank: 1, show: ({account}) => age(now - account.usedAt)},
	],
});

function serviceText({kind, address}: Account): Safe {
	return cleanLine(kind === 'local' ? text.embedded : (address ?? '-'));
}

/** Removes the database, sqlite's files beside it, and its folder if the database has its own in `accounts`. */
function removeFiles(stateFolder: string, account: Account): void {
	const file = join(stateFolder, account.file);
	// Last the database itself: a program that opened it without finding it would recover what the log holds.
	for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(file + suffix, {force: true});
	const folder = dirname(file);
	if (dirname(folder) === join(stateFolder, 'accounts')) rmSync(folder, {recursive: true, force: true});
}
