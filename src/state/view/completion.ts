export type Suggestion = {
	/** Raw, as inserted into the text. Folders end in `/`. */
	readonly path: string;
	/** UTF-16 indexes of the characters of `path` that match the typed text. */
	readonly matches: readonly number[];
	/** An image's type and size, or a prompt's description. */
	readonly detail?: string;
};

/**
 * Completions for part of a message being composed: files after `@`, saved prompts after `/`, or an image whose path
 * was pasted; or for the folder of a new session.
 */
export type Completion = {
	readonly sessionId: string;
	readonly kind: 'files' | 'prompts' | 'image' | 'folders';
	/** The range of the composer's text that a suggestion replaces. */
	readonly start: number;
	readonly end: number;
	readonly items: readonly Suggestion[];
	/** Total number of matches, including those not listed. */
	readonly total: number;
	readonly selected: number;
	/** Dismissed by the user, until that part of the text changes. */
	readonly isClosed: boolean;
};

export function isOpen(completion: Completion | undefined, sessionId: string | undefined): boolean {
	if (!completion || completion.sessionId !== sessionId) return false;
	return !completion.isClosed && completion.items.length > 0;
}

/** Moves the selection by one row, wrapping around. */
export function moveSelection(completion: Completion, by: 1 | -1): Completion {
	const {items, selected} = completion;
	return {...completion, selected: (selected + by + items.length) % items.length};
}
