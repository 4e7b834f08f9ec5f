import type {WriteStream} from 'node:tty';

/** Maximum length of the remembered text, in UTF-16 units: its newest part. */
const maxLength = 8 * 1024;

/**
 * Intercepts other writes to the terminal (`console`, Node's warnings) while the screen is open, where they would
 * land in the middle of it, and remembers them for the crash report. Ignores streams that aren't terminals.
 */
export class StrayWrites {
	#text = '';
	readonly #release: Array<() => void> = [];

	intercept(stream: WriteStream): void {
		if (!stream.isTTY) return;
		const write = stream.write;
		stream.write = ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
			const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
			this.#text = (this.#text + text).slice(-maxLength);
			const callback = rest.find(value => typeof value === 'function');
			if (callback) queueMicrotask(callback as () => void);
			return true;
		}) as typeof write;
		this.#release.push(() => {
			stream.write = write;
		});
	}

	/** Stops intercepting. */
	release(): void {
		for (const release of this.#release.splice(0)) release();
	}

	/** The newest intercepted text, raw. */
	get text(): string {
		return this.#text;
	}
}
