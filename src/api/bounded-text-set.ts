/** A set of texts with bounded memory: it forgets the oldest. */
export type BoundedTextSet = {
	/** Adds the text and returns whether it was new. */
	isNew(text: string): boolean;
};

/** Total UTF-16 units and number of texts. Reading that many pages of a hundred items takes hours. */
const limits = {units: 16 * 1024 * 1024, texts: 100_000};

export function createBoundedTextSet(): BoundedTextSet {
	const known = new Set<string>();
	let units = 0;
	return {
		isNew(text) {
			if (known.has(text)) return false;
			known.add(text);
			units += text.length;
			for (const oldest of known) {
				if (known.size <= limits.texts && units <= limits.units) break;
				known.delete(oldest);
				units -= oldest.length;
			}
			return true;
		},
	};
}
