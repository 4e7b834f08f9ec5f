import type {Socket} from 'node:net';
import {decodeEnvelope} from '../../../hooks/envelope.ts';
import {type Acknowledgement, type Envelope, maxLine} from '../../../hooks/wire.ts';
import type {Clock} from '../core/clock.ts';

/** Limits of one connection. A hook sends one line and disconnects; a peer that sends more isn't a hook. */
const maxLines = 64;
const idleTime = 2000;
const newline = 0x0a;

export type ConnectionOptions = {
	readonly clock: Clock;
	/** Saves an envelope; resolves once it is on disk, and rejects if it was not saved. */
	readonly save: (envelope: Envelope) => Promise<void>;
	/** Called when the connection is closed and nothing is being saved. `isBroken`: the peer broke it off. */
	readonly onEnd: (isBroken: boolean) => void;
};

/**
 * Serves one half-open connection: each line is an envelope, answered with `{"ok": id}` once it is saved.
 * Lines are handled one at a time and reading pauses meanwhile, so a flood waits in the system's buffers. The
 * connection ends on a line that is no envelope or too long, after `maxLines` lines, and after two seconds of
 * silence.
 *
 * Uses events instead of `for await`: a flood opens thousands of connections a second with one line each, and
 * an iterator with its promises would be a tenth of each one's cost.
 */
export function serveHookConnection(socket: Socket, {clock, save, onEnd}: ConnectionOptions): void {
	let count = 0;
	let unread: Buffer | undefined;
	let isSaving = false;
	let hasEnded = false;
	let isBroken = false;
	let isClosed = false;
	let stopIdle = () => {};

	function watchIdle(): void {
		stopIdle();
		stopIdle = clock.after(idleTime, () => socket.destroy());
	}

	function takeLine(): void {
		const at = unread?.indexOf(newline) ?? -1;
		if (!unread || at < 0) {
			awaitMore();
			return;
		}
		const isAllowed = at < maxLine && ++count <= maxLines;
		const envelope = isAllowed ? decodeEnvelope(unread.toString('utf8', 0, at)) : undefined;
		if (!envelope) {
			socket.destroy();
			return;
		}
		unread = unread.length > at + 1 ? unread.subarray(at + 1) : undefined;
		stopIdle();
		isSaving = true;
		save(envelope).then(() => answer(envelope.id), notSaved);
	}

	function awaitMore(): void {
		if (hasEnded) socket.destroySoon();
		else if (unread && unread.length >= maxLine) socket.destroy();
		else {
			if (socket.isPaused()) socket.resume();
			watchIdle();
		}
	}

	function answer(id: string): void {
		isSaving = false;
		if (isClosed) onEnd(isBroken);
		else {
			const answer: Acknowledgement = {ok: id};
			socket.write(`${JSON.stringify(answer)}\n`);
			takeLine();
		}
	}

	/** Sends no acknowledgment, so the hook writes to the spool. */
	function notSaved(): void {
		isSaving = false;
		if (isClosed) onEnd(isBroken);
		else socket.destroy();
	}

	watchIdle();
	socket.on('data', bytes => {
		unread = unread ? Buffer.concat([unread, bytes]) : bytes;
		if (isSaving) socket.pause();
		else takeLine();
	});
	socket.on('end', () => {
		hasEnded = true;
		if (!isSaving) socket.destroySoon();
	});
	// A peer that died has already sent its event, or written it to the spool.
	socket.on('error', () => {
		isBroken = true;
	});
	socket.on('close', () => {
		isClosed = true;
		stopIdle();
		if (!isSaving) onEnd(isBroken);
	});
}
