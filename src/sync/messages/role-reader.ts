import {isServiceError, RejectedError} from '../../api/errors.ts';
import {exponentialDelay} from '../../domain/backoff.ts';
import {highest, lowest} from '../../domain/large-arrays.ts';
import {type Message, type MessageRole, messageRoles} from '../../domain/messages/message.ts';
import {
	assignRoles,
	explicitRole,
	type ListedByRole,
	type RoleEvidence,
} from '../../domain/messages/roles.ts';
import type {Clock} from '../core/clock.ts';
import type {ReadPage} from '../core/read-list.ts';
import {FilterIgnoredError} from './listing-reach.ts';
import type {MessageWindow} from './message-window.ts';
import {createRoleListings, type RoleListingAnswer, type RoleListings} from './role-listings.ts';

/** A message whose role may have to be resolved. */
type RoleSubject = {readonly message: Message; readonly role?: MessageRole};

/**
 * Kind of request. `newest`: the newest messages, on the first poll. `change`: the messages that a poll
 * brought; reads at most a page of each listing. `history`: older messages, resolved in one walk back through as many
 * pages as necessary.
 */
type RoleRequest = {readonly kind: 'newest' | 'change' | 'history'; readonly isAtWork?: boolean};

export type RoleReader = ReturnType<typeof createRoleReader>;

type RoleReaderOptions = {
	readonly messageWindow: MessageWindow;
	readonly clock: Clock;
	/** Ids that add-message returned. */
	readonly ownIds: () => ReadonlySet<string>;
	readonly listings?: RoleListings;
	/** Whether the session is being polled: if so, reads ahead what polls at the newest end will need. */
	readonly isFollowing?: boolean;
};

/** An unresolved message, and which listings have already been read for it. */
type Pending = {
	readonly message: Message;
	readonly listingsRead: ReadonlySet<MessageRole>;
	readonly tries: number;
	readonly dueAt: number;
	readonly isHistory: boolean;
};

/** Retry delays for a message that no listing includes, ms: doubled each time, up to `max`. */
const retryDelays = {first: 2_000, max: 120_000};
/** Retries for a message that has left the window, perhaps because it was removed. */
const maxTriesUnseen = 8;
/** Messages of another role to read to see whether the service filters by role. */
const checkLimit = 5;
/** The listings that history is read from: the assistant's is the longest. */
const windowRoles = ['user', 'tool'] as const;

/**
 * Resolves the roles of messages that don't include one, by reading the listings by role over the same window. A message
 * that two of them certainly cover, but don't include, has the third role. Listings may lag behind: they cover a message
 * only if one of them has returned it or a newer one, and it is older than a minute. A younger one has the role of the
 * listing that includes it.
 */
export function createRoleReader(options: RoleReaderOptions) {
	const {messageWindow, clock, ownIds, isFollowing = false} = options;
	const {listings = createRoleListings(messageWindow, clock)} = options;
	const {reach} = listings;
	const pending = new Map<string, Pending>();
	let isUnsupported = false;
	/** Roles that the service refuses to list. */
	const refused = new Set<MessageRole>();
	/** Last answer of each listing. */
	const lastAnswers = new Map<MessageRole, readonly Message[]>();
	let resolvedIds: Set<string> = new Set();
	let isBehind = false;
	let queue: Promise<unknown> = Promise.resolve();

	/** Whether the service filters by role: until there are two answers to compare, it may be ignoring the filter. */
	function isProven(): boolean {
		return messageWindow.listing.isRoleFilterHonored === true || lastAnswers.size > 1;
	}

	function unknownAmong(subjects: Iterable<RoleSubject>): Map<string, Message> {
		const unknown = new Map<string, Message>();
		for (const {message, role} of subjects) {
			const isKnown = role ?? messageWindow.timeline.get(message.id)?.role;
			if (!isKnown && !explicitRole(message).isExplicit) unknown.set(message.id, message);
		}
		return unknown;
	}

	function postpone(message: Message, change: Partial<Pending>): void {
		const known = pending.get(message.id) ?? {listingsRead: new Set(), tries: 0, isHistory: false};
		pending.set(message.id, {...known, message, dueAt: clock.now(), ...change});
	}

	/** Reads one listing after the other until every role is resolved; returns the messages that are left. */
	async function readListings(
		read: ReadPage,
		messages: readonly Message[],
		kind: 'newest' | 'history',
		order: readonly MessageRole[],
		maxPages?: number,
	): Promise<readonly Message[]> {
		const answers: {-readonly [role in MessageRole]?: RoleListingAnswer} = {};
		let left = messages;
		/** Without the assistant's listing, the others still tell most. */
		let failure: unknown;
		listings.dropCursors();
		for (const role of order) {
			const isComparison = !isProven() && lastAnswers.size === 1 && !lastAnswers.has(role);
			const isOpen = (message: Message) =>
				!isListingRead(message, role) && (role !== 'assistant' || !isUnread(message));
			const open = isComparison ? messages : left.filter(isOpen);
			if (open.length === 0 || refused.has(role)) continue;
			const answer = await readListing(read, role, open, kind, maxPages).catch(error => {
				if (role !== 'assistant' || !isServiceError(error)) throw error;
				failure = error;
			});
			if (!answer) continue;
			answers[role] = answer;
			lastAnswers.set(role, answer.items);
			reach.compare(Object.fromEntries(lastAnswers));
			for (const message of answer.isUnfinished ? [] : open)
				postpone(message, {listingsRead: new Set([...(pending.get(message.id)?.listingsRead ?? []), role])});
			if (!isProven()) continue;
			left = applyAnswers(left, {...answers, own: ownIds()});
			listings.saveCursors();
		}
		if (failure && left.length > 0) throw failure;
		return left;
	}

	/**
	 * Reads a listing; `undefined` if the service refuses it. Of the assistant's, which is the longest, one page shows how
	 * far they reach; only messages without an order have to be looked for.
	 */
	async function readListing(
		read: ReadPage,
		role: MessageRole,
		messages: readonly Message[],
		kind: 'newest' | 'history',
		maxPages?: number,
	): Promise<RoleListingAnswer | undefined> {
		const tied = role === 'assistant' ? newestTied(messages) : [];
		try {
			if (tied.length > 1) return await listings.newest(read, role, tied, maxPages);
			if (role === 'assistant') return await listings.peek(read, role, messages, maxPages);
			return await listings[kind](read, role, messages, maxPages);
		} catch (error) {
			if (!(error instanceof RejectedError)) throw error;
			refused.add(role);
			if (refused.size > 1) throw error;
			return undefined;
		}
	}

	/** Those of the messages that have no time, or the newest. */
	function newestTied(messages: readonly Message[]): readonly Message[] {
		const newest = highest(messages.map(({createdAt = Number.NEGATIVE_INFINITY}) => createdAt));
		return messages.filter(({createdAt}) => createdAt === undefined || createdAt === newest);
	}

	/** Whether the listing has been read for this message, or can't be. */
	function isListingRead({id}: Message, role: MessageRole): boolean {
		return refused.has(role) || pending.get(id)?.listingsRead.has(role) === true;
	}

	function applyAnswers(messages: readonly Message[], answers: RoleEvidence): readonly Message[] {
		const roles = new Map<string, MessageRole>();
		// Also saves the roles of listed messages outside the window.
		for (const role of messageRoles)
			for (const id of answers[role]?.ids ?? []) if (!resolvedIds.has(id)) roles.set(id, role);
		const open = messages.filter(({id}) => !resolvedIds.has(id));
		for (const [id, role] of assignRoles(open, answers)) roles.set(id, role);
		messageWindow.setRoles(roles);
		for (const id of roles.keys()) {
			pending.delete(id);
			resolvedIds.add(id);
		}
		return messages.filter(({id}) => !resolvedIds.has(id));
	}

	async function resolveNow(
		read: ReadPage,
		messages: readonly Message[],
		request: RoleRequest,
	): Promise<void> {
		const isYoung = messages.every(message => listings.isYoung(message));
		const order: readonly MessageRole[] = listings.isFarOff('assistant')
			? ['user', 'tool', 'assistant']
			: !isYoung
				? ['assistant', 'user', 'tool']
				: request.isAtWork
					? ['assistant', 'tool', 'user']
					: ['user', 'assistant', 'tool'];
		const maxPages = request.kind === 'change' ? 1 : undefined;
		for (const message of messages) postpone(message, {});
		for (const message of await readListings(read, messages, 'newest', order, maxPages))
			postponeLeft(message);
	}

	async function resolveHistory(read: ReadPage, messages: readonly Message[]): Promise<void> {
		for (const message of messages) postpone(message, {isHistory: true, listingsRead: new Set()});
		const order = windowRoles.toSorted(
			(a, b) => Number(listings.isUnfinished(b)) - Number(listings.isUnfinished(a)),
		);
		const roles = [...order, 'assistant' as const];
		for (const message of await readListings(read, messages, 'history', roles))
			if (isUnread(message) || (listings.isUnfinished('assistant') && !refused.has('assistant')))
				postpone(message, {listingsRead: new Set()});
			else retryLater(message, {isHistory: false});
	}

	/** Whether the listings have not been read back to this message yet. */
	function isUnread(message: Message): boolean {
		return windowRoles.some(role => !refused.has(role) && listings.hasUnreadPages(role, message));
	}

	function retryLater(message: Message, change: Partial<Pending>): void {
		const {tries = 0} = pending.get(message.id) ?? {};
		const dueAt = clock.now() + exponentialDelay(tries, retryDelays);
		postpone(message, {tries: tries + 1, dueAt, ...change});
	}

	function postponeLeft(message: Message): void {
		if (isUnread(message)) postpone(message, {isHistory: true, listingsRead: new Set()});
		else if (messageRoles.every(role => isListingRead(message, role)))
			retryLater(message, {listingsRead: new Set()});
	}

	async function resolveAll(
		read: ReadPage,
		unknown: readonly Message[],
		request: RoleRequest,
	): Promise<void> {
		const isHistory = ({id}: Message) => request.kind === 'history' && !pending.has(id);
		const [older, newer] = [[], []] as [Message[], Message[]];
		for (const message of unknown)
			(pending.get(message.id)?.isHistory || isHistory(message) ? older : newer).push(message);
		if (newer.length > 0) await resolveNow(read, newer, request);
		const left = older.filter(({id}) => !resolvedIds.has(id));
		if (left.length > 0 && !isUnsupported) await resolveHistory(read, left);
	}

	async function readAhead(read: ReadPage): Promise<boolean> {
		if (refused.has('assistant')) return true;
		try {
			return await listings.readAhead(read);
		} catch (error) {
			if (!(error instanceof RejectedError)) throw error;
			refused.add('assistant');
			return true;
		}
	}

	async function resolve(
		read: ReadPage,
		subjects: Iterable<RoleSubject>,
		request: RoleRequest,
	): Promise<readonly string[]> {
		const unknown = unknownAmong(subjects);
		const now = clock.now();
		for (const [id, {message, dueAt, tries}] of pending) {
			const item = messageWindow.timeline.get(id);
			if (item ? item.role : tries > maxTriesUnseen) pending.delete(id);
			else if (dueAt <= now) unknown.set(id, message);
			else unknown.delete(id);
		}
		resolvedIds = new Set();
		const own = assignRoles([...unknown.values()], {own: ownIds()});
		messageWindow.setRoles(own);
		const unresolved = [...unknown.values()].filter(({id}) => !own.has(id));
		isBehind = false;
		if (isUnsupported) return [...own.keys()];
		try {
			if (unresolved.length > 0) await resolveAll(read, unresolved, request);
			isBehind = [...pending.values()].some(({dueAt}) => dueAt <= clock.now());
			if (isFollowing && !isBehind && !isUnsupported) isBehind = !(await readAhead(read));
		} catch (error) {
			if (error instanceof RejectedError || error instanceof FilterIgnoredError) isUnsupported = true;
			else if (!isServiceError(error)) throw error;
			else for (const message of unresolved) if (!pending.has(message.id)) postpone(message, {});
		}
		if (isUnsupported) {
			pending.clear();
			isBehind = false;
		}
		return [...own.keys(), ...resolvedIds];
	}

	async function readUntilReached(read: ReadPage, message: Message, answers: ListedByRole): Promise<boolean> {
		listings.dropCursors();
		for (const role of ['assistant', 'user', 'tool'] as const) {
			if (answers[role] || refused.has(role)) continue;
			do {
				if (reach.isReached(message)) return true;
				const answer = await readListing(read, role, [message], 'newest');
				if (!answer) break;
				reach.compare({...answers, [role]: answer.items});
				messageWindow.setRoles(new Map([...answer.ids].map(id => [id, role])));
				listings.saveCursors();
			} while (listings.isUnfinished(role));
		}
		return reach.isReached(message);
	}

	return {
		/**
		 * Reads the listings by role that aren't among `answers` until one shows that they include this newest message; returns
		 * whether one does. Throws `FilterIgnoredError`.
		 */
		readUntilReached,
		/** Reads a page of another role, unless the service is known to filter by it. Throws `FilterIgnoredError`. */
		async checkFilter(read: ReadPage, role: MessageRole, listed: readonly Message[]): Promise<void> {
			if (messageWindow.listing.isRoleFilterHonored || listed.length === 0) return;
			const other = role === 'assistant' ? 'user' : 'assistant';
			// A service that refuses a role knows the filter.
			const answer = await read({role: other, limit: checkLimit}).catch(error => {
				if (error instanceof RejectedError) return undefined;
				throw error;
			});
			if (answer) reach.compare({[role]: listed, [other]: answer.items});
		},
		/** True if more has to be read immediately: a long listing is unfinished. */
		get isBehind() {
			return isBehind;
		},
		/** When listings are next worth reading for what is still unknown, Unix ms; `undefined` if nothing is. */
		get nextAt() {
			return pending.size === 0 ? undefined : lowest([...pending.values()].map(({dueAt}) => dueAt));
		},
		/** Resolves unknown roles, including those left over from earlier calls. Returns the ids that got a role. */
		resolve(read: ReadPage, subjects: Iterable<RoleSubject>, request: RoleRequest) {
			const done = queue.then(() => resolve(read, subjects, request));
			queue = done.catch(() => {});
			return done;
		},
	};
}
