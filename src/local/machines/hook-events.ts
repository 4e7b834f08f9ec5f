import {connect} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {encodeEnvelope, envelopeOf} from '../../../hooks/envelope.ts';
import {fanOut, maxReceivers} from '../../../hooks/fan-out.ts';
import {isObject} from '../../../hooks/json.ts';
import {currentEnvironment, runtimeFolders} from '../../../hooks/runtime-folder.ts';
import {type FoundSocket, findSockets, removeIfDead} from '../../../hooks/sockets.ts';
import type {Envelope} from '../../../hooks/wire.ts';
import type {StoredComputer} from '../storage/computers.ts';

/** Events under way at once. A program takes 100. */
const maxOpen = 32;
/** Delay before events that no program has taken are handed over again, ms. */
const retryTime = 2000;
/** Two clocks differ by the same, give or take what an answer takes; beyond this, ms, one of them was set. */
const clockChange = 2000;

/** How far the clock here is ahead of a machine's, ms. Stays the same until a clock is set, so that events keep their order. */
export function clockAhead(before: number | undefined, there: unknown): number {
	const ahead = typeof there === 'number' ? Date.now() - there : 0;
	return before !== undefined && Math.abs(ahead - before) < clockChange ? before : ahead;
}

/** A machine's hook events, as programs here get them: with its computer, and nothing that only that machine can read. */
export function eventsOf(
	events: readonly unknown[],
	{id, name}: Pick<StoredComputer, 'id' | 'name'>,
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

/**
 * Resolves once a running program has stored each event; false if the connection is lost before. Programs know an event
 * that comes twice by its id.
 */
export async function handOver(
	events: readonly Envelope[],
	isUp: () => boolean,
	closing: AbortSignal,
): Promise<boolean> {
	let waiting = events;
	while (isUp()) {
		const environment = currentEnvironment();
		const sockets = findSockets(runtimeFolders(environment), environment).slice(0, maxReceivers);
		const left: Envelope[] = [];
		for (let from = 0; from < waiting.length; from += maxOpen) {
			const some = waiting.slice(from, from + maxOpen);
			const isTaken = await Promise.all(some.map(event => give(event, sockets)));
			left.push(...some.filter((_, index) => !isTaken[index]));
		}
		waiting = left;
		if (waiting.length === 0) return true;
		await delay(retryTime, undefined, {signal: closing});
	}
	return false;
}

function give(event: Envelope, sockets: readonly FoundSocket[]): Promise<boolean> {
	return new Promise(resolve => {
		const message = {line: encodeEnvelope(event), id: event.id};
		const onEnd = ({isSaved, refused}: {isSaved: boolean; refused: readonly FoundSocket[]}) => {
			for (const socket of refused) removeIfDead(socket);
			resolve(isSaved);
		};
		fanOut(sockets, message, onEnd, {connect});
	});
}
