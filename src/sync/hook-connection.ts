import type {Socket} from 'node:net';
import {decodeEnvelope} from '../../hooks/envelope.ts';
import {type Acknowledgement, type Envelope, maxLine} from '../../hooks/wire.ts';
import type {Clock} from './clock.ts';

/** Limits of one connection. A hook says one line and leaves; whoever says more is no hook. */
const maxLines = 64;
const idleTime = 2000;
const newline = 0x0a;

export type ConnectionOptions = {
	readonly clock: Clock;
	/** Keeps an envelope; resolves once it is safe. A rejection means it was not kept. */
	readonly keep: (envelope: Envelope) => Promise<void>;
};

/**
 * Serves one connection: each line is an envelope, answered with `{"ok": id}` once it is kept. Lines are taken one
 * after the other and nothing is read meanwhile, so a flood waits in the system's buffers. Anything but an envelope,
 * a line or a connection over its limits, or two seconds of silence ends it. Resolves when it has ended.
 */
export async function serveHookConnection(socket: Socket, options: ConnectionOptions): Promise<void> {
	const {clock, keep} = options;
	let stopIdle = () => {};
	const watchIdle = () => {
		stopIdle();
		stopIdle = clock.after(idleTime, () => socket.destroy());
	};
	// A peer that dies is no news: what it had to say is said, or in the spool.
	socket.on('error', () => {});
	let count = 0;
	let rest: Buffer = Buffer.alloc(0);
	watchIdle();
	try {
		for await (const bytes of socket as AsyncIterable<Buffer>) {
			stopIdle();
			rest = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
			for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
				if (end >= maxLine || ++count > maxLines) return;
				const envelope = decodeEnvelope(rest.toString('utf8', 0, end));
				if (!envelope) return;
				rest = rest.subarray(end + 1);
				await keep(envelope);
				const answer: Acknowledgement = {ok: envelope.id};
				if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`);
			}
			if (rest.length >= maxLine) return;
			watchIdle();
		}
	} catch {
		// Not kept, or the connection broke: either way there is no acknowledgement, and the hook spools.
	} finally {
		stopIdle();
		socket.destroy();
	}
}
