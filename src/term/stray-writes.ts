import type {WriteStream} from 'node:tty';

/** How much of what was written is kept, in UTF-16 units: the newest. */
const kept = 8 * 1024;

/**
 * While the screen is open, what others write to the terminal (`console`, warnings of Node) would land in the middle
 * of it, unchecked. It is kept back here, for the report of a crash. A stream that is no terminal is left alone.
 */
export class StrayWrites {
	#text = '';
	readonly #release: Array<() => void> = [];

	hold(stream: WriteStream): void {
		if (!stream.isTTY) return;
		const write = stream.write;
		stream.write = ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
			const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
			this.#text = (this.#text + text).slice(-kept);
			const callback = rest.find(value => typeof value === 'function');
			if (callback) queueMicrotask(callback as () => void);
			return true;
		}) as typeof write;
		this.#release.push(() => {
			stream.write = write;
		});
	}

	/** Lets everyone write again. */
	release(): void {
		for (const release of this.#release.splice(0)) release();
	}

	/** The newest of what was kept back, raw. */
	get text(): string {
		return this.#text;
	}
}
