import {EventEmitter, once} from 'node:events';
import {connect} from 'node:net';
import {join} from 'node:path';
import {fanOut, maxReceivers} from '../../../hooks/fan-out.ts';
import {isObject} from '../../../hooks/json.ts';
import {currentEnvironment, runtimeFolders} from '../../../hooks/runtime-folder.ts';
import {type FoundSocket, findSockets} from '../../../hooks/sockets.ts';
import {type Envelope, encodeEnvelope, envelopeOf} from '../../../hooks/wire.ts';
import type {Machine} from '../../db/database.ts';
import {systemClock} from '../../domain/clock.ts';
import type {RequestAnswer} from '../../domain/sessions/agent-request.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import type {HookEvent} from '../../domain/sessions/signal.ts';
import {openAnswerKey} from '../../hook-listeners/answer-key.ts';
import {isAnswered, readClientFiles} from '../../hook-listeners/client-files.ts';
import {startHookReceiver} from '../../hook-listeners/hook-receiver.ts';
import {answeredEvent, PermissionRequests} from '../../hook-listeners/permission-requests.ts';
import {claudeFolder} from '../../transcripts/transcript-file.ts';
import {Refusal} from '../http/router.ts';
import type {StoredComputer} from '../storage/computers.ts';

/** The hook events and permission requests of this machine, for a Quarterdeck elsewhere. */
export type HookEvents = ReturnType<typeof createHookEvents>;

export type HookEventsOptions = {
	/** Opens the database that all programs of this user share. Whoever opens it closes it. */
	readonly openMachine: () => Promise<Machine>;
	/** Has the key that signs answers. */
	readonly stateFolder: string;
};

/** Most events in an answer: with the largest, they take less than 1 MiB. */
const maxEvents = 50;
/** Nobody elsewhere can answer any more when events haven't been asked for in this time, ms. */
const maxAbsence = 10_000;
/** How often to look whether a request was answered in its client, ms. */
const watchInterval = 1000;

/**
 * From the first call on, this service receives hook events as every running program does, and stores them where all
 * programs of the user have theirs. As long as someone elsewhere follows, it receives permission requests, too. Without
 * options, it does neither.
 */
export function createHookEvents(options: HookEventsOptions | undefined, closing: AbortSignal) {
	const stored = new EventEmitter().setMaxListeners(0);
	let table: Machine['events'] | undefined;
	let receiving: ReturnType<typeof receive> | undefined;
	let desk: PermissionRequests | undefined;
	let requests: ReadonlyMap<string, HookRequest> = new Map();
	let followers = 0;
	let absence: NodeJS.Timeout | undefined;
	let watch: NodeJS.Timeout | undefined;

	const receive = async ({openMachine, stateFolder}: HookEventsOptions) => {
		const machine = await openMachine();
		const store = (events: readonly HookEvent[]) => {
			// They stay with their senders.
			if (machine.problem !== undefined) throw new Error(machine.problem);
			machine.events.together(() => {
				for (const event of events) machine.events.add(event);
			});
			for (const event of events) desk?.received(event);
			stored.emit('event');
		};
		const receiver = await startHookReceiver({
			clock: systemClock,
			onEvents: store,
			// Another program may have been faster.
			onDrained: () => void stored.emit('event'),
			onProblem() {},
		});
		const key = openAnswerKey(stateFolder);
		return {receiver, table: machine.events, key, store};
	};
	const opened = () => {
		if (!options) throw new Refusal(404, 'this service receives no hook events');
		receiving ??= receive(options).catch(error => {
			receiving = undefined;
			throw error;
		});
		return receiving;
	};

	const listenForRequests = async ({key, store}: Awaited<ReturnType<typeof receive>>) => {
		desk ??= new PermissionRequests({
			clock: systemClock,
			key,
			onChange(open) {
				requests = open;
				clearInterval(watch);
				if (open.size > 0) watch = setInterval(() => void dropAnswered(), watchInterval).unref();
			},
			onAnswered(request, option) {
				try {
					store([answeredEvent(request, option, Date.now())]);
				} catch {
					// The answer counts all the same.
				}
			},
		});
		await desk.keepListening();
	};
	const stopRequests = async () => {
		clearTimeout(absence);
		clearInterval(watch);
		requests = new Map();
		const stopped = desk;
		desk = undefined;
		await stopped?.stop();
	};
	/** No hook reports an answer in the client, but its own files do. */
	const dropAnswered = async () => {
		const files = await readClientFiles(join(claudeFolder(), 'sessions'));
		for (const request of requests.values()) {
			const file = files.find(({sessionId}) => sessionId === request.sessionId);
			if (file && isAnswered(request, file, Date.now())) desk?.drop(request.id);
		}
	};

	return {
		/** For `hasSession`. */
		async load(): Promise<void> {
			table ??= (await options?.openMachine())?.events;
		},
		/** Whether hooks on this machine told of a session. */
		hasSession: (id: string): boolean => table?.hasOwnSignal(id) ?? false,
		/**
		 * The events stored after `position`, and the position to go on from. Waits for one, until `signal` aborts. A position
		 * of another database counts as 0.
		 */
		async after(position: number, signal: AbortSignal) {
			const parts = await opened();
			clearTimeout(absence);
			followers++;
			try {
				await listenForRequests(parts);
				const {table} = parts;
				const from = position > table.newestPosition() ? 0 : position;
				for (;;) {
					const found = table.since(from, maxEvents);
					if (found.events.length > 0 || signal.aborted || closing.aborted) return found;
					await once(stored, 'event', {signal}).catch(() => {});
				}
			} finally {
				followers--;
				if (followers === 0) absence = setTimeout(() => void stopRequests(), maxAbsence).unref();
			}
		},
		/** Open permission requests of clients here, oldest first. */
		requests: (): readonly HookRequest[] => [...requests.values()],
		/** False if the hook didn't take the answer. */
		answer: async (id: string, answer: RequestAnswer): Promise<boolean> =>
			(await desk?.answer(id, answer)) ?? false,
		async close(): Promise<void> {
			const parts = await receiving?.catch(() => undefined);
			await Promise.all([stopRequests(), parts?.receiver.close()]);
		},
	};
}

/** Events under way at once. A program takes 100. */
const maxOpen = 32;

/** A machine's hook events, as programs here get them: with its computer, and nothing that only that machine can read. */
export function eventsOf(
	events: readonly unknown[],
	{id, name}: StoredComputer,
	ahead: number,
): readonly Envelope[] {
	return events.flatMap(value => {
		const event = isObject(value) ? envelopeOf(value) : undefined;
		if (!event || event.computer) return [];
		const {transcript_path: _, ...data} = event.data;
		const ts = Math.max(0, Math.round(event.ts + ahead));
		return {...event, ts, pid: 0, agentPid: 0, data, computer: {id, name, ts: event.ts}};
	});
}

/** Whether a running program has stored each event. Programs know one that comes again by its id. */
export async function handOver(events: readonly Envelope[]): Promise<boolean> {
	const environment = currentEnvironment();
	const sockets = findSockets(runtimeFolders(environment), environment).slice(0, maxReceivers);
	for (let from = 0; from < events.length; from += maxOpen) {
		const some = events.slice(from, from + maxOpen);
		const isTaken = await Promise.all(some.map(event => give(event, sockets)));
		if (isTaken.includes(false)) return false;
	}
	return true;
}

function give(event: Envelope, sockets: readonly FoundSocket[]): Promise<boolean> {
	const message = {line: encodeEnvelope(event), id: event.id};
	return new Promise(resolve => fanOut(sockets, message, resolve, {connect}));
}
