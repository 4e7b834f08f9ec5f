import {isServiceError, RejectedError} from '../../api/errors.ts';
import {doubled} from '../../domain/backoff.ts';
import {type Message, type MessageRole, messageRoles} from '../../domain/messages/message.ts';
import {assignRoles, explicitRole, isFilterHonored, type RoleEvidence} from '../../domain/messages/roles.ts';
import type {Clock} from '../core/clock.ts';
import type {ReadPage} from '../core/read-list.ts';
import type {MessageWindow} from './message-window.ts';
import {createRoleListings, type RoleListingAnswer, type RoleListings} from './role-listings.ts';

/** A message whose role may have to be resolved. */
export type RoleSubject = {readonly message: Message; readonly role?: MessageRole};

/**
 * Kind of request. `newest`: the newest messages, on the first poll. `change`: the messages that a poll
 * brought; reads at most two listings. `history`: older messages, resolved in one walk back through as many
 * pages as necessary.
 */
export type RoleQuestion = {readonly kind: 'newest' | 'change' | 'history'; readonly isAtWork?: boolean};

/**
 * Resolves the roles of messages that don't include one, by reading `role=user` and `role=tool` over the same
 * window. A message in neither is the assistant's, but only if both listings certainly cover the window.
 * Listings may lag: a message of the last minute has the role of the listing that includes it, so
 * `role=assistant` is read as well.
 */
export type RoleReader = {
	/**
	 * True if more has to be read immediately: a long listing is unfinished, or a change needs a third listing.
	 */
	readonly isBehind: boolean;
	/** When listings are next worth reading for what is still unknown, Unix ms; absent if nothing is. */
	readonly nextAt: number | undefined;
	/**
	 * Resolves unknown roles, including those left over from earlier calls. Returns the ids that got a role.
	 */
	resolve(
		read: ReadPage,
		subjects: Iterable<RoleSubject>,
		question: RoleQuestion,
	): Promise<readonly string[]>;
};

export type RoleReaderOptions = {
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
	readonly asked: ReadonlySet<MessageRole>;
	readonly tries: number;
	readonly dueAt: number;
	readonly isHistory: boolean;
};

/** Retry delays for a message that no listing includes, ms: doubled each time, up to `max`. */
const waits = {first: 2_000, max: 120_000};
const asksPerChange = 2;
/** A message in neither of these listings is the assistant's. */
const windowRoles = ['user', 'tool'] as const;

export function createRoleReader({
	messageWindow,
	clock,
	ownIds,
	isFollowing = false,
}: RoleReaderOptions): RoleReader {
	const listings = createRoleListings(messageWindow, clock);
	const pending = new Map<string, Pending>();
	let isRefused = false;
	/**
	 * Last answer of each listing. Until there are two to compare, the service may be ignoring the role filter.
	 */
	const answered = new Map<MessageRole, readonly Message[]>();
	let settled: Set<string> = new Set();
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
		const known = pending.get(message.id) ?? {asked: new Set(), tries: 0, isHistory: false};
		pending.set(message.id, {...known, message, dueAt: clock.now(), ...change});
	}

	/** Reads one listing after the other until every role is resolved; returns the messages that are left. */
	async function ask(
		read: ReadPage,
		asking: readonly Message[],
		answerOf: RoleListings['newest'],
		order: readonly MessageRole[],
		{maxRequests, maxPages}: {readonly maxRequests: number; readonly maxPages?: number},
	): Promise<readonly Message[]> {
		const answers: {-readonly [role in MessageRole]?: RoleListingAnswer} = {};
		let left = asking;
		let asks = 0;
		for (const role of order) {
			const isToBeCompared = answered.size === 1 && !answered.has(role);
			const isOpen = (message: Message) =>
				!isAsked(message, role) && (role !== 'assistant' || !isUnread(message));
			const about = isToBeCompared ? asking : left.filter(isOpen);
			if (asks === maxRequests || about.length === 0) continue;
			asks++;
			const answer = await answerOf(read, role, about, maxPages);
			answers[role] = answer;
			answered.set(role, answer.items);
			if (
				!isFilterHonored(answered.get('user') ?? [], answered.get('tool') ?? [], answered.get('assistant'))
			) {
				isRefused = true;
				return [];
			}
			for (const message of answer.isUnfinished ? [] : about)
				postpone(message, {asked: new Set([...(pending.get(message.id)?.asked ?? []), role])});
			if (answered.size < 2) continue;
			left = settle(left, {...answers, own: ownIds()});
			listings.savePlaces();
		}
		return left;
	}

	function isAsked({id}: Message, role: MessageRole): boolean {
		return pending.get(id)?.asked.has(role) === true;
	}

	function settle(asking: readonly Message[], answers: RoleEvidence): readonly Message[] {
		const roles = new Map<string, MessageRole>();
		// Also saves the roles of listed messages outside the window.
		for (const role of windowRoles)
			for (const id of answers[role]?.ids ?? []) if (!settled.has(id)) roles.set(id, role);
		const open = asking.filter(({id}) => !settled.has(id));
		for (const [id, role] of assignRoles(open, answers)) roles.set(id, role);
		messageWindow.setRoles(roles);
		for (const id of roles.keys()) {
			pending.delete(id);
			settled.add(id);
		}
		return asking.filter(({id}) => !settled.has(id));
	}

	async function askNewest(
		read: ReadPage,
		asking: readonly Message[],
		question: RoleQuestion,
	): Promise<void> {
		const isYoung = asking.every(message => listings.isYoung(message));
		const order: readonly MessageRole[] = !isYoung
			? ['user', 'tool', 'assistant']
			: question.isAtWork
				? ['assistant', 'tool', 'user']
				: ['user', 'assistant', 'tool'];
		const limits =
			question.kind === 'change' ? {maxRequests: asksPerChange, maxPages: 1} : {maxRequests: order.length};
		for (const message of asking) postpone(message, {});
		for (const message of await ask(read, asking, listings.newest, order, limits)) postponeLeft(message);
	}

	async function askHistory(read: ReadPage, asking: readonly Message[]): Promise<void> {
		for (const message of asking) postpone(message, {isHistory: true, asked: new Set()});
		for (const message of await ask(read, asking, listings.history, windowRoles, {maxRequests: 2}))
			if (isUnread(message)) postpone(message, {asked: new Set()});
			else wait(message, {isHistory: false});
	}

	/** Whether the listings have not been read back to this message yet. */
	function isUnread(message: Message): boolean {
		return windowRoles.some(role => listings.isToBeReadOn(role, message));
	}

	function wait(message: Message, change: Partial<Pending>): void {
		const {tries = 0} = pending.get(message.id) ?? {};
		const dueAt = clock.now() + doubled(tries, waits);
		postpone(message, {tries: tries + 1, dueAt, ...change});
	}

	function postponeLeft(message: Message): void {
		if (isUnread(message)) postpone(message, {isHistory: true, asked: new Set()});
		else if (messageRoles.every(role => isAsked(message, role))) wait(message, {asked: new Set()});
	}

	async function askAll(read: ReadPage, unknown: readonly Message[], question: RoleQuestion): Promise<void> {
		const isHistory = ({id}: Message) => question.kind === 'history' && !pending.has(id);
		const [older, newer] = [[], []] as [Message[], Message[]];
		for (const message of unknown)
			(pending.get(message.id)?.isHistory || isHistory(message) ? older : newer).push(message);
		if (newer.length > 0) await askNewest(read, newer, question);
		const left = older.filter(({id}) => !settled.has(id));
		if (left.length > 0 && !isRefused) await askHistory(read, left);
	}

	async function work(
		read: ReadPage,
		subjects: Iterable<RoleSubject>,
		question: RoleQuestion,
	): Promise<readonly string[]> {
		const unknown = unknownAmong(subjects);
		const now = clock.now();
		for (const [id, {message, dueAt}] of pending) {
			if (messageWindow.timeline.get(id)?.role) pending.delete(id);
			else if (dueAt <= now) unknown.set(id, message);
			else unknown.delete(id);
		}
		settled = new Set();
		const own = assignRoles([...unknown.values()], {own: ownIds()});
		messageWindow.setRoles(own);
		const asking = [...unknown.values()].filter(({id}) => !own.has(id));
		isBehind = false;
		if (isRefused) return [...own.keys()];
		try {
			if (asking.length > 0) await askAll(read, asking, question);
			isBehind = [...pending.values()].some(({dueAt}) => dueAt <= clock.now());
			if (isFollowing && !isBehind && !isRefused) isBehind = !(await listings.readAhead(read));
		} catch (error) {
			if (!isServiceError(error)) throw error;
			if (error instanceof RejectedError) isRefused = true;
			else for (const message of asking) if (!pending.has(message.id)) postpone(message, {});
		}
		if (isRefused) {
			pending.clear();
			isBehind = false;
		}
		return [...own.keys(), ...settled];
	}

	return {
		get isBehind() {
			return isBehind;
		},
		get nextAt() {
			const due = [...pending.values()].map(({dueAt}) => dueAt);
			return due.length === 0 ? undefined : Math.min(...due);
		},
		resolve(read, subjects, question) {
			const done = queue.then(() => work(read, subjects, question));
			queue = done.catch(() => {});
			return done;
		},
	};
}
