import {currentEnvironment} from '../../../hooks/runtime-folder.ts';
import {spoolFolders} from '../../../hooks/spool.ts';
import {delay} from '../../api/http/timing.ts';
import type {Machine} from '../../db/database.ts';
import {type HookEvent, signalKey} from '../../domain/sessions/signal.ts';
import {startHookReceiver} from '../../hook-listeners/hook-receiver.ts';
import {drainSpool} from '../../hook-listeners/spool-drain.ts';
import {HookInbox, type InboxRegistry} from '../../sync/hooks/hook-inbox.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {dateTime} from '../../text/values/times.ts';
import type {Wiring} from '../../wiring.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes} from '../cli/errors.ts';
import {untilAborted} from '../cli/interrupts.ts';
import {requireWhole} from '../cli/require-storage.ts';
import type {Output} from '../output/output.ts';
import {strings} from './strings.ts';

const defaultCount = 100;
/** Rest between two requests that keep the service running, ms. */
const serviceRest = 2000;

/** Prints the hook events received on this machine, oldest first; with `--follow` also new ones. */
export async function events(context: CommandContext): Promise<ExitCode> {
	const {flags, output, clock, signal} = context;
	const count = flags.count('limit') ?? defaultCount;
	const parts = await context.wiring();
	// Hook events belong to the machine: reading them needs no service, key or account.
	const machine = await parts.machine();
	requireWhole(machine);
	let print = (_: readonly HookEvent[]) => {};
	const inbox = new HookInbox({
		database: {events: machine.events, settings: noSettings},
		registry: signalsOf(machine.events),
		clock,
		onUpdate() {},
		onStored: stored => print(stored),
	});
	// If events can't be saved, leave them in the spool for another program.
	if (machine.problem === undefined) {
		await drainSpool({
			folders: [...spoolFolders(currentEnvironment())],
			environment: currentEnvironment(),
			now: clock.now,
			save(envelopes) {
				const receivedAt = clock.now();
				inbox.store(envelopes.map(envelope => ({...envelope, receivedAt, delivery: 'spool'})));
			},
		}).catch(error => output.note(strings.events.unreadableSpool((error as Error).message)));
	}
	const recent = machine.events.recent(count).toReversed();
	for (const event of recent) show(output, event);
	if (recent.length === 0) output.note(strings.events.none);
	if (!flags.is('follow')) return exitCodes.done;
	const printed = new Set(recent.map(({id}) => id));
	print = stored => {
		for (const event of stored) if (!printed.has(event.id)) show(output, event);
	};
	const receiver = await startHookReceiver({
		clock,
		onEvents(events) {
			if (machine.problem !== undefined && events[0]?.delivery === 'spool') {
				throw new Error(machine.problem);
			}
			inbox.store(events);
		},
		onDrained: () => inbox.syncPeers(),
		onProblem: problem => output.note(problem.message),
	});
	try {
		await (parts.config.mode === 'local' ? keepService(parts, context) : untilAborted(signal));
	} finally {
		inbox.stop();
		await receiver.close();
	}
	throw signal.reason;
}

/** Keeps the embedded service running, which hands over the events of other machines. Rejects when interrupted. */
async function keepService({service}: Wiring, {output, clock, signal}: CommandContext): Promise<never> {
	let cursor = 0;
	let noted: string | undefined;
	for (;;) {
		try {
			({cursor} = await service.runningService.changes(cursor, {signal}));
			noted = undefined;
		} catch (error) {
			signal.throwIfAborted();
			const {message} = error as Error;
			if (message !== noted) output.note(message);
			noted = message;
		}
		await delay(clock, serviceRest, signal);
	}
}

/** Settings without a saved position, so that following starts at the newest event. */
const noSettings: Machine['settings'] = {get: () => undefined, put() {}};

/** Saves the signals of sessions; sessions themselves are recorded by programs with an open account. */
function signalsOf(events: Machine['events']): InboxRegistry {
	const signals = new Map(
		events.signals().map(signal => [signalKey(signal.client, signal.sessionId), signal]),
	);
	return {
		forgotten: {has: () => false},
		current: () => ({signals, sessions: new Map()}),
		putSignal(signal) {
			events.putSignal(signal);
			signals.set(signalKey(signal.client, signal.sessionId), signal);
		},
		addSession() {},
		together: run => run(),
	};
}

function show(output: Output, {receivedAt, delivery, ...envelope}: HookEvent): void {
	if (output.isJson) {
		output.json({...envelope, quarterdeck: {receivedAt, delivery}});
		return;
	}
	const {ts, client, event, data} = envelope;
	const words = [data.session_id, data.cwd, data.message ?? data.reason ?? data.error].filter(Boolean);
	output.line(
		safe`${dateTime(ts)}  ${cleanLine(client || '-')}  ${cleanLine(event)}  ${cleanLine(words.join('  '))}`,
	);
}
