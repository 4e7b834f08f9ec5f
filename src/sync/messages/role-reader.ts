import {isServiceError, RejectedError} from '../../api/errors.ts';
import {exponentialDelay} from '../../domain/backoff.ts';
import {lowest} from '../../domain/large-arrays.ts';
import {type Message, type MessageRole, messageRoles} from '../../domain/messages/message.ts';
import {assignRoles, explicitRole, type RoleEvidence} from '../../domain/messages/roles.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {Clock} from '../core/clock.ts';
import type {ReadPage} from '../core/read-list.ts';
import {createListingReach} from './listing-reach.ts';
import type {MessageWindow} from './message-window.ts';
import {createRoleListings, type RoleListingAnswer, type RoleListings} from './role-listings.ts';

/** A message whose role may have to be resolved. */
type RoleSubject = {readonly message: Message; readonly role?: MessageRole};

/**
 * Kind of request. `newest`: the newest messages, on the first poll. `change`: the messages that a poll
 * brought; reads at most two listings. `history`: older messages, resolved in one walk back through as many
 * pages as necessary.
 */
type RoleRequest = {readonly kind: 'newest' | 'change' | 'history'; readonly isAtWork?: boolean};

export type RoleReader = ReturnType<typeof createRoleReader>;

type RoleReaderOptions = {
	readonly messageWindow: MessageWindow;
	readonly clock: Clock;
	/** Ids that add-message returned. */
	readonly ownIds: () => ReadonlySet<string>;
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
const listingsPerChange = 2;
/** A message in neither of these listings is the assistant's. */
const windowRoles = ['user', 'tool'] as const;

/**
 * Resolves the roles of messages that don't include one, by reading `role=user` and `role=tool` over the same window. A
 * message in neither is the assistant's, but only if both listings certainly cover the window. Listings may lag: a
 * message of the last minute has the role of the listing that includes it, so `role=assistant` is read as well.
 */
export function createRoleReader(options: RoleReaderOptions) {
	const {messageWindow, clock, ownIds, isFollowing = false} = options;
	const {isStrict} = messageWindow;
	const listings = createRoleListings(messageWindow, clock);
	const reach = createListingReach(messageWindow);
	const pending = new Map<string, Pending>();
	let isUnsupported = false;
	/** The newest message that the listings by role were found to lack. */
	let unlisted: Message | undefined;
	/** When guesses may be checked again after that failed, Unix ms. */
	let checkDueAt = 0;
	/** Last answer of each listing. Until there are two to compare, the service may be ignoring the role filter. */
	const lastAnswers = new Map<MessageRole, readonly Message[]>();
	let resolvedIds: Set<string> = new Set();
	let isBehind = false;
	let queue: Promise<unknown> = Promise.resolve();

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
		kind: keyof Pick<RoleListings, 'newest' | 'history'>,
		order: readonly MessageRole[],
		{maxRequests, maxPages}: {readonly maxRequests: number; readonly maxPages?: number},
	): Promise<readonly Message[]> {
		const answers: {-readonly [role in MessageRole]?: RoleListingAnswer} = {};
		let left = messages;
		let requests = 0;
		for (const role of order) {
			const isComparison = lastAnswers.size === 1 && !lastAnswers.has(role);
			const isOpen = (message: Message) =>
				!isListingRead(message, role) && (role !== 'assistant' || !isUnread(message));
			const open = isComparison ? messages : left.filter(isOpen);
			if (requests === maxRequests || open.length === 0) continue;
			requests++;
			const answer =
				isStrict && role === 'assistant'
					? await listings.newest(read, role, lackingEvidence(open, kind, answers), maxPages)
					: await listings[kind](read, role, open, maxPages);
			answers[role] = answer;
			lastAnswers.set(role, answer.items);
			if (!reach.compare(Object.fromEntries(lastAnswers))) {
				isUnsupported = true;
				return [];
			}
			const reached = reach.extend(answer.items);
			const listedUpTo = isStrict || isLagging() ? reached : Number.POSITIVE_INFINITY;
			for (const message of answer.isUnfinished ? [] : open)
				postpone(message, {listingsRead: new Set([...(pending.get(message.id)?.listingsRead ?? []), role])});
			if (lastAnswers.size < 2) continue;
			left = applyAnswers(left, {...answers, own: ownIds(), listedUpTo});
			listings.saveCursors();
		}
		return left;
	}

	/**
	 * The messages to look for in `role=assistant`: those that the other listings don't cover, and the newest one. Once a
	 * listing includes that, none lags, and all that the others cover but don't include are the assistant's.
	 */
	function lackingEvidence(
		messages: readonly Message[],
		kind: 'newest' | 'history',
		{user, tool}: RoleEvidence,
	): readonly Message[] {
		const uncovered = messages.filter(({id}) => !(user?.covered.has(id) && tool?.covered.has(id)));
		const newest = messageWindow.timeline.items().at(-1);
		return [...(kind === 'newest' ? uncovered : []), ...(newest ? [newest.message] : [])];
	}

	function isListingRead({id}: Message, role: MessageRole): boolean {
		return pending.get(id)?.listingsRead.has(role) === true;
	}

	function applyAnswers(messages: readonly Message[], answers: RoleEvidence): readonly Message[] {
		const roles = new Map<string, MessageRole>();
		// Also saves the roles of listed messages outside the window.
		for (const role of windowRoles)
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
		const order: readonly MessageRole[] = !isYoung
			? ['user', 'tool', 'assistant']
			: request.isAtWork
				? ['assistant', 'tool', 'user']
				: ['user', 'assistant', 'tool'];
		const limits =
			request.kind === 'change' ? {maxRequests: listingsPerChange, maxPages: 1} : {maxRequests: order.length};
		for (const message of messages) postpone(message, {});
		for (const message of await readListings(read, messages, 'newest', order, limits)) postponeLeft(message);
	}

	async function resolveHistory(read: ReadPage, messages: readonly Message[]): Promise<void> {
		for (const message of messages) postpone(message, {isHistory: true, listingsRead: new Set()});
		const order = windowRoles.toSorted(
			(a, b) => Number(listings.isUnfinished(b)) - Number(listings.isUnfinished(a)),
		);
		const roles = isStrict ? [...order, 'assistant' as const] : order;
		const limits = {maxRequests: roles.length};
		for (const message of await readListings(read, messages, 'history', roles, limits))
			if (isUnread(message) || (isStrict && listings.isUnfinished('assistant')))
				postpone(message, {listingsRead: new Set()});
			else retryLater(message, {isHistory: false});
	}

	/** Whether the listings have not been read back to this message yet. */
	function isUnread(message: Message): boolean {
		return windowRoles.some(role => listings.hasUnreadPages(role, message));
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

	/** Whether the listings still lack the messages that they were found to lack: no role is guessed then. */
	function isLagging(): boolean {
		return unlisted !== undefined && !reach.isReached(unlisted);
	}

	/** Whether the role was concluded from what the listings lack, although they may lag behind there. */
	function isGuess({message, role}: TimelineItem): boolean {
		if (role !== 'assistant' || message.createdAt === undefined || reach.isReached(message)) return false;
		return !explicitRole(message).isExplicit;
	}

	/**
	 * Looks for a guessed message in the listings by role; if none includes it, takes back all guesses. Returns the ids of
	 * those.
	 */
	async function checkGuesses(read: ReadPage, {message}: TimelineItem): Promise<readonly string[]> {
		checkDueAt = clock.now() + retryDelays.max;
		const isListed = await reach.isListedElsewhere(read, {listings, message, answers: {}});
		checkDueAt = 0;
		if (isListed) return [];
		unlisted = message;
		const guesses = messageWindow.timeline.items().filter(isGuess);
		messageWindow.forgetRoles(guesses.map(({id}) => id));
		for (const guess of guesses) retryLater(guess.message, {listingsRead: new Set()});
		return guesses.map(({id}) => id);
	}

	async function resolve(
		read: ReadPage,
		subjects: Iterable<RoleSubject>,
		request: RoleRequest,
	): Promise<readonly string[]> {
		const unknown = unknownAmong(subjects);
		const now = clock.now();
		for (const [id, {message, dueAt}] of pending) {
			if (messageWindow.timeline.get(id)?.role) pending.delete(id);
			else if (dueAt <= now) unknown.set(id, message);
			else unknown.delete(id);
		}
		resolvedIds = new Set();
		const own = assignRoles([...unknown.values()], {own: ownIds()});
		messageWindow.setRoles(own);
		const unresolved = [...unknown.values()].filter(({id}) => !own.has(id));
		isBehind = false;
		if (isUnsupported) return [...own.keys()];
		let takenBack: readonly string[] = [];
		try {
			if (unresolved.length > 0) await resolveAll(read, unresolved, request);
			isBehind = [...pending.values()].some(({dueAt}) => dueAt <= clock.now());
			if (isFollowing && !isBehind && !isUnsupported) isBehind = !(await listings.readAhead(read));
			const isCheckDue = isFollowing && now >= checkDueAt && !isUnsupported;
			const guess = isCheckDue ? messageWindow.timeline.items().findLast(isGuess) : undefined;
			if (guess && unresolved.length > 0) isBehind = true;
			else if (guess && !isBehind) takenBack = await checkGuesses(read, guess);
		} catch (error) {
			if (!isServiceError(error)) throw error;
			if (error instanceof RejectedError) isUnsupported = true;
			else for (const message of unresolved) if (!pending.has(message.id)) postpone(message, {});
		}
		if (isUnsupported) {
			pending.clear();
			isBehind = false;
		}
		return [...own.keys(), ...resolvedIds, ...takenBack];
	}

	return {
		/** True if more has to be read immediately: a long listing is unfinished, or a change needs a third listing. */
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
