import type {Service} from '../../api/service.ts';
import type {Computer, ProviderType} from '../../domain/computers/computer.ts';
import {progress} from '../../domain/computers/provisioning.ts';
import type {KnownComputer, Origin} from '../../domain/known.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {age} from '../../text/values/times.ts';
import type {CommandContext, CommandRun} from '../cli/context.ts';
import {type ExitCode, exitCodes, post, UsageError} from '../cli/errors.ts';
import {openRegistry} from '../cli/registry.ts';
import {computerJson, optionalField, relayOf} from '../output/json-output.ts';
import {limitOf} from '../output/print-rows.ts';
import {requireReadable, requireWritable} from '../require-storage.ts';
import {watchComputer} from './computers-watch.ts';

export const computers = {
	async list(context) {
		const {wiring, output, clock} = context;
		const limit = limitOf(context);
		const database = await (await wiring()).database();
		requireReadable(database);
		const known = database.computers.all().slice(0, limit);
		if (output.isJson) for (const one of known) output.json(computerJson(one));
		else output.table(columns, known.map(row(clock.now())));
		return exitCodes.done;
	},

	get: context => answered(context, 'added', (service, id, signal) => service.computers.get(id, {signal})),

	create(context) {
		const {flags} = context;
		const repos = flags.list('repo');
		const provider = flags.text('provider');
		const draft = {
			name: needed(context, 'name'),
			remoteUser: needed(context, 'remote-user'),
			// Values outside the contract are rejected during validation, before anything is sent.
			...optionalField('provider', provider as ProviderType | undefined),
			...optionalField('hostId', flags.text('host-id')),
			...(repos.length > 0 && {repos}),
			...(flags.is('auto-install-deps') && {autoInstallDeps: true}),
			...(flags.isDenied('auto-install-deps') && {autoInstallDeps: false}),
		};
		return answered(context, 'created', (service, _, signal) =>
			post('The computer may exist: check before you create it again.', () =>
				service.computers.create(draft, {signal}),
			),
		);
	},

	update(context) {
		const {flags} = context;
		const patch = {
			...optionalField('name', flags.text('name')),
			...optionalField('hostId', flags.text('host-id')),
			...optionalField('remoteUser', flags.text('remote-user')),
		};
		if (Object.keys(patch).length === 0) {
			throw new UsageError('nothing to change: use --name, --host-id or --remote-user');
		}
		return answered(context, 'added', (service, id, signal) => service.computers.update(id, patch, {signal}));
	},

	'install-deps': context =>
		answered(context, 'added', (service, id, signal) =>
			post('The install may be running: check with computers get.', () =>
				service.computers.installDeps(id, {signal}),
			),
		),

	watch: watchComputer,

	async add({args: [id = ''], wiring, output, clock}) {
		const database = await (await wiring()).database();
		requireWritable(database);
		const registry = openRegistry(database, clock, output.note);
		registry.addComputer(id, 'added');
		show(output, registry.computer(id), clock.now());
		return exitCodes.done;
	},

	async forget({args: [id = ''], wiring, output}) {
		const database = await (await wiring()).database();
		requireWritable(database);
		if (!database.computers.all().some(known => known.id === id)) {
			output.note(`the computer ${id} is not known here: see quarterdeck computers list`);
			return exitCodes.notFound;
		}
		database.computers.remove(id);
		return exitCodes.done;
	},
} satisfies Record<string, CommandRun>;

type Call = (service: Service, id: string, signal: AbortSignal) => Promise<Computer>;

/** Makes a call that returns a computer, saves the computer and prints it. */
async function answered(context: CommandContext, origin: Origin, call: Call): Promise<ExitCode> {
	const {args, flags, wiring, output, clock, signal} = context;
	const parts = await wiring();
	const service = await parts.connect();
	const computer = await call(service, args[0] ?? '', signal);
	const registry = openRegistry(await parts.database(), clock, output.note);
	registry.seeComputer(computer, origin);
	const relay = flags.is('show-relay-urls') ? relayOf(computer) : {};
	show(output, registry.computer(computer.id), clock.now(), relay);
	return exitCodes.done;
}

function needed({flags}: CommandContext, name: string): string {
	const value = flags.text(name);
	if (value === undefined)
		throw new UsageError(`--${name} is missing: see quarterdeck computers create --help`);
	return value;
}

function show(
	output: CommandContext['output'],
	known: KnownComputer | undefined,
	now: number,
	relay: ReturnType<typeof relayOf> = {},
): void {
	if (!known) return;
	if (output.isJson) {
		output.json(computerJson(known, relay));
		return;
	}
	output.table(columns, [row(now)(known)]);
	for (const [name, url] of Object.entries(relay))
		output.line(safe`${cleanLine(name)}  ${cleanLine(url, 4096)}`);
}

const columns = [
	{title: safe`ID`},
	{title: safe`NAME`, grow: true},
	{title: safe`STATUS`},
	{title: safe`STEPS`},
	{title: safe`READ`},
	{title: safe`ORIGIN`},
];

function row(now: number) {
	return ({id, computer, fetchedAt, origin}: KnownComputer): Safe[] => [
		cleanLine(id),
		cleanLine(computer?.name ?? '-'),
		cleanLine(computer?.status ?? '-'),
		steps(computer, now),
		age(fetchedAt === undefined ? undefined : now - fetchedAt),
		cleanLine(origin),
	];
}

function steps(computer: Computer | undefined, now: number): Safe {
	if (!computer?.provisioningSteps) return safe`-`;
	const {done, total, failed} = progress(computer, () => undefined, now);
	return failed ? safe`${done}/${total} failed` : safe`${done}/${total}`;
}
