import {resolve} from 'node:path';
import {patchSession, postSession, tagsToSend} from '../../actions/fleet.ts';
import {isServiceError, NotFoundError, RejectedError} from '../../api/errors.ts';
import {type Database, isWholeListing} from '../../db/database.ts';
import {isOutsideService, isWatched, type KnownSession, messageCountOf, routeOf} from '../../domain/known.ts';
import {maskSecrets} from '../../domain/masking.ts';
import {ownEntry} from '../../domain/objects.ts';
import {
	permissionModes,
	type SessionPatch,
	type SessionSettingsPatch,
} from '../../domain/sessions/session.ts';
import {asPatch, type WorkingDiff} from '../../domain/sessions/work-folder.ts';
import {isDateTime} from '../../domain/time.ts';
import {isServiceGone} from '../../embedded-service.ts';
import {type SessionRow, sessionColumns, sessionRow} from '../../state/sessions/session-columns.ts';
import {computerName, type SessionItem} from '../../state/sessions/session-items.ts';
import {stateName, stateNames} from '../../state/sessions/session-look.ts';
import {cleanText} from '../../text/cells/clean.ts';
import type {CommandContext, CommandRun} from '../cli/context.ts';
import {changing, type ExitCode, exitCodes, NothingFoundError, UsageError} from '../cli/errors.ts';
import type {Flags} from '../cli/parse.ts';
import {CommandRegistry, type Connected, checkId, connect, flaggedComputer, forget} from '../cli/registry.ts';
import {showSaved, writableDatabase} from '../cli/require-storage.ts';
import {cliStrings} from '../cli/strings.ts';
import {type Output, printResult} from '../output/output.ts';
import {checkFormat, limitOf, outputColumns, printList, type RowFormat} from '../output/print-rows.ts';
import {agentRequests} from './agent-requests.ts';
import {itemJson, itemsOf, type SessionItems, savedItems} from './session-states.ts';
import {strings} from './strings.ts';

export const sessions = {
	async list(context) {
		checkFormat(context);
		const limit = limitOf(context);
		const isWhole = !context.flags.is('refresh') || (await refresh(context));
		const parts = await context.wiring();
		const database = await parts.database();
		const known = database.sessions.all();
		// Hooks make sessions known without a service.
		if (known.length === 0) parts.requireService();
		const now = context.clock.now();
		const {config} = parts;
		const {unreadNeedsYou} = config;
		const items = savedItems({database, unreadNeedsYou, now, isServiceGone: isServiceGone(config)});
		const isWanted = wantedBy(context.flags);
		refuseUnknownComputer(context.flags.text('computer'), items, database);
		const needsYou = context.flags.is('needs-you');
		// Needs you has an order of its own.
		const order = [...items.keys()];
		const inOrder = needsYou ? known.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)) : known;
		const rows = inOrder
			.filter(({id}) => isWanted(items.get(id)))
			.slice(0, limit)
			.map(one => listedSession(one, items, database));
		const none =
			known.length === 0 ? strings.noSessions : needsYou ? strings.noneNeedsYou : strings.noMatches;
		const code = await showSaved(context, known.length === 0, () =>
			printList(context, {...sessionFormat(now), none}, rows),
		);
		return isWhole ? code : exitCodes.refused;
	},

	async create(context) {
		const {flags, signal} = context;
		if (flags.text('computer-id') === undefined)
			throw new UsageError(cliStrings.usage.missingFlags(['--computer-id'], 'sessions create'));
		const values = {
			cwd: flags.text('cwd'),
			sessionSettings: await settingsOf(context),
			agent: flags.text('agent'),
			mode: flags.choice('mode', permissionModes),
			worktree: flags.is('worktree') || (flags.isNegated('worktree') ? false : undefined),
		};
		const connection = await connect(context);
		const draft = {computerId: flaggedComputer(context, connection.registry) ?? '', ...values};
		const {sessionId} = await changing(strings.mayExist, () => postSession(connection, draft, {signal}));
		await printResult(context, strings.created(sessionId), () => show(context, connection, sessionId));
		return exitCodes.done;
	},

	async continue(context) {
		const {args, flags, signal} = context;
		const isInterrupted = flags.is('interrupted');
		if (isInterrupted === args.length > 0) throw new UsageError(strings.idOrInterrupted);
		const connection = await connect(context);
		if (isInterrupted) return continueCutOff(context, connection);
		const fleet = connection.registry.current();
		const id = args[0] ?? '';
		const signalOfId = [...fleet.signals.values()].find(({sessionId}) => sessionId === id);
		if (!signalOfId && fleet.sessions.has(id))
			throw new RejectedError(`${strings.notOutside}.`, {hint: strings.nothingCreated});
		if (!signalOfId) throw new NothingFoundError(cliStrings.registry.unknown('session', id));
		const {continuation} = await import('../../actions/outside-sessions.ts');
		const values = await continuation(fleet, signalOfId);
		if (typeof values === 'string') throw new RejectedError(`${values}.`, {hint: strings.nothingCreated});
		const [first = ''] = fleet.computers.keys();
		const draft = {computerId: flaggedComputer(context, connection.registry) ?? first, ...values};
		const {sessionId} = await changing(strings.mayExist, () => postSession(connection, draft, {signal}));
		await printResult(context, strings.created(sessionId), () => show(context, connection, sessionId));
		return exitCodes.done;
	},

	get: context => update(context, undefined),

	async update(context) {
		const mode = context.flags.choice('mode', permissionModes);
		const settings = await settingsOf(context);
		return update(context, mode ? {...settings, mode} : settings);
	},

	async add(context) {
		const database = await writableDatabase(context);
		const registry = new CommandRegistry(database, context);
		const {config} = await context.wiring();
		const details = {computerId: flaggedComputer(context, registry)};
		const ids = context.args.map(id => id.trim());
		if (ids.includes('')) throw new UsageError(cliStrings.usage.emptyId);
		for (const id of ids) {
			const known = registry.session(id);
			if (known && isOutsideService(known)) continue;
			const query = {limit: 1, computerId: details.computerId ?? known?.computerId};
			await checkId(context, id, ({messages}, options) => messages.list(id, query, options));
		}
		for (const id of ids) registry.addSession(id, 'added', details);
		await show(context, {database, registry, config}, ...ids);
		return exitCodes.done;
	},

	// Reading in the background needs much code, which the other verbs don't load.
	watch: async context => (await import('./sessions-watch.ts')).watchSessions(context),

	wait: async context => (await import('./sessions-wait.ts')).waitForSession(context),

	forget: context => forget(context, 'sessions'),

	...agentRequests,

	async diff(context) {
		const {args, flags, output, signal} = context;
		const {service} = await connect(context);
		const isSinceBase = flags.is('base');
		const diff = await service.workFolders.diff(args[0] ?? '', {signal, isSinceBase});
		if (output.isJson) output.json(maskSecrets(diff));
		else printDiff(diff, output);
		return diff.problem === undefined ? exitCodes.done : exitCodes.refused;
	},

	async 'remove-worktree'(context) {
		const {args, flags, output, signal} = context;
		const {service} = await connect(context);
		const isForced = flags.is('force');
		const removal = await changing(strings.mayBeRemoved, () =>
			service.workFolders.removeWorktree(args[0] ?? '', {isForced}, {signal}),
		);
		const {isRemoved, branch = '', isBranchKept, changes = 0, commits = 0} = removal;
		if (output.isJson) output.json(removal);
		else if (isRemoved) output.note(strings.worktreeRemoved(branch, isBranchKept === true));
		else output.note(strings.worktreeKept(branch, changes, commits));
		return isRemoved ? exitCodes.done : exitCodes.refused;
	},
} satisfies Record<string, CommandRun>;

/** Reads each session that a screen would read in the background. False if it can't read one, which it names. */
async function refresh(context: CommandContext): Promise<boolean> {
	const connection = await connect(context);
	const {registry} = connection;
	const {sessions, computers} = registry.current();
	let isWhole = true;
	const miss = (id: string, problem: string) => {
		isWhole = false;
		context.output.note(strings.unread(id, problem));
	};
	for (const known of sessions.values()) {
		const {id} = known;
		const computer = computers.get(routeOf(known) ?? '')?.computer;
		if (!isWatched(known)) continue;
		if (computer?.unreachableSince !== undefined) {
			miss(id, strings.unreachable);
			continue;
		}
		try {
			// For the embedded service, this is no write.
			if (connection.isEmbedded()) await patchSession(connection, id, undefined, context);
			await readActivity(context, connection, id);
		} catch (error) {
			const isOfSession = error instanceof NotFoundError || error instanceof RejectedError;
			if (!isOfSession) throw error;
			miss(id, error.what);
		}
	}
	return isWhole;
}

/** Reads a session's newest messages for its state. This needs much code, which the other verbs don't load. */
async function readActivity(context: CommandContext, connection: Connected, id: string): Promise<void> {
	await (await import('../messages/read-activity.ts')).readActivity(context, connection, id);
}

/** Which sessions the flags of the list ask for. Throws `UsageError`. */
function wantedBy(flags: Flags): (item: SessionItem | undefined) => boolean {
	const states = flags.text('state')?.split(',');
	for (const state of states ?? [])
		if (!stateNames.some(name => name === state))
			throw new UsageError(cliStrings.usage.wrongValue('--state', state, strings.states(stateNames)));
	const computer = flags.text('computer');
	const tags = flags.list('tag');
	const needsYou = flags.is('needs-you');
	if (!states && computer === undefined && tags.length === 0 && !needsYou) return () => true;
	return item =>
		item !== undefined &&
		(!needsYou || item.group === 'needs') &&
		(states === undefined || states.includes(stateName(item))) &&
		(computer === undefined || [item.computerId, item.computerName].includes(computer)) &&
		tags.every(tag => item.known?.session?.sessionSettings?.tags?.some(({name}) => name === tag));
}

/** Throws `NothingFoundError` for a computer that no list shows. */
function refuseUnknownComputer(word: string | undefined, items: SessionItems, {computers}: Database): void {
	if (word === undefined) return;
	const ids = new Map(computers.all().map(one => [one.id, one]));
	const isKnown =
		[...ids.values()].some(({id}) => [id, computerName(ids, id)].includes(word)) ||
		[...items.values()].some(({computerId, computerName: name}) => [computerId, name].includes(word));
	if (!isKnown) throw new NothingFoundError(cliStrings.registry.unknown('computer', word));
}

/** Continues what the end of the embedded service cut off, and prints these sessions. */
async function continueCutOff(context: CommandContext, connection: Connected): Promise<ExitCode> {
	const {service, registry} = connection;
	const call = () => service.runningService.settleCutOff(true, {signal: context.signal});
	const ids = await changing(strings.mayContinue, call);
	for (const id of ids) registry.addSession(id, 'created');
	if (ids.length === 0) context.output.note(strings.noneInterrupted);
	await printResult(context, strings.continued(ids.length), () => show(context, connection, ...ids));
	return exitCodes.done;
}

/**
 * Updates a session and prints it. An update without settings is the only way to read a session; a note then says
 * that it was an update.
 */
async function update(
	context: CommandContext,
	changes: (SessionSettingsPatch & Pick<SessionPatch, 'mode'>) | undefined,
): Promise<ExitCode> {
	const {
		args: [id = ''],
		output,
		signal,
	} = context;
	const connection = await connect(context);
	const tags =
		context.flags.list('tag').length > 0 &&
		(await tagsToSend(connection, id, context.flags.list('tag'), {signal}));
	const patch = () => patchSession(connection, id, changes && {...changes, ...(tags && {tags})}, {signal});
	const {session, lost} = await (changes ? changing(strings.mayBeUpdated(id), patch) : patch());
	const print = () => show(context, connection, session.sessionId);
	if (!changes) {
		if (!connection.isEmbedded()) output.note(strings.readByUpdate);
		// The session was read: if its messages can't be, its state is the one last known.
		await readActivity(context, connection, session.sessionId).catch(error => {
			if (!isServiceError(error) || signal.aborted) throw error;
			output.note(strings.stateUnread(error.what));
		});
	}
	if (lost.length > 0) output.note(strings.lostSettings(lost.join(', ')));
	await (changes ? printResult(context, strings.updated(session.sessionId), print) : print());
	return exitCodes.done;
}

/**
 * The settings set by flags; undefined when there are none. A list replaces the old one; a negated
 * list is sent empty.
 */
async function settingsOf({flags, system}: CommandContext): Promise<SessionSettingsPatch | undefined> {
	const flagged: SessionSettingsPatch = {
		model: flags.text('model'),
		specModeModel: flags.text('spec-mode-model'),
		archivedAt: archivedAtOf(flags),
		tags: listOf(flags, 'tag')?.map(name => ({name})),
		enabledToolIds: listOf(flags, 'enabled-tool-id'),
		disabledToolIds: listOf(flags, 'disabled-tool-id'),
	};
	const settings: SessionSettingsPatch = Object.fromEntries(
		Object.entries(flagged).filter(([, value]) => value !== undefined),
	);
	const json = flags.text('settings');
	if (json === undefined) return Object.keys(settings).length > 0 ? settings : undefined;
	const others = await settingsIn(json, system.folder);
	const twice = Object.keys(settings).find(name => name in others);
	if (twice !== undefined) throw new UsageError(cliStrings.usage.givenTwice(twice, '--settings'));
	return {...settings, ...others};
}

/** The settings of `--settings`. Its code is loaded only for that. */
async function settingsIn(value: string, folder: string): Promise<SessionSettingsPatch> {
	const [{readFile}, {checkSettings}] = await Promise.all([
		import('node:fs/promises'),
		import('../../api/sessions.ts'),
	]);
	const {notJson, unreadableFile} = cliStrings.usage;
	const text = value.startsWith('@')
		? await readFile(resolve(folder, value.slice(1))).catch((cause: Error) => {
				throw new UsageError(unreadableFile('--settings', cause.message), {cause});
			})
		: value;
	let parsed: unknown;
	try {
		// The decoder drops a byte order mark.
		parsed = JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text));
	} catch (cause) {
		throw new UsageError(notJson('--settings'), {cause});
	}
	return checkSettings(parsed, '--settings');
}

function listOf(flags: Flags, name: string): readonly string[] | undefined {
	if (flags.isNegated(name)) return [];
	const values = flags.list(name);
	return values.length > 0 ? values : undefined;
}

function archivedAtOf(flags: Flags): string | undefined {
	const text = flags.text('archived-at');
	if (text === undefined || isDateTime(text)) return text;
	throw new UsageError(cliStrings.usage.wrongValue('--archived-at', text, strings.timeFormat));
}

async function show(
	context: CommandContext,
	{database, registry, config}: Pick<Connected, 'database' | 'registry' | 'config'>,
	...ids: readonly string[]
): Promise<void> {
	const known = ids.flatMap(id => registry.session(id) ?? []);
	const now = context.clock.now();
	const items = itemsOf(registry.current(), {database, unreadNeedsYou: config.unreadNeedsYou, now});
	const rows = known.map(one => listedSession(one, items, database));
	if (rows.length > 0) await printList(context, sessionFormat(now), rows);
}

const sessionFormat = (now: number): RowFormat<ListedSession> => ({
	objectOf: ({known, item}) => itemJson(known, item),
	isMasked: true,
	none: strings.noSessions,
	fitsTerminal: true,
	columns: outputColumns(sessionColumns, {now}),
});

type ListedSession = SessionRow & {readonly known: KnownSession};

/** A session as the screen lists it, with the number of its messages that are stored here, if the service told none. */
function listedSession(known: KnownSession, items: SessionItems, {messages}: Database): ListedSession {
	const {id} = known;
	const item = items.get(id) ?? {kind: 'session', id, name: '-', state: 'unknown', group: 'idle', known};
	const row = {...sessionRow(item), known};
	const stored = messageCountOf(known) === undefined ? messages.count(id) : 0;
	if (stored === 0) return row;
	if (isWholeListing(messages.peek(id, 0).listing)) return {...row, messages: stored, hasMoreMessages: false};
	return {...row, messages: Math.max(stored, row.messages ?? 0), hasMoreMessages: true};
}

function printDiff({problem, detail, files = [], leftOut}: WorkingDiff, output: Output): void {
	if (problem !== undefined) {
		const words = ownEntry(strings.noDiff, problem) ?? strings.noDiff.failed;
		output.note(detail === undefined ? words : `${words}: ${detail}`);
	}
	for (const file of files) {
		if (file.isBinary) output.note(strings.binaryChanged(file.path));
		else {
			const patch = asPatch([file]).replace(/\n$/, '');
			output.line(cleanText(patch, {maxLength: Number.POSITIVE_INFINITY, isDrawn: false}));
		}
		if (file.isCut) output.note(strings.diffCut(file.path));
	}
	if (leftOut) output.note(strings.filesLeftOut(leftOut));
}
