import {type FleetContext, removeComputer, removeSession} from '../../actions/fleet.ts';
import type {Service} from '../../api/service.ts';
import type {Config} from '../../config/config.ts';
import type {Database} from '../../db/database.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import type {Origin, Source} from '../../domain/known.ts';
import type {Session} from '../../domain/sessions/session.ts';
import {createFleetStore, type FleetStore} from '../../state/fleet.ts';
import type {Clock} from '../../sync/core/clock.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import {Registry} from '../../sync/fleet/registry.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes, NothingFoundError} from './errors.ts';
import {writableDatabase} from './require-storage.ts';
import {cliStrings} from './strings.ts';

/** The registry with the computers and sessions known on this machine; the engine of shared actions. */
export class CommandRegistry extends Registry {
	readonly stores: {readonly fleet: FleetStore};
	readonly #clock: Clock;

	constructor(
		database: Database,
		{clock, output}: Pick<CommandContext, 'clock' | 'output'>,
		safeWrite = createSafeWrite(output.note),
	) {
		const fleet = createFleetStore();
		super(database, fleet, safeWrite, clock);
		this.stores = {fleet};
		this.#clock = clock;
		this.load();
	}

	/** Saves a computer from a response. */
	rememberComputer(computer: Computer, origin: Origin): void {
		this.seeComputer(computer, origin);
	}

	/** Saves a session from a response, and its status with the status's source. */
	rememberSession(session: Session, origin: Origin, source: Source): void {
		this.seeSession(session, origin);
		const {sessionId, status: value} = session;
		if (value !== undefined) this.setStatus(sessionId, {value, source, at: this.#clock.now()});
	}
}

export type Connection = FleetContext & {
	readonly config: Config;
	readonly service: Service;
	readonly database: Database;
	readonly registry: CommandRegistry;
	/** How far the service's clock is ahead of this machine's, ms, once known. */
	readonly skew: () => number | undefined;
};

/** Connects to the service and opens what is saved for its account. */
export async function connect(context: CommandContext): Promise<Connection> {
	const parts = await context.wiring();
	const service = await parts.connect();
	const database = await parts.database();
	const registry = new CommandRegistry(database, context);
	const skew = () => parts.skew;
	return {config: parts.config, service, database, registry, engine: registry, stores: registry.stores, skew};
}

/** Removes what `ID` names from the list. */
export async function forget(context: CommandContext, table: 'computers' | 'sessions'): Promise<ExitCode> {
	const [id = ''] = context.args;
	// Throw if this can't be saved: a command that forgets does nothing else.
	const registry = new CommandRegistry(await writableDatabase(context), context, write => write());
	const fleet = {engine: registry, stores: registry.stores};
	if ((table === 'computers' ? removeComputer : removeSession)(fleet, id)) return exitCodes.done;
	const what = table === 'computers' ? 'computer' : 'session';
	throw new NothingFoundError(cliStrings.registry.unknown(what, id));
}

/** Writes to disk. Reports a failing disk once; the command's result is still shown. */
export function createSafeWrite(note: (text: string) => void): SafeWrite {
	let isReported = false;
	return write => {
		try {
			write();
		} catch (error) {
			if (!isReported) note(cliStrings.storage.notSaved((error as Error).message));
			isReported = true;
		}
	};
}
