/**
 * Collects the chunks of a body in one growing buffer, so that a body arriving byte by byte takes no more
 * memory.
 */
export type BodyBuffer = {
	readonly size: number;
	add(chunk: Buffer): void;
	content(): Buffer;
};

export function createBodyBuffer(): BodyBuffer {
	let store = Buffer.allocUnsafe(16 * 1024);
	let size = 0;
	return {
		get size() {
			return size;
		},
		add(chunk) {
			if (size + chunk.length > store.length) {
				const larger = Buffer.allocUnsafe(Math.max(store.length * 2, size + chunk.length));
				store.copy(larger, 0, 0, size);
				store = larger;
			}
			chunk.copy(store, size);
			size += chunk.length;
		},
		content: () => store.subarray(0, size),
	};
}
