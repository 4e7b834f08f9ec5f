/** Total UTF-16 units and number of texts. Reading that many pages of a hundred items takes hours. */
const limits = {units: 16 * 1024 * 1024, texts: 100_000};

/** A set of texts with bounded memory: it forgets the oldest. */
export class BoundedTextSet {
	readonly #texts = new Set<string>();
	#units = 0;

	/** Adds the text and returns whether it was new. */
	add(text: string): boolean {
		const texts = this.#texts;
		if (texts.has(text)) return false;
		texts.add(text);
		this.#units += text.length;
		for (const oldest of texts) {
			if (texts.size <= limits.texts && this.#units <= limits.units) break;
			texts.delete(oldest);
			this.#units -= oldest.length;
		}
		return true;
	}
}
