import type {Message} from './messages/message.ts';

/** Which end of the history the first page (without a cursor) returns. */
export type PageOrder = 'newest-first' | 'oldest-first';

/** Returns the page oldest first. If its messages all have one time, assumes the order of the pages. */
export function oldestFirst(page: readonly Message[], pageOrder?: PageOrder): readonly Message[] {
	const order = compare(page.find(isPlaced), page.findLast(isPlaced));
	return (order === 0 ? pageOrder === 'oldest-first' : order < 0) ? page : page.toReversed();
}

/** Detects the order of the pages by the first two pages; undefined if undecidable. */
export function pageOrderOf(first: readonly Message[], second: readonly Message[]): PageOrder | undefined {
	const [before, after] = [oldestFirst(first), oldestFirst(second)];
	const order =
		compare(before.findLast(isPlaced), after.findLast(isPlaced)) ||
		compare(before.find(isPlaced), after.find(isPlaced));
	if (order === 0) return undefined;
	return order < 0 ? 'oldest-first' : 'newest-first';
}

/** Whether the order of these messages, oldest first, is unknown: they share one time and have no sequence numbers. */
export function isOrderUnknown(messages: readonly Message[]): boolean {
	return messages.length > 1 && compare(messages[0], messages.at(-1)) === 0;
}

/** The message's sequence number, if any. Not in the contract; used when a service sends it. */
export function sequenceOf(message: Message): number | undefined {
	const value = message.seq ?? message.sequence;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isPlaced(message: Message): boolean {
	return message.createdAt !== undefined || sequenceOf(message) !== undefined;
}

/** Negative if `a` is older by time or, at the same time, by sequence number; 0 if that is unknown. */
function compare(a: Message | undefined, b: Message | undefined): number {
	if (!a || !b) return 0;
	const difference = (from: number | undefined, to: number | undefined) =>
		from === undefined || to === undefined ? 0 : from - to;
	return difference(a.createdAt, b.createdAt) || difference(sequenceOf(a), sequenceOf(b));
}
