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
	readonly save: (envelope: Envelope) => Promise<void>;
	/** The connection is over and what came by it is settled. `isLeft`: its peer had gone before it was answered. */
	readonly onEnd: (isLeft: boolean) => void;
};

/**
 * Serves one connection, half open: each line is an envelope, answered with `{"ok": id}` once it is kept. Lines are
 * taken one after the other and little is read meanwhile, so a flood waits in the system's buffers. Anything but an
 * envelope, a line or a connection over its limits, or two seconds of silence ends it.
 *
 * By events and not by `for await`: a flood is thousands of connections a second of one line each, and an iterator with
 * its promises is a tenth of what each costs.
 */
export function serveHookConnection(socket: Socket, {clock, save, onEnd}: ConnectionOptions): void {
	let count = 0;
	let rest: Buffer | undefined;
	let isKeeping = false;
	let isLast = false;
	let isLeft = false;
	let isClosed = false;
	let stopIdle = () => {};

	function watchIdle(): void {
		stopIdle();
		stopIdle = clock.after(idleTime, () => socket.destroy());
	}

	function takeLine(): void {
		const at = rest?.indexOf(newline) ?? -1;
		if (!rest || at < 0) {
			awaitMore();
			return;
		}
		const isAllowed = at < maxLine && ++count <= maxLines;
		const envelope = isAllowed ? decodeEnvelope(rest.toString('utf8', 0, at)) : undefined;
		if (!envelope) {
			socket.destroy();
			return;
		}
		rest = rest.length > at + 1 ? rest.subarray(at + 1) : undefined;
		stopIdle();
		isKeeping = true;
		save(envelope).then(() => answer(envelope.id), notSaved);
	}

	function awaitMore(): void {
		if (isLast) socket.destroySoon();
		else if (rest && rest.length >= maxLine) socket.destroy();
		else {
			if (socket.isPaused()) socket.resume();
			watchIdle();
		}
	}

	function answer(id: string): void {
		isKeeping = false;
		if (isClosed) onEnd(isLeft);
		else {
			const answer: Acknowledgement = {ok: id};
			socket.write(`${JSON.stringify(answer)}\n`);
			takeLine();
		}
	}

	/** No acknowledgement: the hook spools. */
	function notSaved(): void {
		isKeeping = false;
		if (isClosed) onEnd(isLeft);
		else socket.destroy();
	}

	watchIdle();
	socket.on('data', bytes => {
		rest = rest ? Buffer.concat([rest, bytes]) : bytes;
		if (isKeeping) socket.pause();
		else takeLine();
	});
	socket.on('end', () => {
		isLast = true;
		if (!isKeeping) socket.destroySoon();
	});
	// What a peer that died had to say is said, or in the spool.
	socket.on('error', () => {
		isLeft = true;
	});
	socket.on('close', () => {
		isClosed = true;
		stopIdle();
		if (!isKeeping) onEnd(isLeft);
	});
}
