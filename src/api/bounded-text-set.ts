/** Which texts came before. Its memory is bounded: of the oldest it forgets that they came. */
export type BoundedTextSet = {
	/** Answers whether the text is new, and remembers it. */
	isNew(text: string): boolean;
};

/** UTF-16 units of all texts, and how many: as many pages of a hundred items take hours to read. */
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
