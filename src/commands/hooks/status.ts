import {currentEnvironment} from '../../../hooks/runtime-folder.ts';
import {type Client, isFound} from '../../hook-setup/clients.ts';
import {
	acrossFiles,
	type FileStatus,
	fileStatus,
	findTurnedOff,
	type TurnedOff,
} from '../../hook-setup/installed.ts';
import {HookMissingError, type Program} from '../../hook-setup/launcher.ts';
import {findListeners, type Listener, type SpoolSize, spoolSizes} from '../../hook-setup/listeners.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes} from '../cli/errors.ts';
import {filesToInspect, thisMachine, thisProgram} from './chosen-files.ts';
import {showStatus} from './show-status.ts';
import {strings} from './strings.ts';

/** The newest event of one client. `at` is Unix ms. */
type LastEvent = {readonly client: string; readonly event: string; readonly at: number};

/** How many events to look back through. */
const maxEvents = 5000;

/** The newest event of each client among those saved by this profile, newest first. Includes test events. */
async function lastEvents({wiring, output}: CommandContext): Promise<LastEvent[] | undefined> {
	try {
		const database = await (await wiring()).database();
		const found = new Map<string, LastEvent>();
		for (const {client, event, ts} of database.events.recent(maxEvents))
			if (!found.has(client)) found.set(client, {client, event, at: ts});
		return [...found.values()];
	} catch (error) {
		output.note(strings.status.unreadableEvents((error as Error).message));
		return undefined;
	}
}

export type ClientStatus = {
	readonly client: Client;
	readonly files: readonly FileStatus[];
	/** Events that run handlers from several files. */
	readonly duplicate: readonly string[];
	readonly turnedOff: readonly TurnedOff[];
};

export type HooksStatus = {
	readonly clients: readonly ClientStatus[];
	readonly listeners: readonly Listener[];
	readonly spool: readonly SpoolSize[];
	/** Undefined when saved events can't be read. */
	readonly lastEvents: readonly LastEvent[] | undefined;
};

/** Reports what is installed and whether it works. Returns 1 when an installed hook needs attention. */
export async function status(context: CommandContext): Promise<ExitCode> {
	const {output, clock, flags} = context;
	const isNamed = flags.list('client').length > 0 || flags.text('settings') !== undefined;
	const program = programIfInstalled(context);
	const machine = thisMachine(context);
	const all = filesToInspect(context).map(({client, files}): ClientStatus => {
		const states = files.map(file => fileStatus(file, program));
		const paths = files.map(({path}) => path);
		return {
			client,
			files: states,
			duplicate: acrossFiles(client, states),
			turnedOff: findTurnedOff(client, machine, paths),
		};
	});
	const environment = currentEnvironment();
	const found: HooksStatus = {
		clients: all.filter(
			({client, files}) =>
				isNamed || isFound(client, machine) || files.some(({present}) => present.length > 0),
		),
		listeners: await findListeners(environment),
		spool: spoolSizes(environment),
		lastEvents: await lastEvents(context),
	};
	if (output.isJson) output.json(statusJson(found));
	else showStatus(output, found, clock.now());
	return found.clients.some(needsAttention) ? exitCodes.refused : exitCodes.done;
}

/**
 * The running program, or undefined when its hook is missing: then nothing counts as stale, but the rest is
 * still reported.
 */
function programIfInstalled(context: CommandContext): Program | undefined {
	try {
		return thisProgram(context);
	} catch (error) {
		if (!(error instanceof HookMissingError)) throw error;
		context.output.note(error.message);
		return undefined;
	}
}

function needsAttention({files, duplicate, turnedOff}: ClientStatus): boolean {
	const ours = files.filter(({present}) => present.length > 0);
	const isBroken = ours.some(
		file =>
			file.isShadowed ||
			file.isSkipped ||
			[file.missing, file.stale, file.duplicate, file.gone].some(events => events.length > 0),
	);
	return isBroken || (ours.length > 0 && (duplicate.length > 0 || turnedOff.length > 0));
}

function statusJson({clients: all, listeners, spool, lastEvents: last}: HooksStatus): unknown {
	return {
		clients: all.map(({client, files, duplicate, turnedOff}) => ({
			client: client.name,
			files: files.map(({exists, isShadowed, isSkipped, ...file}) => ({
				...file,
				there: exists,
				shadowed: isShadowed,
				skipped: isSkipped,
			})),
			duplicateAcrossFiles: duplicate,
			offSwitches: turnedOff,
			notKnown: client.unknown,
		})),
		programs: listeners.map(({file, pid, startedAt, isLive}) => ({
			pid,
			socket: file,
			startedAt,
			live: isLive,
		})),
		spool,
		lastEvents: last ?? null,
	};
}
