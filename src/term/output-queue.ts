import {writeSync} from 'node:fs';
import type {WriteStream} from 'node:tty';

/** How long one write may wait for a slow terminal, and the interval between its attempts, ms. */
const writeTimeout = 20;
const retryDelays = 0.2;
/** Delay before retrying while the terminal doesn't read, ms: after partial progress, and after none. */
const retry = {soon: 1, later: 10} as const;
/** Queue limit in bytes; beyond it frames are dropped, and the screen is redrawn later. */
const capacity = 256 * 1024;

export type OutputQueueOptions = {
	readonly fd: number;
	/** Whether the terminal may be written to now. */
	readonly mayWrite: () => boolean;
	/** Writes were dropped and the terminal reads again: the whole screen must be redrawn. */
	readonly behind: () => void;
	/** The terminal is gone. */
	readonly failed: () => void;
};

/**
 * Writes to a terminal that may stop reading (a suspended emulator, a dead connection) without blocking the
 * program or its signal handlers. Needs a non-blocking descriptor (`unblock`).
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

	/** False if further writes must be dropped; then `behind` is called once there is room again. */
	hasRoom(): boolean {
		const hasRoom = this.#size <= capacity;
		if (!hasRoom) this.#isBehind = true;
		return hasRoom;
	}

	/** Writes `text` as soon as the terminal reads. Call it only while the terminal may be written to. */
	write(text: string): void {
		if (text === '') return;
		this.#add(text);
		// While the terminal doesn't read, only the timer retries.
		if (this.#timer === undefined) this.#send(writeTimeout);
	}

	/** Writes `text` after everything queued; resolves when all is written or never can be. */
	finish(text: string): Promise<void> {
		this.#isBehind = false;
		this.#add(text);
		if (this.#timer === undefined) this.#flush(writeTimeout);
		if (this.#size === 0) return Promise.resolve();
		this.#drained ??= Promise.withResolvers<void>();
		return this.#drained.promise;
	}

	/** Flushes the queue before another writer uses the terminal; waits at most `limit` ms. */
	settle(limit: number): void {
		if (this.#size === 0) return;
		clearTimeout(this.#timer);
		this.#flush(limit);
	}

	/** Drops everything queued. */
	clear(): void {
		this.#chunks = [];
		this.#size = 0;
		this.#isBehind = false;
		this.#drained?.resolve();
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#add(text: string): void {
		const bytes = Buffer.from(text);
		this.#chunks.push(bytes);
		this.#size += bytes.length;
	}

	/** Writes the queue if the terminal may be written to, else drops it. */
	#flush(wait: number): void {
		this.#timer = undefined;
		if (this.#options.mayWrite()) this.#send(wait);
		else this.clear();
	}

	#send(wait: number): void {
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
				Atomics.wait(idle, 0, 0, retryDelays);
			}
		}
	}
}

const idle = new Int32Array(new SharedArrayBuffer(4));

/**
 * Makes writes to a terminal non-blocking. False where that isn't possible: on a descriptor shared with the
 * shell, which must stay as it was, or on a Windows console.
 */
export function unblock(stream: WriteStream & {readonly fd: number}): boolean {
	const {_handle: handle} = stream as {
		_handle?: {readonly fd?: number; setBlocking?(isBlocking: boolean): unknown};
	};
	// Node reopens a terminal for itself under another descriptor; the same number means it couldn't.
	const isOwn = handle?.fd !== undefined && handle.fd >= 0 && handle.fd !== stream.fd;
	if (process.platform === 'win32' || !stream.isTTY || !isOwn) return false;
	return handle.setBlocking?.(false) === 0;
}
