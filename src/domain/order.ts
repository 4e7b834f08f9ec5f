import {append} from './large-arrays.ts';
import type {Message} from './messages/message.ts';

/** Order of messages within one page. */
export type InsideOrder = 'ascending' | 'descending';
/** Which end of the history the first page (without a cursor) returns. */
export type PageDirection = 'tail' | 'head';

/**
 * Detects the order of messages within a page from sequence numbers, parent links or differing times.
 * Undefined if none of these decides; the contract doesn't specify the order.
 */
export function insideOrder(page: readonly Message[]): InsideOrder | undefined {
	const at = new Map(page.map((message, index) => [message.id, index]));
	let vote = 0;
	for (const [index, message] of page.entries()) {
		const parent = message.parentId === undefined ? undefined : at.get(message.parentId);
		if (parent !== undefined && parent !== index) vote += parent < index ? 2 : -2;
		const before = page[index - 1];
		if (!before) continue;
		vote += 2 * compare(sequenceOf(before), sequenceOf(message));
		vote += compare(before.createdAt, message.createdAt);
	}
	if (vote === 0) return undefined;
	return vote > 0 ? 'ascending' : 'descending';
}

/**
 * Whether the order of these messages, sorted by time, is unknown: they share one time and have neither sequence numbers
 * nor parents.
 */
export function isOrderUnknown(messages: readonly Message[]): boolean {
	const [first, last] = [messages[0], messages.at(-1)];
	if (!first || !last || first === last || first.createdAt !== last.createdAt) return false;
	return insideOrder(messages) === undefined;
}

/**
 * Infers the order of a listing that was read to its end from where new messages, the newest, appear among known ones.
 * `pages` says of each message whether it was known. Empty if undecided.
 */
export function orderByNew(pages: readonly (readonly boolean[])[]): {
	readonly direction?: PageDirection;
	readonly inside?: InsideOrder;
} {
	const mixed = pages.find(page => page.includes(true) && page.includes(false));
	const votes = (mixed ?? []).flatMap((isKnown, index) => {
		const before = mixed?.[index - 1];
		return before === undefined || before === isKnown ? [] : [isKnown];
	});
	const inside = votes.length === 1 ? (votes[0] ? 'descending' : 'ascending') : undefined;
	const hasNew = (page: readonly boolean[] | undefined) => page?.includes(false) === true;
	const [atStart, atEnd] = [hasNew(pages[0]), hasNew(pages.at(-1))];
	const isDecided = pages.length > 1 && pages.flat().includes(true) && atStart !== atEnd;
	return {...(isDecided && {direction: atStart ? 'tail' : 'head'}), ...(inside && {inside})};
}

/** Detects the page direction from the first two pages; undefined if undecidable. */
export function pageDirection(
	first: readonly Message[],
	second: readonly Message[],
): PageDirection | undefined {
	const inFirst = new Set(first.map(message => message.id));
	const inSecond = new Set(second.map(message => message.id));
	let vote = 0;
	for (const message of second) if (message.parentId && inFirst.has(message.parentId)) vote += 1;
	for (const message of first) if (message.parentId && inSecond.has(message.parentId)) vote -= 1;
	vote += 2 * compare(meanOf(first, sequenceOf), meanOf(second, sequenceOf));
	vote += 2 * compare(meanOf(first, timeOf), meanOf(second, timeOf));
	if (vote === 0) return undefined;
	return vote > 0 ? 'head' : 'tail';
}

/** 1 if the second value is higher, -1 if the first is, 0 if they are equal or either is missing. */
function compare(first: number | undefined, second: number | undefined): number {
	return first === undefined || second === undefined ? 0 : Math.sign(second - first);
}

function timeOf(message: Message): number | undefined {
	return message.createdAt;
}

function meanOf(
	page: readonly Message[],
	value: (message: Message) => number | undefined,
): number | undefined {
	const values = page.map(value).filter(found => found !== undefined);
	return values.length === 0 ? undefined : values.reduce((sum, next) => sum + next, 0) / values.length;
}

/**
 * Returns the page oldest first. `fallback` is the session's known order, used when the page itself doesn't
 * decide.
 */
export function oldestFirst(page: readonly Message[], fallback?: InsideOrder): readonly Message[] {
	return (insideOrder(page) ?? fallback ?? 'descending') === 'descending' ? page.toReversed() : page;
}

/** The message's sequence number, if any. Not in the contract; used when a service sends it. */
export function sequenceOf(message: Message): number | undefined {
	const value = message.seq ?? message.sequence;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A message and its arrival rank; lower arrived first. */
export type RankedMessage = {readonly message: Message; readonly rank: number};

/**
 * Orders messages with the same time: by sequence if all have one, otherwise parent before child, then by
 * rank (arrival).
 */
export function orderTies<T extends RankedMessage>(ties: readonly T[]): T[] {
	const byRank = ties.toSorted((a, b) => a.rank - b.rank);
	if (byRank.every(item => sequenceOf(item.message) !== undefined)) {
		return byRank.sort((a, b) => (sequenceOf(a.message) ?? 0) - (sequenceOf(b.message) ?? 0));
	}
	const byId = new Map(byRank.map(item => [item.message.id, item]));
	const ordered: T[] = [];
	const placed = new Set<T>();
	for (const item of byRank) {
		const chain: T[] = [];
		for (let next: T | undefined = item; next && !placed.has(next); ) {
			placed.add(next);
			chain.push(next);
			next = next.message.parentId === undefined ? undefined : byId.get(next.message.parentId);
		}
		append(ordered, chain.reverse());
	}
	return ordered;
}
