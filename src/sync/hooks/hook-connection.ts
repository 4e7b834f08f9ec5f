import type {Socket} from 'node:net';
import {decodeEnvelope} from '../../../hooks/envelope.ts';
import {type Acknowledgement, type Envelope, maxLine} from '../../../hooks/wire.ts';
import type {Clock} from '../core/clock.ts';

/** How long a hook may take to send its line, ms. */
const maxSilence = 2000;
const newline = 0x0a;

export type ConnectionOptions = {
	readonly clock: Clock;
	/** Saves an envelope; resolves once it is on disk, and rejects if it was not saved. */
	readonly save: (envelope: Envelope) => Promise<void>;
	/** Called when the connection is closed and nothing is being saved. `isBroken`: the peer broke it off. */
	readonly onEnd: (isBroken: boolean) => void;
};

/**
 * Serves one half-open connection: its first line is an envelope, answered with `{"ok": id}` once it is saved. Then the
 * connection ends, as it does on a line that is no envelope or too long, and after two seconds without one.
 */
export function serveHookConnection(socket: Socket, {clock, save, onEnd}: ConnectionOptions): void {
	let unread = Buffer.alloc(0);
	let isTaken = false;
	let isBroken = false;
	let saving: Promise<void> | undefined;
	const stopTimer = clock.after(maxSilence, () => socket.destroy());

	function take(line: string | undefined): void {
		isTaken = true;
		stopTimer();
		const envelope = line === undefined ? undefined : decodeEnvelope(line);
		if (!envelope) {
			socket.destroy();
			return;
		}
		const answer: Acknowledgement = {ok: envelope.id};
		saving = save(envelope).then(
			() => {
				socket.write(`${JSON.stringify(answer)}\n`);
				socket.destroySoon();
			},
			// Without an acknowledgment, the hook writes to the spool.
			() => void socket.destroy(),
		);
	}

	socket.on('data', bytes => {
		if (isTaken) return;
		unread = Buffer.concat([unread, bytes]);
		const at = unread.indexOf(newline);
		if (at >= 0 && at < maxLine) take(unread.toString('utf8', 0, at));
		else if (unread.length >= maxLine) take(undefined);
	});
	socket.on('end', () => {
		if (!isTaken) socket.destroySoon();
	});
	// A peer that died has already sent its event, or written it to the spool.
	socket.on('error', () => {
		isBroken = true;
	});
	socket.on('close', async () => {
		stopTimer();
		await saving;
		onEnd(isBroken);
	});
}
