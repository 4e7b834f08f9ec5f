import {randomInt} from 'node:crypto';
import {readdirSync, writeSync} from 'node:fs';
import {encodeEnvelope} from '../../hooks/envelope.ts';
import {fanOut, maxReceivers} from '../../hooks/fan-out.ts';
import {openPipe} from '../../hooks/pipe.ts';
import {randomId} from '../../hooks/random-id.ts';
import {herePlace, runtimeFolders} from '../../hooks/runtime-folder.ts';
import {findSockets, removeIfDead} from '../../hooks/sockets.ts';
import {spool, spoolFolders} from '../../hooks/spool.ts';
import type {Envelope} from '../../hooks/wire.ts';
import {clientOf, eventMix, sealedMessage, sessionOf} from './sealed-event.ts';

/**
 * `hook-sender RATE COUNT [SPOOLED [OPEN]]`: the hook's own parts in one process, for more events a second than processes can be
 * started. Each event has a connection of its own, at its time, whether those before were answered or not; but none is
 * sent while SPOOLED files wait in the spool or OPEN events in their connections. Says on standard output, once it is true: `a ID EVENT` acknowledged,
 * `s ID EVENT` spooled, `l ID EVENT` lost. Ends when all are told.
 */
const [rate = 1000, count = 1000, maxSpooled = Infinity, maxOpen = Infinity] = process.argv
	.slice(2)
	.map(Number);
/** Between two looks at the clock, ms. */
const tick = 2;

const place = herePlace();
const folders = [...spoolFolders(place)];
const pipe = openPipe();
let sockets = findSockets(runtimeFolders(place), place).slice(0, maxReceivers);
let sent = 0;
let open = 0;
const start = performance.now();

setInterval(() => {
	sockets = findSockets(runtimeFolders(place), place).slice(0, maxReceivers);
}, 50).unref();
const ticking = setInterval(() => {
	const due = Math.min(count, Math.floor(((performance.now() - start) / 1000) * rate));
	if (isSpoolFull()) return;
	for (let burst = 0; sent < due && burst < 200 && open < maxOpen; burst++) send(sent++);
	if (sent >= count) clearInterval(ticking);
}, tick);

function send(number: number): void {
	const id = randomId();
	const {event, data} = eventMix(number);
	const envelope: Envelope = {
		v: 1,
		id,
		ts: Date.now(),
		client: clientOf(number),
		event,
		pid: process.pid,
		agentPid: process.ppid,
		data: {
			session_id: sessionOf(number),
			hook_event_name: event,
			cwd: '/soak',
			...data,
			title: sealedMessage(id, randomInt(0, 60)),
		},
	};
	const line = encodeEnvelope(envelope);
	const end = (how: 'a' | 's' | 'l') => {
		open--;
		writeSync(1, `${how} ${id} ${event}\n`);
	};
	open++;
	fanOut(pipe, sockets, {line, id}, ({isKept, refused}) => {
		for (const socket of refused) removeIfDead(socket);
		if (isKept) end('a');
		else end(spool(folders, line, envelope, place) ? 's' : 'l');
	});
}

function isSpoolFull(): boolean {
	if (maxSpooled === Infinity) return false;
	try {
		return readdirSync(folders[0] ?? '').length >= maxSpooled;
	} catch {
		return false;
	}
}
