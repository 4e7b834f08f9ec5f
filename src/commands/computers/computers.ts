import {machineParts, removeMachine, requestComputer} from '../../actions/fleet.ts';
import {leaveMachine} from '../../actions/machines.ts';
import type {CallOptions} from '../../api/client.ts';
import {NotFoundError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import {userName} from '../../config/user-name.ts';
import type {Database} from '../../db/database.ts';
import {
	type Computer,
	commandProblem,
	commandWords,
	hostProblem,
	hostTitle,
	type MachineHost,
	providerTypes,
} from '../../domain/computers/computer.ts';
import {type Progress, progress} from '../../domain/computers/provisioning.ts';
import {nameLength} from '../../domain/limits.ts';
import {type ComputerRow, computerColumns, computerRow} from '../../state/computers/computer-columns.ts';
import {type ComputerItem, computerItems} from '../../state/computers/computer-items.ts';
import type {Fleet} from '../../state/fleet.ts';
import {isWaiting} from '../../state/lists/lists.ts';
import {jsonOf} from '../../state/rows/column.ts';
import {sessionsOn} from '../../state/sessions/session-counts.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {agrees} from '../cli/confirm.ts';
import type {CommandContext, CommandRun} from '../cli/context.ts';
import {changing, type ExitCode, exitCodes, UsageError} from '../cli/errors.ts';
import type {Flags} from '../cli/parse.ts';
import {CommandRegistry, type Connected, checkId, connect, forget, namedComputer} from '../cli/registry.ts';
import {serviceDatabase, showSaved, writableDatabase} from '../cli/require-storage.ts';
import {cliStrings} from '../cli/strings.ts';
import {computerJson, relayOf} from '../output/json-output.ts';
import {printResult} from '../output/output.ts';
import {checkFormat, limitOf, outputColumns, printList, type RowFormat} from '../output/print-rows.ts';
import {outboxOnDisk} from '../send/outbox.ts';
import {type ItemSources, itemsOf, savedFleet, savedMarks} from '../sessions/session-states.ts';
import {watchComputer} from './computers-watch.ts';
import {strings} from './strings.ts';

export const computers = {
	async list(context) {
		checkFormat(context);
		const limit = limitOf(context);
		const database = await serviceDatabase(context);
		const parts = await context.wiring();
		const {unreadNeedsYou, mode} = parts.config;
		// The embedded service has this machine from its first start on.
		const known = database.computers.all();
		const isUnread = known.length === 0 || known.some(({computer}) => computer === undefined);
		if (mode === 'local' && isUnread) await readComputers(await connect(context), context.signal);
		const now = context.clock.now();
		const sources = {database, unreadNeedsYou, now};
		const rows = [...rowsOf(savedFleet(sources), sources).values()];
		const format = computerFormat(database, now);
		return showSaved(context, rows.length === 0, () => printList(context, format, rows.slice(0, limit)));
	},

	get: context => requestAndShow(context, (computers, id, options) => computers.get(id, options)),

	async create(context) {
		const {flags} = context;
		const repos = flags.list('repo');
		const host = hostOf(flags);
		const missing = ['name', 'remote-user'].filter(flag => !host && flags.text(flag) === undefined);
		if (missing.length > 0)
			throw new UsageError(
				cliStrings.usage.missingFlags(
					missing.map(flag => `--${flag}`),
					'computers create',
				),
			);
		const draft = {
			name: flags.text('name') ?? shortened(host ? hostTitle(host) : ''),
			// Another machine says itself who that is.
			remoteUser: flags.text('remote-user') ?? shortened(userName()),
			host,
			provider: flags.choice('provider', providerTypes),
			hostId: flags.text('host-id'),
			repos: repos.length > 0 ? repos : undefined,
			autoInstallDeps: installsDeps(flags, repos),
		};
		if (host && !(await agrees(context, strings.copies(hostTitle(host))))) return exitCodes.refused;
		return requestAndShow(
			context,
			(computers, _, options) => changing(strings.mayExist, () => computers.create(draft, options)),
			strings.created,
		);
	},

	update(context) {
		const {flags} = context;
		const patch = {
			name: flags.text('name'),
			hostId: flags.text('host-id'),
			remoteUser: flags.text('remote-user'),
		};
		if (Object.values(patch).every(value => value === undefined))
			throw new UsageError(strings.nothingToChange);
		return requestAndShow(
			context,
			(computers, id, options) =>
				changing(strings.mayBeUpdated(id), () => computers.update(id, patch, options)),
			strings.updated,
		);
	},

	'install-deps': context =>
		requestAndShow(
			context,
			(computers, id, options) => changing(strings.installMayRun, () => computers.installDeps(id, options)),
			strings.installStarted,
		),

	watch: watchComputer,

	async add(context) {
		const database = await writableDatabase(context);
		const {config} = await context.wiring();
		const registry = new CommandRegistry(database, context);
		const ids = context.args.map(id => id.trim());
		if (ids.includes('')) throw new UsageError(cliStrings.usage.emptyId);
		const read = new Map<string, Computer>();
		for (const id of ids)
			await checkId(context, id, async ({computers}, options) => {
				read.set(id, await computers.get(id, options));
			});
		for (const id of ids) {
			registry.addComputer(id, 'added');
			const computer = read.get(id);
			if (computer) registry.recordComputer({...computer, id}, 'added');
		}
		await show(context, {database, registry, config}, ids);
		return exitCodes.done;
	},

	connect: context =>
		requestAndShow(context, (computers, id, options) => computers.connect(id, options), strings.connecting),

	async forget(context) {
		const {args, flags, signal} = context;
		const database = await (await context.wiring()).database();
		const registry = new CommandRegistry(database, context, write => write());
		const known = registry.computer(namedComputer(registry, args[0] ?? ''));
		if (known?.computer?.host) {
			const removes = flags.is('remove');
			const parts = () => machineParts(registry.current(), database.outbox.all(), known.id);
			if (removes && !(await agrees(context, strings.removes(known.computer.name, parts().words))))
				return exitCodes.refused;
			const {service} = await connect(context);
			const hasLeft = await leaveMachine(service, known.id, removes, {signal});
			removeMachine(registry, outboxOnDisk(database), known.id, parts());
			const isRemoved = removes && hasLeft;
			const name = known.computer.name ?? known.id;
			if (context.output.isJson)
				context.output.json({id: known.id, quarterdeck: {isForgotten: true, isRemoved}});
			else if (isRemoved) context.output.text(cleanLine(strings.removed(name)));
			else context.output.text(cleanLine((removes ? strings.notRemoved : strings.left)(name)));
			return exitCodes.done;
		}
		if (flags.is('remove')) throw new UsageError(strings.notAMachine);
		return forget(context, 'computers');
	},
} satisfies Record<string, CommandRun>;

/** As in the form: by default, dependencies are installed if there are repositories; else the service decides. */
function installsDeps(flags: Flags, repos: readonly string[]): boolean | undefined {
	if (flags.isNegated('auto-install-deps')) return false;
	return flags.is('auto-install-deps') || repos.length > 0 || undefined;
}

type Call = (computers: Service['computers'], id: string, options: CallOptions) => Promise<Computer>;

/** Reads the computers that the service told of when it was reached. */
async function readComputers(connection: Connected, signal: AbortSignal): Promise<void> {
	for (const {id, computer} of connection.registry.current().computers.values()) {
		if (computer) continue;
		try {
			await requestComputer(connection, computers => computers.get(id, {signal}), id);
		} catch (error) {
			// It is listed as not read.
			if (!(error instanceof NotFoundError)) throw error;
		}
	}
}

/** Makes a call that returns a computer, saves the computer and prints it. `done`: what the call changed. */
async function requestAndShow(
	context: CommandContext,
	call: Call,
	done?: (id: string) => string,
): Promise<ExitCode> {
	const {args, flags, signal} = context;
	const connection = await connect(context);
	const [word] = args;
	const id = word === undefined ? undefined : namedComputer(connection.registry, word);
	const computer = await requestComputer(connection, computers => call(computers, id ?? '', {signal}), id);
	const relay = flags.is('show-relay-urls') ? relayOf(computer) : {};
	const print = () => show(context, connection, [computer.id], relay);
	await (done ? printResult(context, done(computer.id), print) : print());
	return exitCodes.done;
}

/** The other machine that flags name. Throws `UsageError`. */
function hostOf(flags: Flags): MachineHost | undefined {
	const ssh = flags.text('ssh');
	const command = flags.text('command');
	if (ssh !== undefined && command !== undefined) throw new UsageError(strings.oneHost);
	const [flag, problem] =
		command === undefined ? ['--ssh', hostProblem(ssh ?? '')] : ['--command', commandProblem(command)];
	if (problem !== undefined) throw new UsageError(`${flag} ${problem}`);
	if (ssh !== undefined) return {ssh};
	return command === undefined ? undefined : {command: commandWords(command)};
}

/** A name that is short enough for a computer or its user. */
function shortened(text: string): string {
	return [...text].slice(0, nameLength.max).join('');
}

async function show(
	context: CommandContext,
	{database, registry, config}: Pick<Connected, 'database' | 'registry' | 'config'>,
	ids: readonly string[],
	relay: ReturnType<typeof relayOf> = {},
): Promise<void> {
	const {output, clock} = context;
	const {unreadNeedsYou} = config;
	const known = rowsOf(registry.current(), {database, unreadNeedsYou, now: clock.now()});
	const rows = ids.flatMap(id => known.get(id) ?? []);
	if (rows.length === 0) return;
	await printList(context, computerFormat(database, clock.now(), relay), rows);
	if (output.isJson) return;
	for (const [name, url] of Object.entries(relay))
		output.line(safe`${cleanLine(name)}  ${cleanLine(url, 4096)}`);
}

function rowsOf(
	fleet: Pick<Fleet, 'computers' | 'sessions' | 'signals'>,
	sources: ItemSources,
): ReadonlyMap<string, ComputerRow> {
	const {database, now} = sources;
	const sessions = [...itemsOf(fleet, sources).values()];
	const items = computerItems(
		{computers: fleet.computers, problems: new Map()},
		savedMarks(database, now),
		name => database.durations.median(name),
	);
	const rowOf = (item: ComputerItem) =>
		// Nothing here follows a first start: what is known is that it wasn't read yet.
		computerRow(
			{...item, isStarting: false},
			{
				...sessionsOn(sessions, item.id),
				elapsed: progressOf(database, item, now).elapsed,
			},
		);
	return new Map(items.map(item => [item.id, rowOf(item)]));
}

function progressOf({durations}: Database, {id, known}: ComputerItem, now: number): Progress {
	return progress(known.computer ?? {id}, name => durations.median(name), now);
}

const computerFormat = (
	database: Database,
	now: number,
	relay: ReturnType<typeof relayOf> = {},
): RowFormat<ComputerRow> => ({
	objectOf: row =>
		computerJson(row.item.known, relay, {
			...jsonOf(computerColumns, row),
			needsYou: isWaiting(row.item),
		}),
	isMasked: true,
	none: strings.noComputers,
	fitsTerminal: true,
	columns: outputColumns(computerColumns, {
		now,
		progressOf: ({item}) => progressOf(database, item, now),
	}),
});
