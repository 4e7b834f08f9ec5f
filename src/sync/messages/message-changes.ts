/** Ids of the messages that one poll found new or changed. */
export type MessageChanges = {
	readonly added: Set<string>;
	readonly changed: Set<string>;
	/** Whether messages disappeared from the listing, or gaps were found or closed. */
	isReshaped: boolean;
};

export function createMessageChanges(): MessageChanges {
	return {added: new Set(), changed: new Set(), isReshaped: false};
}

export function addMessageChanges(
	changes: MessageChanges,
	{added, changed}: {readonly added: Iterable<string>; readonly changed: Iterable<string>},
): void {
	for (const id of added) changes.added.add(id);
	for (const id of changed) if (!changes.added.has(id)) changes.changed.add(id);
}

export function hasMessageChanges(changes: MessageChanges): boolean {
	return changes.added.size > 0 || changes.changed.size > 0 || changes.isReshaped;
}
