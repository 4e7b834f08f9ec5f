/** One page of a v0 list, decoded item by item. */
export type Page<T> = {
	readonly items: readonly T[];
	readonly hasMore: boolean;
	/** Opaque; absent at the end, whether the service sent null, an empty string or nothing. */
	readonly nextCursor?: string;
	/** Number of items that could not be decoded (no id, not an object) and are skipped. Diagnostics count them. */
	readonly skipped: number;
};
