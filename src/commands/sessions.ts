import {addSessionId, patchSession, postSession} from '../actions/fleet.ts';
import {type KnownSession, titleOf} from '../domain/known.ts';
import {maskSecrets} from '../domain/masking.ts';
import {type AgentRequest, requestOptions} from '../domain/sessions/agent-request.ts';
import {type PermissionMode, permissionModes, type SessionSettingsPatch} from '../domain/sessions/session.ts';
import {isDateTime} from '../domain/time.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {type Safe, safe} from '../text/cells/safe.ts';
import {age} from '../text/values/times.ts';
import type {CommandContext, CommandRun} from './cli/context.ts';
import {type ExitCode, exitCodes, post, UsageError} from './cli/errors.ts';
import type {Flags} from './cli/parse.ts';
import {CommandRegistry, connect, forget} from './cli/registry.ts';
import {readableDatabase, writableDatabase} from './cli/require-storage.ts';
import {cliStrings} from './cli/strings.ts';
import {optionalField, sessionJson} from './output/json-output.ts';
import {limitOf, printList, type RowFormat} from './output/print-rows.ts';
import {strings} from './strings.ts';

export const sessions = {
	async list(context) {
		const limit = limitOf(context);
		const known = (await readableDatabase(context)).sessions.all();
		await printList(context, sessionFormat(context.clock.now()), known.slice(0, limit));
		return exitCodes.done;
	},

	async create(context) {
		const {flags, signal} = context;
		const computerId = flags.text('computer-id');
		if (computerId === undefined) {
			throw new UsageError(cliStrings.usage.missingFlag('--computer-id', 'sessions create'));
		}
		const cwd = flags.text('cwd');
		const settings = settingsOf(flags);
		const draft = {
			computerId,
			...optionalField('cwd', cwd),
			...optionalField('sessionSettings', settings),
			...optionalField('agent', flags.text('agent')),
			...optionalField('mode', modeOf(flags)),
		};
		const connection = await connect(context);
		const {sessionId} = await post(strings.sessions.mayExist, () => postSession(connection, draft, {signal}));
		await show(context, connection.registry.session(sessionId));
		return exitCodes.done;
	},

	get: context => update(context, undefined),

	update: context => update(context, settingsOf(context.flags)),

	async add(context) {
		const registry = new CommandRegistry(await writableDatabase(context), context);
		const details = optionalField('computerId', context.flags.text('computer-id'));
		const id = addSessionId(registry, context.args[0] ?? '', details);
		if (id === undefined) throw new UsageError(cliStrings.usage.emptyId);
		await show(context, registry.session(id));
		return exitCodes.done;
	},

	forget: context => forget(context, 'sessions'),

	async requests(context) {
		const {service} = await connect(context);
		const requests = await service.agentRequests.list(context.args[0], {signal: context.signal});
		await printList(context, requestFormat(context.clock.now()), requests);
		return exitCodes.done;
	},

	async answer(context) {
		const {flags, output, signal} = context;
		const [id = '', requestId = '', given = ''] = context.args;
		const option = requestOptions.find(each => each === given);
		if (option === undefined)
			throw new UsageError(cliStrings.usage.wrongValue('WORD', given, requestOptions.join(', ')));
		const values = {option, ...optionalField('words', flags.text('text'))};
		const {service} = await connect(context);
		const answered = await post(strings.sessions.mayBeAnswered, () =>
			service.agentRequests.answer(id, requestId, values, {signal}),
		);
		if (output.isJson) output.json(maskSecrets(answered));
		else output.note(strings.sessions.answered[option]);
		return exitCodes.done;
	},

	async interrupt(context) {
		const {args, output, signal} = context;
		const {service} = await connect(context);
		const isInterrupted = await service.agentRequests.interrupt(args[0] ?? '', {signal});
		if (output.isJson) output.json({interrupted: isInterrupted});
		else output.note(isInterrupted ? strings.sessions.interrupted : strings.sessions.noTurn);
		return exitCodes.done;
	},
} satisfies Record<string, CommandRun>;

/**
 * Updates a session and prints it. With no settings this is the only way to read a session, but it is still
 * an update, and the output says so.
 */
async function update(
	context: CommandContext,
	sessionSettings: SessionSettingsPatch | undefined,
): Promise<ExitCode> {
	const {
		args: [id = ''],
		output,
		signal,
	} = context;
	const connection = await connect(context);
	const {session, lost} = await patchSession(connection, id, sessionSettings, {signal});
	if (!sessionSettings) output.note(strings.sessions.readByUpdate);
	if (lost.length > 0) output.note(strings.sessions.lostSettings(lost.join(', ')));
	await show(context, connection.registry.session(session.sessionId));
	return exitCodes.done;
}

/**
 * The settings that the flags name; undefined when there are none. A list replaces the old one; a negated
 * list is sent empty.
 */
function settingsOf(flags: Flags): SessionSettingsPatch | undefined {
	const settings: SessionSettingsPatch = {
		...optionalField('model', flags.text('model')),
		...optionalField('specModeModel', flags.text('spec-mode-model')),
		...optionalField('archivedAt', archivedAtOf(flags)),
		...optionalField(
			'tags',
			listOf(flags, 'tag')?.map(name => ({name})),
		),
		...optionalField('enabledToolIds', listOf(flags, 'enabled-tool-id')),
		...optionalField('disabledToolIds', listOf(flags, 'disabled-tool-id')),
	};
	return Object.keys(settings).length > 0 ? settings : undefined;
}

function modeOf(flags: Flags): PermissionMode | undefined {
	return permissionModes.find(mode => mode === flags.text('mode'));
}

function listOf(flags: Flags, name: string): readonly string[] | undefined {
	if (flags.isDenied(name)) return [];
	const values = flags.list(name);
	return values.length > 0 ? values : undefined;
}

function archivedAtOf(flags: Flags): string | undefined {
	const text = flags.text('archived-at');
	if (text === undefined || isDateTime(text)) return text;
	throw new UsageError(cliStrings.usage.wrongValue('--archived-at', text, strings.sessions.timeFormat));
}

async function show(context: CommandContext, known: KnownSession | undefined): Promise<void> {
	if (known) await printList(context, sessionFormat(context.clock.now()), [known]);
}

const sessionFormat = (now: number): RowFormat<KnownSession> => ({
	objectOf: sessionJson,
	isMasked: true,
	columns: [
		{name: 'id', show: ({id}) => cleanLine(id)},
		{name: 'title', show: known => cleanLine(known.name ?? titleOf(known) ?? '-')},
		{name: 'status', show: known => statusText(known, now)},
		{name: 'computer', show: ({computerId}) => cleanLine(computerId ?? '-')},
		{name: 'messages', isNumber: true, show: ({session}) => safe`${session?.messageCount ?? safe`-`}`},
		{name: 'read', show: ({fetchedAt}) => age(fetchedAt === undefined ? undefined : now - fetchedAt)},
		{name: 'origin', show: ({origin}) => cleanLine(origin)},
	],
});

const requestFormat = (now: number): RowFormat<AgentRequest> => ({
	objectOf: request => request,
	columns: [
		{name: 'session', show: ({sessionId}) => cleanLine(sessionId)},
		{name: 'request', show: ({id}) => cleanLine(id)},
		{name: 'asked', show: ({createdAt}) => age(createdAt === undefined ? undefined : now - createdAt)},
		{name: 'tool', show: ({tool, kind}) => cleanLine(tool || kind || '-')},
		{name: 'answers', show: ({options = []}) => cleanLine(options.join('|'))},
		{name: 'what', show: ({text = ''}) => cleanLine(text, 400)},
	],
});

/** A status with its source and age: the service reports status only as part of other responses. */
function statusText({status, activity}: KnownSession, now: number): Safe {
	if (!status)
		return activity ? safe`${cleanLine(activity.state)} (messages ${age(now - activity.at)})` : safe`-`;
	return safe`${cleanLine(status.value)} (${cleanLine(status.source)} ${age(now - status.at)})`;
}
