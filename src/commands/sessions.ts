import type {KnownSession, Origin} from '../domain/known.ts';
import type {Session, SessionSettingsPatch} from '../domain/session.ts';
import type {Source} from '../domain/sourced.ts';
import {cleanLine} from '../text/clean.ts';
import {type Safe, safe} from '../text/safe.ts';
import {age} from '../text/times.ts';
import type {CommandRun} from './context.ts';
import {exitCodes} from './exit-codes.ts';
import {sessionJson} from './forms.ts';
import {given} from './given.ts';
import {requireKept, requireRead} from './kept.ts';
import {post} from './outcome-unknown-error.ts';
import type {Output} from './output.ts';
import type {Flags} from './parse.ts';
import {type CommandRegistry, openRegistry} from './registry.ts';
import {UsageError} from './usage-error.ts';

export const sessions: Readonly<Record<string, CommandRun>> = {
	async list({wiring, output, clock}) {
		const database = await (await wiring()).database();
		requireRead(database);
		const known = database.sessions.all();
		if (output.isJson) for (const one of known) output.json(sessionJson(one));
		else output.table(columns, known.map(row(clock.now())));
		return exitCodes.done;
	},

	async create({flags, wiring, output, clock, signal}) {
		const computerId = flags.text('computer-id');
		if (computerId === undefined) {
			throw new UsageError('--computer-id is missing: see quarterdeck sessions create --help');
		}
		const cwd = flags.text('cwd');
		const settings = settingsOf(flags);
		const draft = {computerId, ...given('cwd', cwd), ...given('sessionSettings', settings)};
		const parts = await wiring();
		const service = await parts.connect();
		const session = await post('The session may exist.', () => service.sessions.create(draft, {signal}));
		const registry = openRegistry(await parts.database(), clock, output.note);
		see(registry, session, {origin: 'created', source: 'created', at: clock.now()});
		if (cwd !== undefined) registry.addSession(session.sessionId, 'created', {cwd});
		show(output, registry.session(session.sessionId), clock.now());
		return exitCodes.done;
	},

	async update({args: [id = ''], flags, wiring, output, clock, signal}) {
		const sessionSettings = settingsOf(flags);
		if (!sessionSettings) throw new UsageError('nothing to change: see quarterdeck sessions update --help');
		const parts = await wiring();
		const service = await parts.connect();
		const session = await service.sessions.update(id, {sessionSettings}, {signal});
		const registry = openRegistry(await parts.database(), clock, output.note);
		see(registry, session, {origin: 'added', source: 'updated', at: clock.now()});
		show(output, registry.session(session.sessionId), clock.now());
		return exitCodes.done;
	},

	async add({args: [id = ''], flags, wiring, output, clock}) {
		const database = await (await wiring()).database();
		requireKept(database);
		const registry = openRegistry(database, clock, output.note);
		registry.addSession(id, 'added', given('computerId', flags.text('computer-id')));
		show(output, registry.session(id), clock.now());
		return exitCodes.done;
	},

	async forget({args: [id = ''], wiring, output}) {
		const database = await (await wiring()).database();
		requireKept(database);
		if (!database.sessions.all().some(known => known.id === id)) {
			output.note(`the session ${id} is not known here: see quarterdeck sessions list`);
			return exitCodes.notFound;
		}
		database.sessions.remove(id);
		return exitCodes.done;
	},
};

/** The settings that the flags name; nothing when they name none. */
function settingsOf(flags: Flags): SessionSettingsPatch | undefined {
	const tags = flags.list('tag').map(name => ({name}));
	const enabled = flags.list('enabled-tool-id');
	const disabled = flags.list('disabled-tool-id');
	const settings: SessionSettingsPatch = {
		...given('model', flags.text('model')),
		...given('specModeModel', flags.text('spec-mode-model')),
		...given('archivedAt', flags.text('archived-at')),
		...(tags.length > 0 && {tags}),
		...(enabled.length > 0 && {enabledToolIds: enabled}),
		...(disabled.length > 0 && {disabledToolIds: disabled}),
	};
	return Object.keys(settings).length > 0 ? settings : undefined;
}

type Seen = {readonly origin: Origin; readonly source: Source; readonly at: number};

/** Keeps a session the service answered with, and its status with the answer it came by. */
function see(registry: CommandRegistry, session: Session, {origin, source, at}: Seen): void {
	registry.seeSession(session, origin);
	if (session.status) registry.setStatus(session.sessionId, {value: session.status, source, at});
}

function show(output: Output, known: KnownSession | undefined, now: number): void {
	if (!known) return;
	if (output.isJson) output.json(sessionJson(known));
	else output.table(columns, [row(now)(known)]);
}

const columns = [
	{title: safe`ID`},
	{title: safe`TITLE`, grow: true},
	{title: safe`STATUS`},
	{title: safe`COMPUTER`},
	{title: safe`MESSAGES`, align: 'end'},
	{title: safe`READ`},
	{title: safe`ORIGIN`},
] as const;

function row(now: number) {
	return ({id, session, status, computerId, fetchedAt, origin}: KnownSession): Safe[] => [
		cleanLine(id),
		cleanLine(session?.title ?? '-'),
		statusText(status, now),
		cleanLine(computerId ?? '-'),
		safe`${session?.messageCount ?? 0}`,
		age(fetchedAt === undefined ? undefined : now - fetchedAt),
		cleanLine(origin),
	];
}

/** A status with where it comes from and how old it is: the service only tells it in passing. */
function statusText(status: KnownSession['status'], now: number): Safe {
	if (!status) return safe`-`;
	return safe`${cleanLine(status.value)} (${cleanLine(status.source)} ${age(now - status.at)})`;
}
