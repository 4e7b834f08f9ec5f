import {randomInt} from 'node:crypto';
import {readdirSync, writeSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Worker} from 'node:worker_threads';
import {fanOut, maxReceivers} from '../../hooks/fan-out.ts';
import {randomId} from '../../hooks/random-id.ts';
import {currentEnvironment, runtimeFolders} from '../../hooks/runtime-folder.ts';
import {findSockets} from '../../hooks/sockets.ts';
import {spoolFolders} from '../../hooks/spool.ts';
import {type Envelope, encodeEnvelope} from '../../hooks/wire.ts';
import type {Unsent} from './hook-spooler.ts';
import {clientOf, eventMix, sealedMessage, sessionOf} from './sealed-event.ts';

/**
 * `hook-sender RATE COUNT [SPOOLED [OPEN]]`: the hook's own parts in one process, for more events a second than
 * processes can be started. Each event has a connection of its own, at its time, whether those before were answered or
 * not; but none is sent while SPOOLED files wait in the spool or OPEN events in their connections. Says on standard
 * output, once it is true: `a ID EVENT` acknowledged, `s ID EVENT` spooled, `l ID EVENT` lost. Ends when all are told.
 *
 * `hook-spooler`, beside this file, spools in a thread of its own, as each hook does for itself: one process that went
 * through the spool's folder before it read the next answer would find all of them late.
 */
const [rate = 1000, count = 1000, maxSpooled = Infinity, maxOpen = Infinity] = process.argv
	.slice(2)
	.map(Number);
/** Between two looks at the clock, ms. */
const tick = 2;
/** Who was held up makes up for it at twice the rate: agents don't fire a second's events in a ms. */
const haste = 2;

const environment = currentEnvironment();
const [folder = ''] = spoolFolders(environment);
let sockets = findSockets(runtimeFolders(environment), environment).slice(0, maxReceivers);
// Its streams are its own: joined to those of this process, they would make our standard output one that never waits.
const spooler = new Worker(join(dirname(process.argv[1] ?? ''), 'hook-spooler.cjs'), {
	stdout: true,
	stderr: true,
});
spooler.on('message', settled);
let sent = 0;
let open = 0;
const start = performance.now();

setInterval(() => {
	sockets = findSockets(runtimeFolders(environment), environment).slice(0, maxReceivers);
}, 50);
setInterval(() => {
	const due = Math.min(count, Math.floor(((performance.now() - start) / 1000) * rate));
	if (isSpoolFull()) return;
	const burst = Math.ceil((tick / 1000) * rate * haste);
	for (let one = 0; sent < due && one < burst && open < maxOpen; one++) send(sent++);
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
	open++;
	fanOut(sockets, {line, id}, isSaved => {
		if (isSaved) {
			writeSync(1, `a ${id} ${event}\n`);
			settled();
		} else spooler.postMessage({line, envelope} satisfies Unsent);
	});
}

function settled(): void {
	open--;
	if (sent >= count && open === 0) process.exit(0);
}

function isSpoolFull(): boolean {
	if (maxSpooled === Infinity) return false;
	try {
		return readdirSync(folder).length >= maxSpooled;
	} catch {
		return false;
	}
}
