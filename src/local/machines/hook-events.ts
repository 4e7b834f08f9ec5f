import {connect} from 'node:net';
import {fanOut, maxReceivers} from '../../../hooks/fan-out.ts';
import {isObject} from '../../../hooks/json.ts';
import {currentEnvironment, runtimeFolders} from '../../../hooks/runtime-folder.ts';
import {type FoundSocket, findSockets, removeIfDead} from '../../../hooks/sockets.ts';
import {type Envelope, encodeEnvelope, envelopeOf} from '../../../hooks/wire.ts';
import type {StoredComputer} from '../storage/computers.ts';

/** Events under way at once. A program takes 100. */
const maxOpen = 32;

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
	return new Promise(resolve => {
		const message = {line: encodeEnvelope(event), id: event.id};
		const onEnd = ({isSaved, refused}: {isSaved: boolean; refused: readonly FoundSocket[]}) => {
			for (const socket of refused) removeIfDead(socket);
			resolve(isSaved);
		};
		fanOut(sockets, message, onEnd, {connect});
	});
}
