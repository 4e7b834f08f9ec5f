import {writeSync} from 'node:fs';
import type {WriteStream} from 'node:tty';

/** How long one write may wait for a terminal that is merely slow, and between looks, ms. */
const patience = 20;
const look = 0.2;
/** Between attempts while the terminal reads nothing, ms: after one that got something through, and after none. */
const retry = {soon: 1, later: 10} as const;
/** Bytes that wait for the terminal at most; what comes then is dropped, and all is drawn again later. */
const capacity = 256 * 1024;

export type OutputQueueOptions = {
	readonly fd: number;
	/** May the terminal be written to at this moment? */
	readonly mayWrite: () => boolean;
	/** Writes were dropped, and the terminal reads again: the screen must be drawn whole. */
	readonly behind: () => void;
	/** The terminal is gone. */
	readonly failed: () => void;
};

/**
 * Writes to a terminal that may stop reading (a suspended emulator, a dead connection): the program goes on, and
 * signals are answered. Takes a descriptor that doesn't block (`unblock`).
 */
export class OutputQueue {
	readonly #options: OutputQueueOptions;
	#chunks: Buffer[] = [];
	#size = 0;
	#timer: NodeJS.Timeout | undefined;
	#isBehind = false;
	#drained: PromiseWithResolvers<void> | undefined;

	constructor(options: OutputQueueOptions) {
		this.#options = options;
	}

	/** False: what would be written now must be dropped. `behind` is called when there is room again. */
	hasRoom(): boolean {
		const hasRoom = this.#size <= capacity;
		if (!hasRoom) this.#isBehind = true;
		return hasRoom;
	}

	write(text: string): void {
		if (text === '') return;
		const bytes = Buffer.from(text);
		this.#chunks.push(bytes);
		this.#size += bytes.length;
		// While the terminal reads nothing, only the timer tries.
		if (this.#timer === undefined) this.#flush(patience);
	}

	/** Writes `text` after all that waits, however much that is. Resolves when all is written or never can be. */
	finish(text: string): Promise<void> {
		this.#isBehind = false;
		this.write(text);
		if (this.#size === 0) return Promise.resolve();
		this.#drained ??= Promise.withResolvers<void>();
		return this.#drained.promise;
	}

	/** Before others write to the terminal: waits until all is written, `limit` ms at most. */
	settle(limit: number): void {
		if (this.#size === 0) return;
		clearTimeout(this.#timer);
		this.#flush(limit);
	}

	/** Drops what waits. */
	clear(): void {
		this.#chunks = [];
		this.#size = 0;
		this.#isBehind = false;
		this.#drained?.resolve();
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#flush(wait: number): void {
		this.#timer = undefined;
		if (!this.#options.mayWrite()) {
			this.clear();
			return;
		}
		const before = this.#size;
		try {
			this.#writeAll(wait);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
				const next = this.#size < before ? retry.soon : retry.later;
				this.#timer = setTimeout(() => this.#flush(0), next);
				return;
			}
			this.clear();
			this.#options.failed();
			return;
		}
		const isBehind = this.#isBehind;
		this.clear();
		if (isBehind) this.#options.behind();
	}

	#writeAll(wait: number): void {
		let end = 0;
		for (;;) {
			const chunk = this.#chunks[0];
			if (!chunk) return;
			try {
				const count = writeSync(this.#options.fd, chunk);
				this.#size -= count;
				if (count < chunk.length) this.#chunks[0] = chunk.subarray(count);
				else this.#chunks.shift();
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
				const now = performance.now();
				end ||= now + wait;
				if (now >= end) throw error;
				Atomics.wait(idle, 0, 0, look);
			}
		}
	}
}

const idle = new Int32Array(new SharedArrayBuffer(4));

/**
 * Makes writes to a terminal return at once instead of waiting for it to read. False where that isn't possible: the
 * descriptor is shared with the shell, which must find it as it was, or it is a Windows console.
 */
export function unblock(stream: WriteStream & {readonly fd: number}): boolean {
	const {_handle: handle} = stream as {
		_handle?: {readonly fd?: number; setBlocking?(isBlocking: boolean): unknown};
	};
	// Node opens a terminal anew for itself, under another number; where it couldn't, the numbers are the same.
	const isOwn = handle?.fd !== undefined && handle.fd >= 0 && handle.fd !== stream.fd;
	if (process.platform === 'win32' || !stream.isTTY || !isOwn) return false;
	return handle.setBlocking?.(false) === 0;
}
