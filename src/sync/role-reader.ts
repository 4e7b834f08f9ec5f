import {isServiceError, RejectedError} from '../api/errors.ts';
import type {Message, MessageRole} from '../domain/message.ts';
import {assignRoles, isFilterHonoured, type RoleAnswer, toldRole} from '../domain/roles.ts';
import {fullPage, type ReadPage, walk} from './listing.ts';
import type {Shelf} from './shelf.ts';

/**
 * Asks who wrote messages whose role nothing tells (SERVICE-NOTES, Roles): `role=user` and then `role=tool` over the
 * same window. `pages` is the most pages read for each; one for a poll.
 */
export type RoleReader = {
	/** A long `role=` listing is still being read from its oldest end: ask again soon. */
	readonly isBehind: boolean;
	/** Answers the ids whose role is new. */
	resolve(read: ReadPage, ids: Iterable<string>, pages: number): Promise<readonly string[]>;
};

type Asked = RoleAnswer & {readonly items: readonly Message[]};

/** Pages of a `role=` listing read in one go while it is walked for the first time from its oldest end. */
const walkPages = 20;

/** Where a walk back through a `role=` listing stands: what follows is older than `oldest`. */
type Frontier = {readonly cursor?: string; readonly oldest?: number};

export function createRoleReader(shelf: Shelf, ownIds: () => ReadonlySet<string>): RoleReader {
	let isRefused = false;
	let isTrusted = false;
	let isBehind = false;
	const frontiers = new Map<MessageRole, Frontier>();
	/** Asked about in vain because a request failed: asked again with the next poll. */
	let unanswered: readonly string[] = [];

	function unknownOf(ids: Iterable<string>): Message[] {
		return [...ids].flatMap(id => {
			const item = shelf.timeline.get(id);
			return item && !item.role && !toldRole(item.message).isTold ? [item.message] : [];
		});
	}

	async function ask(
		read: ReadPage,
		role: MessageRole,
		unknown: readonly Message[],
		pages: number,
	): Promise<Asked> {
		return shelf.facts.pages === 'head'
			? askFromHead(read, role, unknown, pages)
			: askFromTail(read, role, unknown, pages);
	}

	/** Everything before the kept cursor was read in an earlier walk. */
	async function askFromHead(
		read: ReadPage,
		role: MessageRole,
		unknown: readonly Message[],
		pages: number,
	): Promise<Asked> {
		const items: Message[] = [];
		const cursor = shelf.facts.roleCursors?.[role];
		let left = shelf.facts.areRolesRead ? pages : walkPages;
		let isOver = false;
		for await (const page of walk(read, {limit: fullPage, role, ...(cursor && {cursor})})) {
			items.push(...page.items);
			const at = page.nextCursor ?? page.cursor ?? '';
			if (at !== shelf.facts.roleCursors?.[role]) {
				shelf.setFacts({roleCursors: {...shelf.facts.roleCursors, [role]: at}});
			}
			isOver = page.nextCursor === undefined;
			if (--left <= 0) break;
		}
		isBehind ||= !isOver;
		return asked(items, isOver ? unknown : []);
	}

	async function askFromTail(
		read: ReadPage,
		role: MessageRole,
		unknown: readonly Message[],
		pages: number,
	): Promise<Asked> {
		const oldestUnknown = Math.min(...unknown.map(message => message.createdAt ?? 0));
		const newestUnknown = Math.max(...unknown.map(message => message.createdAt ?? Infinity));
		const frontier = frontiers.get(role);
		const isBelow = frontier?.oldest !== undefined && newestUnknown <= frontier.oldest;
		if (isBelow && frontier?.cursor === undefined) return asked([], unknown);
		const limit = pages === 1 ? windowSize(unknown) : fullPage;
		const items: Message[] = [];
		let oldest = Infinity;
		let isWhole = false;
		for await (const page of walk(read, {
			limit,
			role,
			...(isBelow && frontier?.cursor !== undefined && {cursor: frontier.cursor}),
		})) {
			items.push(...page.items);
			for (const {createdAt} of page.items) oldest = Math.min(oldest, createdAt ?? oldest);
			isWhole =
				page.nextCursor === undefined ||
				(page.cursor === undefined && page.items.length >= windowSize(unknown));
			const next = page.nextCursor;
			if (limit === fullPage && Number.isFinite(oldest)) {
				frontiers.set(role, {oldest, ...(next !== undefined && {cursor: next})});
			}
			if (isWhole || oldest < oldestUnknown || --pages <= 0) break;
		}
		const covered = isWhole
			? unknown
			: unknown.filter(({createdAt}) => createdAt !== undefined && createdAt > oldest);
		return asked(items, covered);
	}

	/** How many messages there are from the oldest unknown one on: no more of one role can be among them. */
	function windowSize(unknown: readonly Message[]): number {
		const ids = new Set(unknown.map(message => message.id));
		const items = shelf.timeline.items();
		const first = items.findIndex(item => ids.has(item.id));
		return Math.min(fullPage, Math.max(5, items.length - first));
	}

	async function query(read: ReadPage, unknown: readonly Message[], pages: number): Promise<void> {
		const user = await ask(read, 'user', unknown, pages);
		const left = unknown.filter(message => !user.ids.has(message.id));
		if (isTrusted && left.length === 0) {
			shelf.setRoles(assignRoles(unknown, {user}));
			return;
		}
		const tool = await ask(read, 'tool', left.length === 0 ? unknown : left, pages);
		if (!isFilterHonoured(user.items, tool.items)) {
			isRefused = true;
			isBehind = false;
			return;
		}
		if (isBehind) unanswered = unknown.map(message => message.id);
		else if (shelf.facts.pages === 'head' && !shelf.facts.areRolesRead) shelf.setFacts({areRolesRead: true});
		isTrusted ||= user.items.length > 0;
		const told = new Map<string, MessageRole>();
		for (const {id} of user.items) told.set(id, 'user');
		for (const {id} of tool.items) told.set(id, 'tool');
		shelf.setRoles(new Map([...told, ...assignRoles(unknown, {user, tool, own: ownIds()})]));
	}

	return {
		get isBehind() {
			return isBehind;
		},
		async resolve(read, ids, pages) {
			const unknown = unknownOf(new Set([...unanswered, ...ids]));
			unanswered = [];
			isBehind = false;
			if (unknown.length === 0) return [];
			const own = assignRoles(unknown, {own: ownIds()});
			shelf.setRoles(own);
			const asking = unknown.filter(message => !own.has(message.id));
			if (asking.length > 0 && !isRefused) {
				try {
					await query(read, asking, pages);
				} catch (error) {
					if (!isServiceError(error)) throw error;
					if (error instanceof RejectedError) isRefused = true;
					else unanswered = asking.map(message => message.id);
				}
			}
			return unknown.filter(message => shelf.timeline.get(message.id)?.role).map(message => message.id);
		},
	};
}

function asked(items: readonly Message[], covered: readonly Message[]): Asked {
	return {
		items,
		ids: new Set(items.map(message => message.id)),
		covered: new Set(covered.map(message => message.id)),
	};
}
