import {RejectedError} from '../../api/errors.ts';
import type {MessageQuery} from '../../api/messages.ts';
import type {Service} from '../../api/service.ts';
import {isOfOtherRole, type Message, type MessageRole} from '../../domain/messages/message.ts';
import {
	createTimeline,
	oldestFirst,
	type PageOrder,
	pageOrderOf,
	type TimelineItem,
} from '../../domain/messages/timeline.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from '../../sync/messages/listing.ts';
import {FilterIgnoredError} from '../../sync/messages/role-reader.ts';
import type {NewestMessages} from '../../sync/messages/thread.ts';

type RoleMessagesOptions = {
	readonly list: Service['messages']['list'];
	readonly sessionId: string;
	readonly role: MessageRole;
	/** Which end the session's listing starts at, if known. */
	readonly pageOrder?: PageOrder;
	/** Computer to ask directly. */
	readonly computerId?: string;
};

const pollLimit = 20;

/** A session's messages of one role, read only from that role's listing. */
export function openRoleMessages({list, sessionId, role, pageOrder, computerId}: RoleMessagesOptions) {
	const timeline = createTimeline();
	const routed = computerId === undefined ? {} : {computerId};
	let order = pageOrder;
	/** For oldest-first listings: the cursor for fetching the last page again. */
	let lastCursor: string | undefined;

	const reading =
		(signal: AbortSignal): ReadPage =>
		query =>
			list(sessionId, {...query, role, ...routed}, {signal});

	function addPage(items: readonly Message[], side: 'older' | 'newer') {
		if (items.some(message => isOfOtherRole(message, role))) throw new FilterIgnoredError();
		return timeline.upsert(
			oldestFirst(items, order).map(message => ({message, role})),
			side,
		);
	}

	/** Reads page by page; the first two non-empty pages show which end comes first. */
	async function* pagesFrom(read: ReadPage, query: MessageQuery): AsyncGenerator<WalkedPage> {
		let first: readonly Message[] | undefined;
		let isReported = query.cursor !== undefined;
		for await (const page of walk(read, query)) {
			if (first && page.items.length > 0 && !isReported) {
				order = pageOrderOf(first, page.items) ?? order ?? 'newest-first';
				isReported = true;
			}
			if (page.items.length > 0) first ??= page.items;
			lastCursor = page.cursor;
			yield page;
		}
	}

	/** Reads from the previous last page to the end; a rejected cursor is dropped once. */
	async function* fromLastPage(read: ReadPage): AsyncGenerator<WalkedPage> {
		if (lastCursor !== undefined) {
			try {
				yield* pagesFrom(read, {limit: fullPage, cursor: lastCursor});
				return;
			} catch (error) {
				if (!(error instanceof RejectedError)) throw error;
			}
		}
		yield* pagesFrom(read, {limit: fullPage});
	}

	return {
		/** The newest `count` messages; reads no more pages than needed. */
		async newest(count: number, signal: AbortSignal): Promise<NewestMessages> {
			const limit = order === 'newest-first' ? Math.min(fullPage, count) : fullPage;
			let isWhole = false;
			for await (const page of pagesFrom(reading(signal), {limit})) {
				addPage(page.items, order === 'newest-first' ? 'older' : 'newer');
				isWhole = page.isEnd === true;
				if (order === 'newest-first' && timeline.items().length >= count) break;
			}
			const items = timeline.items().slice(-count);
			return {
				items,
				isWhole: isWhole || (order === 'newest-first' && items.length === count),
				hasOlder: timeline.items().length > items.length || (order === 'newest-first' && !isWhole),
			};
		},
		/** Messages new or changed since the last call, in display order. */
		async poll(signal: AbortSignal): Promise<readonly TimelineItem[]> {
			const read = reading(signal);
			const changedIds = new Set<string>();
			const pages = order === 'newest-first' ? pagesFrom(read, {limit: pollLimit}) : fromLastPage(read);
			for await (const page of pages) {
				const {added, changed, unchanged} = addPage(page.items, 'newer');
				for (const id of [...added, ...changed]) changedIds.add(id);
				if (order === 'newest-first' && unchanged.length > 0) break;
			}
			return timeline.items().filter(({id}) => changedIds.has(id));
		},
	};
}
