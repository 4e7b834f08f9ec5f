/** Total UTF-16 units and number of texts. Reading that many pages of a hundred items takes hours. */
const limits = {units: 16 * 1024 * 1024, texts: 100_000};

/**
 * A set of texts with bounded memory: it forgets the older half. Deleting one text at a time from the start of a large
 * `Set` would take quadratic time.
 */
export class BoundedTextSet {
	#older = new Set<string>();
	#newer = new Set<string>();
	/** UTF-16 units of the newer texts. */
	#units = 0;

	/** Adds the text and returns whether it was new. */
	add(text: string): boolean {
		if (this.#newer.has(text) || this.#older.has(text)) return false;
		if (this.#newer.size >= limits.texts / 2 || this.#units + text.length > limits.units / 2) {
			this.#older = this.#newer;
			this.#newer = new Set();
			this.#units = 0;
		}
		this.#newer.add(text);
		this.#units += text.length;
		return true;
	}
}
