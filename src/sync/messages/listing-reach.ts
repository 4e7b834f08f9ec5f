import {highest} from '../../domain/large-arrays.ts';
import type {Message} from '../../domain/messages/message.ts';
import {isFilterHonored, type ListedByRole} from '../../domain/messages/roles.ts';
import type {MessageWindow} from './message-window.ts';

/** Maximum number of ids to save: messages rarely share a time. */
const maxListedIds = 100;

/** The service ignored a `role=` filter: it returned messages of other roles. */
export class FilterIgnoredError extends Error {
	override readonly name = 'FilterIgnoredError';

	constructor() {
		super("The service ignored the role filter: it can't list messages by role.");
	}
}

/**
 * How far a session's listings by role reach: they may lag behind without a sign of it, all of them to the same point. The
 * newest message that one of them has returned shows that they include all older ones. Saved with the session.
 */
export function createListingReach(messageWindow: MessageWindow) {
	const {timeline} = messageWindow;

	/** Records what a listing returned. */
	function extend(items: readonly Message[]): void {
		const {listedUpTo: before = Number.NEGATIVE_INFINITY, listedIds = []} = messageWindow.listing;
		const listedUpTo = highest([before, ...items.flatMap(({createdAt}) => createdAt ?? [])]);
		const newest = timeline.items().at(-1);
		const isLast = ({id, createdAt}: Message) =>
			createdAt === undefined ? id === newest?.id : createdAt === listedUpTo;
		const found = items.filter(item => isLast(item) && !listedIds.includes(item.id)).map(({id}) => id);
		if (found.length === 0) return;
		const known = listedUpTo > before ? [] : listedIds;
		messageWindow.setListingState({
			listedIds: [...known, ...found].slice(-maxListedIds),
			...(Number.isFinite(listedUpTo) && {listedUpTo}),
		});
	}

	/** Time up to which the listings certainly include every message, Unix ms. Others of the newest time may be lacking. */
	function reachedTime(): number {
		return (messageWindow.listing.listedUpTo ?? Number.NEGATIVE_INFINITY) - 1;
	}

	/** Whether the listings certainly include this message. */
	function isReached({id, createdAt = Number.POSITIVE_INFINITY}: Message): boolean {
		return createdAt <= reachedTime() || messageWindow.listing.listedIds?.includes(id) === true;
	}

	/** Throws `FilterIgnoredError` if what listings returned shows that the service ignores the role filter. */
	function compare(answers: ListedByRole): void {
		if (!isFilterHonored(answers)) throw new FilterIgnoredError();
		const filled = Object.values(answers).filter(items => items.length > 0);
		if (filled.length > 1 && !messageWindow.listing.isRoleFilterHonored)
			messageWindow.setListingState({isRoleFilterHonored: true});
	}

	return {
		extend,
		reachedTime,
		isReached,
		compare,
	};
}
