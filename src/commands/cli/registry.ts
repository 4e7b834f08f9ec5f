import type {SessionRequests} from '../../actions/session-requests.ts';
import type {Service} from '../../api/service.ts';
import type {Config} from '../../config/config.ts';
import type {Database} from '../../db/database.ts';
import type {KnownComputer, KnownSession, Origin, Source} from '../../domain/known.ts';
import type {Session} from '../../domain/sessions/session.ts';
import {createFleetStore, type FleetStore} from '../../state/fleet.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import {createRegistry, type Registry} from '../../sync/fleet/registry.ts';
import {writableDatabase} from '../require-storage.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes, NothingFoundError} from './errors.ts';

/** The engine's registry with the computers and sessions known on this machine. */
export type CommandRegistry = Registry & {
	readonly fleet: FleetStore;
	/** Saves a session from a response, and its status with the status's source. */
	rememberSession(session: Session, origin: Origin, source: Source): void;
	computer(id: string): KnownComputer | undefined;
	session(id: string): KnownSession | undefined;
};

export type Connection = {
	readonly config: Config;
	readonly service: Service;
	readonly database: Database;
	readonly registry: CommandRegistry;
	readonly sessions: SessionRequests;
};

/** Connects to the service and opens what is saved for its account. */
export async function connect(context: CommandContext): Promise<Connection> {
	const parts = await context.wiring();
	const service = await parts.connect();
	const database = await parts.database();
	const registry = openRegistry(database, context);
	const sessions = {service, engine: registry, stores: {fleet: registry.fleet}};
	return {config: parts.config, service, database, registry, sessions};
}

export function openRegistry(
	database: Database,
	{clock, output}: Pick<CommandContext, 'clock' | 'output'>,
): CommandRegistry {
	const fleet = createFleetStore();
	const registry = createRegistry(database, fleet, createSafeWrite(output.note), clock);
	registry.load();
	return {
		...registry,
		fleet,
		rememberSession(session, origin, source) {
			registry.seeSession(session, origin);
			const {sessionId, status: value} = session;
			if (value !== undefined) registry.setStatus(sessionId, {value, source, at: clock.now()});
		},
		computer: id => fleet.getState().computers.get(id),
		session: id => fleet.getState().sessions.get(id),
	};
}

/** Removes what `ID` names from the list. */
export async function forget(context: CommandContext, table: 'computers' | 'sessions'): Promise<ExitCode> {
	const [id = ''] = context.args;
	const known = (await writableDatabase(context))[table];
	if (!known.get(id)) {
		const what = table === 'computers' ? 'computer' : 'session';
		throw new NothingFoundError(`the ${what} ${id} is not known here: see quarterdeck ${table} list`);
	}
	known.remove(id);
	return exitCodes.done;
}

/** Writes to disk. Reports a failing disk once; the command's result is still shown. */
export function createSafeWrite(note: (text: string) => void): SafeWrite {
	let isReported = false;
	return write => {
		try {
			write();
		} catch (error) {
			if (!isReported) note(`this can't be saved: ${(error as Error).message}`);
			isReported = true;
		}
	};
}
