/** One page of a v0 list, decoded item by item. */
export type Page<T> = {
	readonly items: readonly T[];
	readonly hasMore: boolean;
	/** Opaque; absent at the end, whatever the service sent there (null, empty or nothing). */
	readonly nextCursor?: string;
	/** Items that could not be decoded (no id, not an object). They are skipped, and counted in diagnostics. */
	readonly skipped: number;
};
