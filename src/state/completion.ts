/** Something that can take the place of what is being typed. */
export type Suggestion = {
	/** Raw, as it goes into the text. A folder ends in `/`. */
	readonly path: string;
	/** UTF-16 indexes of `path` that match what was typed. */
	readonly matches: readonly number[];
	/** What it is, for the reader: type and size of an image. */
	readonly detail?: string;
};

/** Suggestions for a part of what is being written to a session: files after `@`, or an image whose path was pasted. */
export type Completion = {
	readonly sessionId: string;
	readonly kind: 'files' | 'image';
	/** The part of the composer's text that a suggestion replaces. */
	readonly start: number;
	readonly end: number;
	readonly items: readonly Suggestion[];
	/** How many there are, those left out included. */
	readonly total: number;
	readonly selected: number;
	/** Closed by the user: it stays so until something else is typed there. */
	readonly isClosed: boolean;
};

/** Is there something to choose from? */
export function isOpen(completion: Completion | undefined, sessionId: string | undefined): boolean {
	if (!completion || completion.sessionId !== sessionId) return false;
	return !completion.isClosed && completion.items.length > 0;
}

/** The choice moved by a row, around the ends. */
export function moveSelection(completion: Completion, by: 1 | -1): Completion {
	const {items, selected} = completion;
	return {...completion, selected: (selected + by + items.length) % items.length};
}
