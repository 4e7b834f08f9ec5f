import {RejectedError} from '../../api/errors.ts';
import {append, lowest} from '../../domain/large-arrays.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';
import type {RoleAnswer} from '../../domain/messages/roles.ts';
import type {Clock} from '../core/clock.ts';
import {fullPage, type ReadPage, walk} from '../core/read-list.ts';
import {createListingReach} from './listing-reach.ts';
import type {MessageWindow} from './message-window.ts';

/** A `role=` listing's answer about some messages. */
export type RoleListingAnswer = RoleAnswer & {
	readonly items: readonly Message[];
	/** Oldest first: the walk has not reached the newest end yet; the next call continues it. */
	readonly isUnfinished?: boolean;
};

type ReadListing = (
	read: ReadPage,
	role: MessageRole,
	targets: readonly Message[],
	maxPagesRead?: number,
) => Promise<RoleListingAnswer>;

export type RoleListings = ReturnType<typeof createRoleListings>;

/** Maximum delay until a lagging listing includes a message, ms. */
export const maxLag = 60_000;
/** The answer of a listing that was not read. */
const notRead: RoleListingAnswer = {items: [], ids: new Set(), covered: new Set(), isUnfinished: true};
/** Maximum pages of one listing per call. */
const maxPages = 20;
/** Oldest first: maximum pages when the last minute's messages span many. */
const maxUnsettledPages = 100;
const smallestWindow = 5;

/** A walk back through a `role=` listing: covers messages after `from` and up to `to`, Unix ms. */
type BackwardWalk = {
	readonly from: number;
	readonly to: number;
	readonly limit: number;
	/** Cursor to messages older than `from`. */
	readonly cursor?: string;
};

/** The `role=` listings of one session, in whichever direction the service lists them. */
export function createRoleListings(messageWindow: MessageWindow, clock: Clock) {
	const reach = createListingReach(messageWindow);
	const walkedBack = new Map<MessageRole, BackwardWalk>();
	/** Ids that each listing returned, while a walk back through it may be continued. */
	const foundIds = new Map<MessageRole, Set<string>>();
	/** Oldest first: listings whose walk has not reached the newest end, and up to when the others were read, Unix ms. */
	const unfinished = new Set<MessageRole>();
	const finishedUpTo = new Map<MessageRole, number>();
	/** Oldest first: cursors to continue from, until the roles read so far are saved. */
	const reachedCursors = new Map<MessageRole, string>();
	let isReadAhead = false;

	function newestTime(): number {
		const items = messageWindow.timeline.items();
		const newest = items.findLast(({message}) => message.createdAt !== undefined);
		return newest?.message.createdAt ?? Number.NEGATIVE_INFINITY;
	}

	/** One message more than the window holds proves that the listing reaches past its oldest one. */
	function limitFor(targets: readonly Message[]): number {
		const ids = new Set(targets.map(({id}) => id));
		const items = messageWindow.timeline.items();
		const first = items.findIndex(({id}) => ids.has(id));
		const size = first === -1 || !messageWindow.listing.pages ? fullPage : items.length - first;
		return size >= fullPage / 2 ? fullPage : Math.max(smallestWindow, size + 1);
	}

	function addFoundIds(role: MessageRole, items: readonly Message[]): void {
		const ids = foundIds.get(role) ?? new Set();
		for (const {id} of items) ids.add(id);
		foundIds.set(role, ids);
	}

	async function walkBack(
		read: ReadPage,
		role: MessageRole,
		{limit, cursor, isProbe}: {readonly limit: number; readonly cursor?: string; readonly isProbe?: boolean},
		targets: readonly Message[],
	) {
		const items: Message[] = [];
		const missing = new Set(targets.map(({id}) => id));
		// While the direction is unknown, one page can't prove that the others hold no message of the window.
		const isOrdered = messageWindow.listing.pages === 'tail';
		const oldestTarget = isOrdered
			? lowest(targets.map(({createdAt = Number.NEGATIVE_INFINITY}) => createdAt))
			: Number.NEGATIVE_INFINITY;
		let from = Number.POSITIVE_INFINITY;
		let next: string | undefined;
		let left = maxPages;
		for await (const page of walk(read, {limit, role, ...(cursor !== undefined && {cursor})})) {
			append(items, page.items);
			for (const {id, createdAt} of page.items) {
				missing.delete(id);
				if (isOrdered && createdAt !== undefined) from = Math.min(from, createdAt);
			}
			next = page.nextCursor;
			if (page.isEnd) from = Number.NEGATIVE_INFINITY;
			const isEnough = missing.size === 0 || (isOrdered && isProbe && page.items.length > 0);
			if (page.isEnd || from < oldestTarget || isEnough || --left === 0) break;
		}
		reach.extend(items);
		return {items, from, limit, ...(next !== undefined && {cursor: next}), isCutShort: left === 0};
	}

	/**
	 * Ids that the listing would include if they had its role: it was read past them, and lags neither behind the others
	 * nor with them.
	 */
	function coveredOf(targets: readonly Message[], from: number, requestedAt: number): ReadonlySet<string> {
		const isPast = ({createdAt}: Message) =>
			createdAt === undefined
				? from === Number.NEGATIVE_INFINITY
				: createdAt > from && createdAt <= requestedAt - maxLag;
		const covered = targets.filter(message => isPast(message) && reach.isReached(message));
		return new Set(covered.map(({id}) => id));
	}

	/** Time up to which a listing covers all messages, if it is read from its newest end, Unix ms. */
	function coveredTime(requestedAt: number): number {
		return Math.min(requestedAt - maxLag, newestTime(), reach.reachedTime());
	}

	async function fromTail(
		read: ReadPage,
		role: MessageRole,
		targets: readonly Message[],
		isProbe = false,
	): Promise<RoleListingAnswer> {
		const requestedAt = clock.now();
		const options = {limit: limitFor(targets), isProbe};
		const {items, isCutShort, ...reached} = await walkBack(read, role, options, targets);
		addFoundIds(role, items);
		saveWalk(role, {...reached, to: coveredTime(requestedAt)}, isCutShort);
		return {items, ids: idsOf(items), covered: coveredOf(targets, reached.from, requestedAt)};
	}

	function saveWalk(role: MessageRole, next: BackwardWalk, isCutShort: boolean): void {
		const before = walkedBack.get(role);
		if (isDeadEnd(next)) return;
		const isDeeper = !before || next.from <= before.from;
		if (!isDeeper && next.from < before.to) walkedBack.set(role, {...before, to: next.to});
		else if (isCutShort || (isDeeper && next.limit === fullPage)) walkedBack.set(role, next);
	}

	async function continueBack(
		read: ReadPage,
		role: MessageRole,
		targets: readonly Message[],
	): Promise<RoleListingAnswer> {
		// What the walk has not reached yet isn't above it, even if it is so new that its listing may lag.
		const isAbove = ({createdAt}: Message) => {
			const walked = walkedBack.get(role);
			if (!walked || createdAt === undefined) return true;
			return createdAt > walked.to && createdAt > walked.from;
		};
		const above = targets.filter(isAbove);
		const fresh = above.length > 0 ? await fromTail(read, role, above) : undefined;
		const items = [...(fresh?.items ?? [])];
		const within = targets.filter(message => !isAbove(message));
		const below = within.filter(message => hasUnreadPages(role, message));
		const before = walkedBack.get(role);
		let reached = before;
		if (before?.cursor !== undefined && below.length > 0) {
			const {cursor: _used, ...rest} = before;
			const walked = await walkBack(read, role, before, below);
			append(items, walked.items);
			addFoundIds(role, walked.items);
			const from = Math.min(rest.from, walked.from);
			reached = {...rest, from, ...(walked.cursor !== undefined && {cursor: walked.cursor})};
			if (isDeadEnd(reached)) walkedBack.delete(role);
			else walkedBack.set(role, reached);
		}
		const {from = Number.POSITIVE_INFINITY, to = Number.NEGATIVE_INFINITY} = reached ?? {};
		const known = foundIds.get(role);
		return {
			items,
			ids: new Set([...idsOf(items), ...targets.flatMap(({id}) => (known?.has(id) ? [id] : []))]),
			covered: new Set([
				...(fresh?.covered ?? []),
				...within.flatMap(({id, createdAt = from}) => (createdAt > from && createdAt <= to ? [id] : [])),
			]),
		};
	}

	/** Reads from the saved cursor; an earlier walk has read everything before it. */
	async function fromHead(
		read: ReadPage,
		role: MessageRole,
		targets: readonly Message[],
		maxPagesRead = maxPages,
	): Promise<RoleListingAnswer> {
		const requestedAt = clock.now();
		const items: Message[] = [];
		const cursor = messageWindow.listing.roleCursors?.[role];
		const settledUntil = Math.min(newestTime(), requestedAt - maxLag);
		let pages = 0;
		let isEnd = false;
		/** Set at a page so new that lagging messages may still be inserted: it is read again next time. */
		let isUnsettled = false;
		let hasAdvanced = false;
		for await (const page of walk(read, {limit: fullPage, role, ...(cursor && {cursor})})) {
			append(items, page.items);
			const at = page.nextCursor ?? page.cursor ?? '';
			isUnsettled ||= page.items.some(({createdAt = settledUntil}) => createdAt > settledUntil);
			if (!isUnsettled) {
				reachedCursors.set(role, at);
				hasAdvanced = true;
			}
			isEnd = page.isEnd === true;
			if (page.items.length > 0) pages++;
			const isEnough = pages >= (isUnsettled ? maxUnsettledPages : maxPagesRead);
			if (isEnough && page.nextCursor !== undefined) {
				reach.extend(items);
				const found = {items, ids: idsOf(items), covered: new Set<string>()};
				// The next call would only read the same pages again, so leave the rest until they have settled.
				if (!hasAdvanced && isUnsettled) {
					unfinished.delete(role);
					return found;
				}
				unfinished.add(role);
				return {...found, isUnfinished: true};
			}
		}
		reach.extend(items);
		unfinished.delete(role);
		if (isEnd) finishedUpTo.set(role, coveredTime(requestedAt));
		const from = isEnd ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
		return {items, ids: idsOf(items), covered: coveredOf(targets, from, requestedAt)};
	}

	/** Saves the cursors reached, once the roles before them are saved, so that those pages aren't read again. */
	function saveCursors(): void {
		const before = messageWindow.listing.roleCursors;
		const next = {...before, ...Object.fromEntries(reachedCursors)};
		if ([...reachedCursors].some(([role, cursor]) => before?.[role] !== cursor))
			messageWindow.setListingState({roleCursors: next});
		reachedCursors.clear();
		const [user, tool] = [finishedUpTo.get('user'), finishedUpTo.get('tool')];
		if (user === undefined || tool === undefined) return;
		// Cached messages found in neither listing, when both were read to the end, are the assistant's.
		const assistantUpTo = Math.min(user, tool);
		if (assistantUpTo > (messageWindow.listing.assistantUpTo ?? Number.NEGATIVE_INFINITY))
			messageWindow.setListingState({assistantUpTo});
	}

	/** Whether the last walk stopped before this message and can be continued. */
	function hasUnreadPages(role: MessageRole, {createdAt}: Message): boolean {
		if (messageWindow.listing.pages === 'head') return unfinished.has(role);
		const walked = walkedBack.get(role);
		return walked?.cursor !== undefined && createdAt !== undefined && createdAt <= walked.from;
	}

	/** If the service rejects a cursor, drops it and reads the listing from the start, once. */
	function withRestart(readListing: ReadListing): ReadListing {
		return async (...args) => {
			const [, role] = args;
			const isHead = messageWindow.listing.pages === 'head';
			try {
				return await readListing(...args);
			} catch (error) {
				reachedCursors.delete(role);
				const hasCursor = isHead ? messageWindow.listing.roleCursors?.[role] : walkedBack.get(role)?.cursor;
				if (!(error instanceof RejectedError) || !hasCursor) throw error;
				walkedBack.delete(role);
				messageWindow.setListingState({roleCursors: {...messageWindow.listing.roleCursors, [role]: ''}});
				return readListing(...args);
			}
		};
	}

	return {
		reach,
		/**
		 * Reads the newest end, to see how far the listings reach: one page, if the newest messages come first. Oldest first:
		 * a step of the way to it; see `isUnfinished`.
		 */
		peek: withRestart((read, role, targets, maxPagesRead) =>
			messageWindow.listing.pages === 'head'
				? fromHead(read, role, targets, maxPagesRead)
				: fromTail(read, role, targets, true),
		),
		/** Reads from the newest end past the oldest target. Oldest first: at most `maxPagesRead` pages. */
		newest: withRestart((read, role, targets, maxPagesRead) =>
			messageWindow.listing.pages === 'head'
				? fromHead(read, role, targets, maxPagesRead)
				: fromTail(read, role, targets),
		),
		/** The same for older messages: continues where the last walk back ended, and reads no page twice. */
		history: withRestart(async (read, role, targets) => {
			if (messageWindow.listing.pages !== 'head') return continueBack(read, role, targets);
			// A listing that was read to its end waits for the other one: nothing is certain before.
			const other = role === 'user' ? 'tool' : 'user';
			const isWaiting = finishedUpTo.has(role) && !unfinished.has(role) && unfinished.has(other);
			return isWaiting ? notRead : fromHead(read, role, targets);
		}),
		saveCursors,
		/** Drops cursors reached by reads that failed before the roles were saved. */
		dropCursors: () => reachedCursors.clear(),
		hasUnreadPages,
		/** Oldest first: whether the walk has not reached the newest end yet. */
		isUnfinished: (role: MessageRole) => unfinished.has(role),
		/** Oldest first: whether all pages of the listing stand before its newest end, as it was never read. */
		isFarOff: (role: MessageRole) =>
			messageWindow.listing.pages === 'head' && messageWindow.listing.roleCursors?.[role] === undefined,
		/** Whether the message is so new that a listing may not include it yet. */
		isYoung: ({createdAt}: Message) => createdAt === undefined || createdAt > clock.now() - maxLag,
		/**
		 * Oldest first: `role=assistant` must be walked once before its newest end is one request away. Reads some of
		 * it; returns true if there is nothing left to read ahead.
		 */
		async readAhead(read: ReadPage): Promise<boolean> {
			const {pages, roleCursors = {}} = messageWindow.listing;
			const isNeeded = !isReadAhead && (roleCursors.assistant === undefined || unfinished.has('assistant'));
			if (pages !== 'head' || roleCursors.user === undefined || !isNeeded) return true;
			reachedCursors.clear();
			const {items} = await withRestart(fromHead)(read, 'assistant', []);
			messageWindow.setRoles(new Map(items.map(({id}) => [id, 'assistant'])));
			saveCursors();
			isReadAhead = !unfinished.has('assistant');
			return isReadAhead;
		},
	};
}

/** The service gave no cursor but didn't say that the listing ends: the next walk starts over. */
function isDeadEnd({cursor, from}: BackwardWalk): boolean {
	return cursor === undefined && from > Number.NEGATIVE_INFINITY;
}

function idsOf(messages: readonly Message[]): Set<string> {
	return new Set(messages.map(({id}) => id));
}
