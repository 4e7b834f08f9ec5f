import {randomId} from '../../hooks/random-id.ts';
import {RejectedError} from '../api/errors.ts';
import type {Hole} from '../db/database.ts';
import type {Upserted} from '../domain/timeline.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from './listing.ts';
import {addNews, type News} from './news.ts';
import type {Shelf} from './shelf.ts';

/** Pages read in one go before what lies between is left as a gap to be filled when it is looked at. */
const catchUpPages = 3;

/**
 * A listing whose first page holds the newest messages (SERVICE-NOTES, Polling): one known and unchanged message in
 * the first page ends the poll. `first` is that page, read with a small limit.
 */
export async function readTail(
	shelf: Shelf,
	read: ReadPage,
	first: WalkedPage,
	news: News,
	now: number,
): Promise<void> {
	const newestKnown = shelf.timeline.items().at(-1)?.id;
	if (shelf.observe(first.items, {isOldest: first.nextCursor === undefined, isNewest: true}, now))
		news.isReshaped = true;
	if (takeAndMeet(shelf, first, news, new Set()) || first.nextCursor === undefined) return;
	const taken = idsOf(first);
	const oldestTaken = oldestOf(shelf, taken);
	if (!oldestTaken) return;
	// What lies between is a gap from here on: the walk may be cut short, and the next poll would meet what this one read.
	let gap = addHole(shelf, {before: oldestTaken, ...(newestKnown && {after: newestKnown})});
	news.isReshaped = true;
	// Read again from the start: a cursor is not used with another limit than the one it came from.
	let pages = 0;
	for await (const page of walk(read, {limit: fullPage})) {
		const isMet = takeAndMeet(shelf, page, news, taken);
		if (isMet || (page.nextCursor === undefined && !page.isCut)) {
			replaceHole(shelf, gap.id, undefined);
			return;
		}
		for (const id of idsOf(page)) taken.add(id);
		gap = {...gap, before: oldestOf(shelf, taken) ?? gap.before, cursor: page.nextCursor};
		replaceHole(shelf, gap.id, gap);
		if (++pages === catchUpPages) return;
	}
}

/** Takes a page in; answers whether it met what was known before this poll. `taken`: what this poll took before. */
function takeAndMeet(shelf: Shelf, page: WalkedPage, news: News, taken: ReadonlySet<string>): boolean {
	const brought = shelf.take(page.items, 'newer');
	addNews(news, brought);
	return brought.unchanged.some(id => !taken.has(id));
}

function idsOf(page: WalkedPage): Set<string> {
	return new Set(page.items.map(({id}) => id));
}

function oldestOf(shelf: Shelf, ids: ReadonlySet<string>): string | undefined {
	return shelf.timeline.items().find(({id}) => ids.has(id))?.id;
}

export function addHole(shelf: Shelf, place: Omit<Hole, 'id'>): Hole {
	const hole = {id: randomId(), ...place};
	shelf.setFacts({holes: [...(shelf.facts.holes ?? []), hole]});
	return hole;
}

/**
 * Reads the page just before a hole's newer end. The hole shrinks, or closes when the page meets what is known or
 * the history begins. Answers whether anything came.
 */
export async function readHole(shelf: Shelf, read: ReadPage, hole: Hole, news: News): Promise<boolean> {
	let isAnything = false;
	for await (const page of pagesBefore(shelf, read, hole)) {
		const taken = shelf.take(page.items, 'older');
		addNews(news, taken);
		const isMet = hole.after !== undefined && isReaching(shelf, page, hole.after);
		isAnything ||= taken.added.length > 0;
		if (isMet || page.nextCursor === undefined) {
			const isBack = !isMet && leadsBack(page, taken);
			replaceHole(shelf, hole.id, isBack ? {...hole, cursor: undefined} : undefined);
			if (!isMet) shelf.setFacts({isCutShort: !page.isEnd});
			break;
		}
		const before = oldestOf(shelf, idsOf(page)) ?? hole.before;
		hole = {...hole, before, cursor: page.nextCursor};
		replaceHole(shelf, hole.id, hole);
		if (isAnything) break;
	}
	news.isReshaped = true;
	return isAnything;
}

/** A cursor that came again led to messages known before: no history ends with those. */
export function leadsBack(page: WalkedPage, {added}: Pick<Upserted, 'added'>): boolean {
	return page.isCut === true && page.items.length > 0 && added.length === 0;
}

/** From the hole's cursor; a refused one is dropped once and the listing walked from its start to the hole. */
async function* pagesBefore(shelf: Shelf, read: ReadPage, hole: Hole): AsyncGenerator<WalkedPage> {
	if (hole.cursor !== undefined) {
		try {
			yield* walk(read, {limit: fullPage, cursor: hole.cursor});
			return;
		} catch (error) {
			if (!(error instanceof RejectedError)) throw error;
			replaceHole(shelf, hole.id, {...hole, cursor: undefined});
		}
	}
	let isThere = false;
	for await (const page of walk(read, {limit: fullPage})) {
		isThere ||= isReaching(shelf, page, hole.before);
		if (isThere || page.nextCursor === undefined) yield page;
	}
}

/** Does the page hold a message that is known, or one from before it? */
function isReaching(shelf: Shelf, page: WalkedPage, known: string): boolean {
	const time = shelf.timeline.get(known)?.message.createdAt;
	return page.items.some(({id, createdAt}) => id === known || (time && createdAt && createdAt < time));
}

function replaceHole(shelf: Shelf, id: string, next: Hole | undefined): void {
	const before = shelf.facts.holes ?? [];
	if (!before.some(hole => hole.id === id)) return;
	const holes = before.flatMap(hole => (hole.id !== id ? [hole] : (next ?? [])));
	shelf.setFacts({holes, isComplete: holes.length === 0});
}
