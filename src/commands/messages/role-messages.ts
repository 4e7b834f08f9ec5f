import {RejectedError} from '../../api/errors.ts';
import type {MessageQuery} from '../../api/messages.ts';
import type {Service} from '../../api/service.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';
import {explicitRole} from '../../domain/messages/roles.ts';
import {createTimeline, type TimelineItem} from '../../domain/messages/timeline.ts';
import {insideOrder, oldestFirst, type PageDirection, pageDirection} from '../../domain/order.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from '../../sync/core/read-list.ts';
import {FilterIgnoredError} from '../../sync/messages/listing-reach.ts';
import {isRoleUnknown, type NewestMessages, type Transcript} from './transcript.ts';

export type RoleMessages = ReturnType<typeof openRoleMessages>;

type RoleMessagesOptions = {
	readonly list: Service['messages']['list'];
	readonly sessionId: string;
	readonly role: MessageRole;
	/** Which end the session's listing starts at, if known. */
	readonly pages?: PageDirection;
	/** Computer to ask directly. */
	readonly computerId?: string;
};

const pollLimit = 20;

/** A session's messages of one role, read only from that role's listing. */
export function openRoleMessages({list, sessionId, role, pages, computerId}: RoleMessagesOptions) {
	const timeline = createTimeline();
	const routed = computerId === undefined ? {} : {computerId};
	let direction = pages;
	/** For oldest-first listings: the cursor for fetching the last page again. */
	let lastCursor: string | undefined;

	const reading =
		(signal: AbortSignal): ReadPage =>
		query =>
			list(sessionId, {...query, role, ...routed}, {signal});

	function take(items: readonly Message[], side: 'older' | 'newer') {
		const isOther = (message: Message) => (explicitRole(message).role ?? role) !== role;
		if (items.some(isOther)) throw new FilterIgnoredError();
		return timeline.upsert(
			oldestFirst(items, direction === 'head' ? 'ascending' : 'descending').map(message => ({message, role})),
			side,
		);
	}

	/** Reads page by page; the first two non-empty pages show which end comes first. */
	async function* pagesFrom(read: ReadPage, query: MessageQuery): AsyncGenerator<WalkedPage> {
		let first: readonly Message[] | undefined;
		let isReported = query.cursor !== undefined;
		for await (const page of walk(read, query)) {
			if (first && page.items.length > 0 && !isReported) {
				const fallback = direction ?? (insideOrder(first) === 'ascending' ? 'head' : 'tail');
				direction = pageDirection(first, page.items) ?? fallback;
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
		role,
		/** The newest `count` messages; reads no more pages than needed. */
		async newest(count: number, signal: AbortSignal): Promise<NewestMessages> {
			const limit = direction === 'tail' ? Math.min(fullPage, count) : fullPage;
			let isWhole = false;
			for await (const page of pagesFrom(reading(signal), {limit})) {
				take(page.items, direction === 'tail' ? 'older' : 'newer');
				isWhole = page.isEnd === true;
				if (direction === 'tail' && timeline.items().length >= count) break;
			}
			const items = timeline.items().slice(-count);
			return {
				items,
				isWhole: isWhole || (direction === 'tail' && items.length === count),
				hasOlder: timeline.items().length > items.length || (direction === 'tail' && !isWhole),
			};
		},
		/** All messages read so far. */
		messages: () => timeline.items().map(({message}) => message),
		/** Adds those of these messages that have the role; returns all messages, in display order. */
		add(items: readonly TimelineItem[]): readonly TimelineItem[] {
			timeline.upsert(
				items.filter(item => item.role === role),
				'newer',
			);
			return timeline.items();
		},
		/** Messages new or changed since the last call, in display order. */
		async poll(signal: AbortSignal): Promise<readonly TimelineItem[]> {
			const read = reading(signal);
			const changedIds = new Set<string>();
			const pages = direction === 'tail' ? pagesFrom(read, {limit: pollLimit}) : fromLastPage(read);
			for await (const page of pages) {
				const {added, changed, unchanged} = take(page.items, 'newer');
				for (const id of [...added, ...changed]) changedIds.add(id);
				if (direction === 'tail' && unchanged.length > 0) break;
			}
			return timeline.items().filter(({id}) => changedIds.has(id));
		},
	};
}

/** The newest `count` messages of one role, for a command that follows it: reads only that role's listing. */
export async function followedOfRole(
	roleMessages: RoleMessages,
	whole: Transcript,
	count: number,
	signal: AbortSignal,
): Promise<NewestOfRole> {
	const newest = await roleMessages.newest(count, signal);
	await whole.checkFilter(roleMessages.role, roleMessages.messages(), signal);
	return {...newest, unknown: 0};
}

/** `unknown`: how many messages may be missing since no listing by role includes them. */
export type NewestOfRole = NewestMessages & {readonly unknown: number};

/**
 * The newest `count` messages of one role. Its listing may lag behind without a sign of it: it is current if a listing by
 * role includes the newest message of all.
 */
export async function newestOfRole(
	roleMessages: RoleMessages,
	whole: Transcript,
	count: number,
	signal: AbortSignal,
): Promise<NewestOfRole> {
	const {role} = roleMessages;
	const recent = await whole.recent(signal);
	const listed = await roleMessages.newest(count, signal);
	const messages = roleMessages.messages();
	const missing = await whole.unlisted({[role]: messages}, signal);
	// The listing may have caught up since.
	if (missing.hasRead) await roleMessages.poll(signal);
	else await whole.checkFilter(role, messages, signal);
	const parts = [recent, missing];
	const unlisted = whole.withRoles(parts.flatMap(({items}) => items));
	const items = roleMessages.add(unlisted);
	const found = new Set(items.map(({id}) => id));
	const unknown = new Set(unlisted.filter(isRoleUnknown).flatMap(({id}) => (found.has(id) ? [] : [id])));
	return {
		items: items.slice(-count),
		isWhole: listed.isWhole && parts.every(({isWhole}) => isWhole),
		hasOlder: listed.hasOlder || items.length > count,
		unknown: unknown.size,
	};
}
