/** A set of message keys, one bit each. */
export class KeySet {
	readonly #bits: Uint32Array;

	constructor(newest: number) {
		this.#bits = new Uint32Array((newest >>> 5) + 1);
	}

	add(key: number): void {
		this.#bits[key >>> 5] = this.#wordOf(key) | (1 << (key & 31));
	}

	/** Returns whether it was in the set. */
	delete(key: number): boolean {
		const word = this.#wordOf(key);
		const bit = 1 << (key & 31);
		if ((word & bit) === 0) return false;
		this.#bits[key >>> 5] = word & ~bit;
		return true;
	}

	#wordOf(key: number): number {
		return this.#bits[key >>> 5] ?? 0;
	}
}
