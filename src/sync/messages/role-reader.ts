import {isServiceError, RejectedError} from '../../api/errors.ts';
import {exponentialDelay} from '../../domain/backoff.ts';
import type {Clock} from '../../domain/clock.ts';
import {highest, lowest} from '../../domain/large-arrays.ts';
import {explicitRole, isOfOtherRole, type Message, type MessageRole} from '../../domain/messages/message.ts';
import {fullPage, type ReadPage, walk} from './listing.ts';
import type {MessageWindow} from './message-window.ts';

/** A message whose role may have to be read. */
type RoleSubject = {readonly id: string; readonly message: Message; readonly role?: MessageRole};

export type RoleReader = ReturnType<typeof createRoleReader>;

/** What earlier reads of a session's roles came to. */
export type RoleProgress = {
	/** Why roles are unknown, if they are. */
	problem?: string;
	/** The service ignores or refuses the role filter: its lists aren't read again. */
	isUnusable?: true;
	/** Messages without a role after a read that failed, the number of failures, and when to try again, Unix ms. */
	readonly failed: Set<string>;
	failures: number;
	dueAt: number;
};

type RoleReaderOptions = {
	readonly messageWindow: MessageWindow;
	readonly clock: Clock;
	/** Ids that add-message returned. */
	readonly ownIds: () => ReadonlySet<string>;
	readonly progress?: RoleProgress;
};

/** The service ignored a `role=` filter: it returned messages of other roles. */
export class FilterIgnoredError extends Error {
	override readonly name = 'FilterIgnoredError';

	constructor() {
		super("The service ignored the role filter: it can't list messages by role.");
	}
}

/** The lists that are read: a message in neither is the assistant's. */
const listedRoles = ['user', 'tool'] as const;
type ListedRole = (typeof listedRoles)[number];

/**
 * The part of the lists to read: back to the time `from`, Unix ms; the window has `count` messages since. `isHistory`: no
 * message in it is new, so that what was read before needn't be read again.
 */
type Span = {readonly from: number; readonly to: number; readonly count: number; readonly isHistory: boolean};

/** Newest first: what was read of a list, between two times, Unix ms; `cursor` leads to what is older, in full pages. */
type Walked = {readonly from: number; readonly to: number; readonly cursor?: string};

/** A list may lack a message that is younger than this, ms. */
const maxLag = 60_000;
const retryDelays = {first: 5_000, max: 3_600_000};

export function createRoleProgress(): RoleProgress {
	return {failed: new Set(), failures: 0, dueAt: 0};
}

/**
 * Reads the roles of messages that don't tell them from the service's lists by role, which are believed. Messages that
 * were so new that the lists may have lacked them are looked for once more, a minute later.
 */
export function createRoleReader({messageWindow, clock, ownIds, ...options}: RoleReaderOptions) {
	const {progress = createRoleProgress()} = options;
	const {timeline} = messageWindow;
	/** Roles of the messages that the lists have returned. */
	const listed = new Map<string, MessageRole>();
	const walked = new Map<ListedRole, Walked>();
	let queue: Promise<unknown> = Promise.resolve();

	function timeOf(message: Message | undefined): number {
		return message?.createdAt ?? Number.POSITIVE_INFINITY;
	}

	/** The span of these messages, and of all since the message `again`. */
	function spanOf(messages: readonly Message[], isHistory: boolean, again: string | undefined): Span {
		const ids = new Set([...messages.map(({id}) => id), again]);
		const items = timeline.items();
		const first = items.findIndex(({id}) => ids.has(id));
		const times = messages.flatMap(({createdAt}) => createdAt ?? []);
		const since = again === undefined ? [] : [timeOf(timeline.get(again)?.message)];
		return {
			from: lowest([...times, ...since]),
			to: highest(times),
			count: first === -1 ? Number.POSITIVE_INFINITY : items.length - first,
			isHistory,
		};
	}

	/** Reads a list page by page as far as needed; returns the time back to which it was read, Unix ms. */
	function pagesOf(read: ReadPage, role: ListedRole, span: Span): AsyncGenerator<readonly Message[], number> {
		return messageWindow.listing.pageOrder === 'newest-first'
			? pagesBack(read, role, span)
			: pagesOn(read, role);
	}

	/** Newest first: reads back from the newest end, or from where an earlier walk stopped. */
	async function* pagesBack(
		read: ReadPage,
		role: ListedRole,
		{from, to, count, isHistory}: Span,
	): AsyncGenerator<readonly Message[], number> {
		const before = walked.get(role);
		const isBelow = isHistory && before !== undefined && to <= before.to;
		if (isBelow && before.from < from) return before.from;
		let reached: Walked = isBelow ? before : {from: Number.POSITIVE_INFINITY, to};
		const {cursor} = reached;
		const limit = isBelow ? fullPage : Math.min(fullPage, count + 1);
		let left = isBelow ? Number.POSITIVE_INFINITY : count;
		for await (const page of walk(read, {role, limit, cursor})) {
			yield page.items;
			const times = page.items.flatMap(({createdAt}) => createdAt ?? []);
			reached = {
				to: reached.to,
				from: page.isEnd ? Number.NEGATIVE_INFINITY : lowest([...times, reached.from]),
				cursor: page.nextCursor,
			};
			left -= page.items.length;
			if (left < 0 || reached.from < from) break;
		}
		const isJoined = before !== undefined && !isBelow && reached.from <= before.to;
		if (isJoined && before.from < reached.from) walked.set(role, {...before, to});
		// A cursor of small pages would need many of them.
		else if (limit === fullPage) walked.set(role, reached);
		return left < 0 ? Number.NEGATIVE_INFINITY : reached.from;
	}

	/** Oldest first, or in an unknown order: reads on to the end, from the page that was the last one. */
	async function* pagesOn(read: ReadPage, role: ListedRole): AsyncGenerator<readonly Message[], number> {
		const cursor = messageWindow.listing.roleCursors?.[role];
		let isEnd = false;
		for await (const page of walk(read, {role, limit: fullPage, cursor})) {
			yield page.items;
			isEnd = page.isEnd === true;
			const {pageOrder, roleCursors} = messageWindow.listing;
			if (pageOrder === 'oldest-first' && page.cursor !== roleCursors?.[role])
				messageWindow.setListingState({roleCursors: {...roleCursors, [role]: page.cursor}});
		}
		return isEnd ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
	}

	/** Reads both lists and saves the roles they tell; returns the time back to which both were read, Unix ms. */
	async function readLists(read: ReadPage, span: Span, resolved: Set<string>): Promise<number> {
		const lists = listedRoles.map(role => ({role, pages: pagesOf(read, role, span)}));
		const reached = new Map<ListedRole, number>();
		while (reached.size < lists.length) {
			const open = lists.filter(({role}) => !reached.has(role));
			const steps = await Promise.all(open.map(async ({role, pages}) => ({role, ...(await pages.next())})));
			const roles = new Map<string, MessageRole>();
			const unsaved = new Map<string, MessageRole>();
			for (const {role, done, value} of steps) {
				if (done) reached.set(role, value);
				else
					for (const message of value) {
						const known = listed.get(message.id) ?? roles.get(message.id) ?? role;
						if (known !== role || isOfOtherRole(message, role)) throw new FilterIgnoredError();
						roles.set(message.id, role);
						if (message.role !== undefined || timeline.get(message.id)?.role === role) continue;
						if (!listed.has(message.id)) unsaved.set(message.id, role);
					}
			}
			save(unsaved, resolved);
			for (const [id, role] of roles) listed.set(id, role);
		}
		return highest(reached.values());
	}

	/** A refused cursor is dropped, and the lists are read from the start, once. */
	async function readListsAgain(read: ReadPage, span: Span, resolved: Set<string>): Promise<number> {
		const hasCursor = messageWindow.listing.roleCursors !== undefined || walked.size > 0;
		try {
			return await readLists(read, span, resolved);
		} catch (error) {
			if (!(error instanceof RejectedError) || !hasCursor) throw error;
			walked.clear();
			messageWindow.setListingState({roleCursors: undefined});
			return readLists(read, span, resolved);
		}
	}

	function save(roles: ReadonlyMap<string, MessageRole>, resolved: Set<string>): void {
		for (const id of messageWindow.setRoles(roles)) resolved.add(id);
	}

	/** The oldest of the messages that are so new that the lists may have lacked them. */
	function oldestYoung(): string | undefined {
		const since = clock.now() - maxLag;
		const isYoung = ({message, role}: RoleSubject) =>
			(message.createdAt ?? 0) > since && role === 'assistant' && !explicitRole(message).isExplicit;
		return timeline.items().find(isYoung)?.id;
	}

	/** Returns the messages whose roles are still unknown. */
	async function readRoles(
		read: ReadPage,
		{unknown, isHistory, resolved}: {unknown: readonly Message[]; isHistory: boolean; resolved: Set<string>},
	): Promise<readonly Message[]> {
		const {askAgain} = messageWindow.listing;
		const isAgain = askAgain !== undefined && isAgainDue(isHistory);
		const span = spanOf(unknown, isHistory, isAgain ? askAgain.from : undefined);
		const from = await readListsAgain(read, span, resolved);
		const isReached = (message: Message) => timeOf(message) > from;
		const roleOf = (message: Message) =>
			listed.get(message.id) ?? (isReached(message) ? ('assistant' as const) : undefined);
		const roles = unknown.flatMap(message => {
			const role = roleOf(message);
			return role ? [[message.id, role] as const] : [];
		});
		save(new Map(roles), resolved);
		// Some are in a part of the history that the window doesn't hold.
		for (const [id] of roles) resolved.add(id);
		if (askAgain === undefined || isAgain) {
			const young = oldestYoung();
			const next = young === undefined ? undefined : {at: clock.now() + maxLag, from: young};
			if (next || askAgain) messageWindow.setListingState({askAgain: next});
		}
		return unknown.filter(({id}) => !resolved.has(id));
	}

	function isAgainDue(isHistory: boolean): boolean {
		const {at} = messageWindow.listing.askAgain ?? {};
		return !isHistory && at !== undefined && clock.now() >= at;
	}

	async function resolve(
		read: ReadPage,
		subjects: Iterable<RoleSubject>,
		isHistory: boolean,
	): Promise<ReadonlySet<string>> {
		const resolved = new Set<string>();
		const unknown: Message[] = [];
		let own: ReadonlySet<string> | undefined;
		for (const {id, message, role} of subjects) {
			if (role ?? timeline.get(id)?.role ?? explicitRole(message).isExplicit) continue;
			own ??= ownIds();
			if (own.has(id)) save(new Map([[id, 'user']]), resolved);
			else unknown.push(message);
		}
		const isDue = clock.now() >= progress.dueAt;
		const isNew = unknown.some(({id}) => isDue || !progress.failed.has(id));
		if (progress.isUnusable || !(isNew || (isDue && isAgainDue(isHistory)))) return resolved;
		try {
			const left = await readRoles(read, {unknown, isHistory, resolved});
			if (left.length > 0) retryLater(left);
			else Object.assign(progress, createRoleProgress());
			progress.problem = undefined;
		} catch (error) {
			if (error instanceof RejectedError || error instanceof FilterIgnoredError) progress.isUnusable = true;
			else if (!isServiceError(error)) throw error;
			progress.problem = isServiceError(error) ? error.what : error.message;
			retryLater(unknown);
		}
		return resolved;
	}

	function retryLater(messages: readonly Message[]): void {
		for (const {id} of messages) progress.failed.add(id);
		progress.dueAt = clock.now() + exponentialDelay(progress.failures++, retryDelays);
	}

	return {
		get problem() {
			return progress.problem;
		},
		get isUnusable() {
			return progress.isUnusable === true;
		},
		/**
		 * Reads the unknown roles of these messages; returns the ids that got one. `isHistory`: none of them is new. Calls run
		 * one after the other.
		 */
		resolve(read: ReadPage, subjects: Iterable<RoleSubject>, {isHistory = false} = {}) {
			const done = queue.then(() => resolve(read, subjects, isHistory));
			queue = done.catch(() => {});
			return done;
		},
	};
}
