import {type FleetContext, lookUp, removeComputer, removeSession} from '../../actions/fleet.ts';
import type {CallOptions} from '../../api/client.ts';
import {isServiceError, NotFoundError, UnauthorizedError, ValidationError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {Origin, StatusSource} from '../../domain/known.ts';
import type {Session} from '../../domain/sessions/session.ts';
import {createFleetStore, type FleetStore} from '../../state/fleet.ts';
import {computerName} from '../../state/sessions/session-items.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import {Registry} from '../../sync/fleet/registry.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes, NothingFoundError, UsageError} from './errors.ts';
import {requireWritable} from './require-storage.ts';
import {cliStrings} from './strings.ts';

/** The registry with the computers and sessions known on this machine. */
export class CommandRegistry extends Registry {
	readonly stores: {readonly fleet: FleetStore};
	/** The part of the engine that actions shared with the screen call. */
	readonly engine: FleetContext['engine'] = {
		registry: this,
		computers: {
			remember: (computer, origin) => this.recordComputer(computer, origin),
			forget: id => this.forgetComputer(id),
		},
		sessions: {
			remember: (session, origin, source) => this.#rememberSession(session, origin, source),
		},
	};
	readonly #clock: Clock;

	constructor(database: Database, {clock, output}: CommandContext, safeWrite = createSafeWrite(output.note)) {
		const fleet = createFleetStore();
		super(database, fleet, safeWrite, clock);
		this.stores = {fleet};
		this.#clock = clock;
		this.load();
	}

	/** Saves a session from a response, and its status with the status's source. */
	#rememberSession(session: Session, origin: Origin, source: StatusSource): void {
		this.recordSession(session, origin);
		const {sessionId, status: value} = session;
		if (value !== undefined) this.setStatus(sessionId, {value, source, at: this.#clock.now()});
	}
}

export type Connected = Awaited<ReturnType<typeof connect>>;

export async function connect(context: CommandContext) {
	const parts = await context.wiring();
	const service = await parts.connect();
	const database = await parts.database();
	const registry = new CommandRegistry(database, context);
	const {engine, stores} = registry;
	/** How far the service's clock is ahead of this machine's, ms, once known. */
	const skew = () => parts.skew;
	const isEmbedded = () => parts.isEmbedded;
	return {config: parts.config, service, database, registry, engine, stores, skew, isEmbedded};
}

export async function forget(context: CommandContext, table: 'computers' | 'sessions'): Promise<ExitCode> {
	const [word = ''] = context.args;
	const parts = await context.wiring();
	const database = await parts.database();
	// Hooks make sessions known without a service.
	if (table === 'computers' || database.sessions.all().length === 0) parts.requireService();
	requireWritable(database);
	// Throw if this can't be saved: a command that forgets does nothing else.
	const registry = new CommandRegistry(database, context, write => write());
	const id = table === 'computers' ? namedComputer(registry, word) : word;
	const what = table === 'computers' ? 'computer' : 'session';
	if (!(table === 'computers' ? removeComputer : removeSession)(registry, id))
		throw new NothingFoundError(cliStrings.registry.unknown(what, id));
	const {output} = context;
	if (output.isJson) output.json({id, quarterdeck: {isForgotten: true}});
	else output.text(cleanLine(cliStrings.registry.forgot(what, id)));
	return exitCodes.done;
}

/** Writes to disk. Reports a failing disk once, and the command's result is still shown; any other error is a bug. */
export function createSafeWrite(note: (text: string) => void): SafeWrite {
	let isReported = false;
	return write => {
		try {
			write();
		} catch (error) {
			if (!isStorageError(error)) throw error;
			if (!isReported) note(cliStrings.storage.notSaved(error.message));
			isReported = true;
		}
	};
}

/**
 * Throws `ValidationError` if the id that is to be added can't be one, `NotFoundError` if the service doesn't have it, and
 * `UnauthorizedError` if it refuses the key, whose account would get the id. Only notes any other failure.
 */
export async function checkId(
	{output, signal, wiring}: CommandContext,
	id: string,
	call: (service: Service, options: CallOptions) => Promise<unknown>,
): Promise<void> {
	const {service} = await wiring();
	const failure = await lookUp(options => call(service, options), signal);
	signal.throwIfAborted();
	if (
		failure instanceof NotFoundError ||
		failure instanceof UnauthorizedError ||
		failure instanceof ValidationError
	)
		throw failure;
	if (!failure) return;
	const why = isServiceError(failure) ? failure.what : cliStrings.registry.noAnswer;
	output.note(cliStrings.registry.notChecked(id, why));
}

/**
 * The id of the computer that the user names by id, by name or as lists show it; a word that is none of these here may be
 * an id at the service. Throws `UsageError` if several computers have the name.
 */
export function namedComputer(registry: Registry, word: string): string {
	const {computers} = registry.current();
	if (computers.has(word)) return word;
	const ids = [...computers.values()].flatMap(({id, computer}) =>
		[computer?.name, computerName(computers, id)].includes(word) ? [id] : [],
	);
	if (ids.length > 1) throw new UsageError(cliStrings.registry.sameName(word, ids));
	return ids[0] ?? word;
}

export function flaggedComputer({flags}: CommandContext, registry: Registry): string | undefined {
	const word = flags.text('computer-id');
	return word === undefined ? undefined : namedComputer(registry, word);
}
