import {requestComputer} from '../../actions/fleet.ts';
import type {CallOptions} from '../../api/client.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import {type Computer, providerTypes} from '../../domain/computers/computer.ts';
import {troubleOf} from '../../domain/computers/failure.ts';
import {progress} from '../../domain/computers/provisioning.ts';
import type {KnownComputer} from '../../domain/known.ts';
import {subjectKey} from '../../domain/sessions/attention.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {age} from '../../text/values/times.ts';
import {checkId} from '../cli/check-id.ts';
import type {CommandContext, CommandRun} from '../cli/context.ts';
import {changing, type ExitCode, exitCodes, UsageError} from '../cli/errors.ts';
import {namedComputer} from '../cli/named-computer.ts';
import type {Flags} from '../cli/parse.ts';
import {CommandRegistry, connect, forget} from '../cli/registry.ts';
import {readableDatabase, showSaved, writableDatabase} from '../cli/require-storage.ts';
import {cliStrings} from '../cli/strings.ts';
import {computerJson, optionalField, relayOf} from '../output/json-output.ts';
import {printResult} from '../output/print-result.ts';
import {limitOf, printList, type RowFormat} from '../output/print-rows.ts';
import {watchComputer} from './computers-watch.ts';
import {strings} from './strings.ts';

export const computers = {
	async list(context) {
		const limit = limitOf(context);
		const database = await readableDatabase(context);
		const now = context.clock.now();
		const format = computerFormat(now, {needsYou: needsYouCheck(database, now)});
		const known = database.computers.all();
		return showSaved(context, known.length === 0, () => printList(context, format, known.slice(0, limit)));
	},

	get: context => requestAndShow(context, (computers, id, options) => computers.get(id, options)),

	create(context) {
		const {flags} = context;
		const repos = flags.list('repo');
		const draft = {
			name: required(context, 'name'),
			remoteUser: required(context, 'remote-user'),
			...optionalField('provider', flags.choice('provider', providerTypes)),
			...optionalField('hostId', flags.text('host-id')),
			...(repos.length > 0 && {repos}),
			...optionalField('autoInstallDeps', installsDeps(flags, repos)),
		};
		return requestAndShow(
			context,
			(computers, _, options) => changing(strings.mayExist, () => computers.create(draft, options)),
			strings.created,
		);
	},

	update(context) {
		const {flags} = context;
		const patch = {
			...optionalField('name', flags.text('name')),
			...optionalField('hostId', flags.text('host-id')),
			...optionalField('remoteUser', flags.text('remote-user')),
		};
		if (Object.keys(patch).length === 0) throw new UsageError(strings.nothingToChange);
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
		const registry = new CommandRegistry(await writableDatabase(context), context);
		const id = context.args[0]?.trim();
		if (!id) throw new UsageError(cliStrings.usage.emptyId);
		let read: Computer | undefined;
		await checkId(context, async ({computers}, options) => {
			read = await computers.get(id, options);
		});
		registry.addComputer(id, 'added');
		if (read) registry.recordComputer({...read, id}, 'added');
		await show(context, registry.computer(id));
		return exitCodes.done;
	},

	forget: context => forget(context, 'computers'),
} satisfies Record<string, CommandRun>;

/** Returns a check whether a computer failed or is stuck and the user has neither acknowledged nor snoozed that. */
function needsYouCheck({attention, durations}: Database, now: number): (known: KnownComputer) => boolean {
	const handled = new Map<string, string>();
	for (const {subject, episode, until = Number.POSITIVE_INFINITY} of attention.all())
		if (until > now) handled.set(subjectKey(subject), episode);
	return known => {
		const trouble = troubleOf(known, name => durations.median(name));
		const {id} = known;
		return trouble !== undefined && handled.get(subjectKey({kind: 'computer', id})) !== trouble.episode;
	};
}

/** As in the form: by default, dependencies are installed if there are repositories; else the service decides. */
function installsDeps(flags: Flags, repos: readonly string[]): boolean | undefined {
	if (flags.isNegated('auto-install-deps')) return false;
	return flags.is('auto-install-deps') || repos.length > 0 || undefined;
}

type Call = (computers: Service['computers'], id: string, options: CallOptions) => Promise<Computer>;

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
	const print = () => show(context, connection.registry.computer(computer.id), relay);
	await (done ? printResult(context, done(computer.id), print) : print());
	return exitCodes.done;
}

function required({flags}: CommandContext, name: string): string {
	const value = flags.text(name);
	if (value === undefined)
		throw new UsageError(cliStrings.usage.missingFlag(`--${name}`, 'computers create'));
	return value;
}

async function show(
	context: CommandContext,
	known: KnownComputer | undefined,
	relay: ReturnType<typeof relayOf> = {},
): Promise<void> {
	if (!known) return;
	const {output, clock} = context;
	await printList(context, computerFormat(clock.now(), {relay}), [known]);
	if (output.isJson) return;
	for (const [name, url] of Object.entries(relay))
		output.line(safe`${cleanLine(name)}  ${cleanLine(url, 4096)}`);
}

type FormatOptions = {
	readonly relay?: ReturnType<typeof relayOf>;
	readonly needsYou?: (known: KnownComputer) => boolean;
};

const computerFormat = (
	now: number,
	{relay = {}, needsYou}: FormatOptions = {},
): RowFormat<KnownComputer> => ({
	objectOf: known => computerJson(known, {relay, needsYou: needsYou?.(known)}),
	isMasked: true,
	none: strings.noComputers,
	columns: [
		{name: 'id', show: ({id}) => cleanLine(id)},
		{name: 'name', show: ({computer}) => cleanLine(computer?.name ?? '-')},
		{name: 'status', show: ({computer}) => cleanLine(computer?.status ?? '-')},
		{name: 'steps', show: ({computer}) => steps(computer, now)},
		{name: 'read', show: ({fetchedAt}) => age(fetchedAt === undefined ? undefined : now - fetchedAt)},
		{name: 'origin', show: ({origin}) => cleanLine(origin)},
	],
});

function steps(computer: Computer | undefined, now: number): Safe {
	if (!computer?.provisioningSteps) return safe`-`;
	const {done, total, failed} = progress(computer, () => undefined, now);
	return cleanLine((failed ? strings.failedSteps : strings.steps)(done, total));
}
