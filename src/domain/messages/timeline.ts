import {isEqual} from '../is-equal.ts';
import {orderTies} from '../order.ts';
import type {Message, MessageRole} from './message.ts';

/**
 * A message in the timeline. `version` increases with each change and is never reused, not even by another
 * timeline of the same session: rows are cached by it.
 */
export type TimelineItem = {
	readonly id: string;
	readonly version: number;
	readonly message: Message;
	readonly role?: MessageRole;
};

/** The effect of adding a page, by id. */
export type Upserted = {
	readonly added: readonly string[];
	readonly changed: readonly string[];
	/** Already known and unchanged: a poll has reached known messages. */
	readonly unchanged: readonly string[];
};

/** A message to add; without a role, the known role is kept. */
export type Incoming = {readonly message: Message; readonly role?: MessageRole};

/**
 * Messages in display order: `createdAt`, then parent before child, then arrival; ids are unique. Pages may
 * arrive in any order, overlap, repeat or contain edited messages: the result is the same.
 */
export type Timeline = ReturnType<typeof createTimeline>;

type Node = {item: TimelineItem; message: Message; time: number; rank: number};

/** The last version given by any timeline. */
let version = 0;

export function createTimeline() {
	let nodes: Node[] = [];
	let items: TimelineItem[] | undefined;
	const byId = new Map<string, Node>();

	/** First index with a time at or after `time`. */
	function lowerBound(time: number): number {
		let low = 0;
		let high = nodes.length;
		while (low < high) {
			const mid = (low + high) >>> 1;
			if ((nodes[mid]?.time ?? 0) < time) low = mid + 1;
			else high = mid;
		}
		return low;
	}

	function groupAt(time: number): {readonly start: number; readonly group: Node[]} {
		const start = lowerBound(time);
		let end = start;
		while (nodes[end]?.time === time) end++;
		return {start, group: nodes.slice(start, end)};
	}

	function detach(node: Node): void {
		const {start, group} = groupAt(node.time);
		nodes.splice(start + group.indexOf(node), 1);
	}

	/** Inserts messages with the same time, in arrival order, using their known neighbors. */
	function insertRun(time: number, run: readonly Node[], side: 'older' | 'newer'): void {
		const {start, group} = groupAt(time);
		const merged = mergeRun(
			group.toSorted((a, b) => a.rank - b.rank),
			run,
			side,
		);
		for (const [rank, node] of merged.entries()) node.rank = rank;
		replaceRange(nodes, start, group.length, orderTies(merged));
		items = undefined;
	}

	function revise(node: Node, message: Message, role: MessageRole | undefined): void {
		node.message = message;
		node.item = {id: message.id, version: ++version, message, ...(role && {role})};
		items = undefined;
	}

	function put({message, role}: Incoming, time: number): 'added' | 'changed' | 'same' {
		const node = byId.get(message.id);
		if (!node) {
			const item = {id: message.id, version: ++version, message, ...(role && {role})};
			byId.set(message.id, {item, message, time, rank: 0});
			return 'added';
		}
		const isChanged = !isOlderRevision(message, node.message) && !isEqual(node.message, message);
		const nextRole = role ?? node.item.role;
		if (!isChanged && nextRole === node.item.role) return 'same';
		revise(node, isChanged ? message : node.message, nextRole);
		if (node.message.createdAt !== undefined && node.message.createdAt !== node.time) {
			detach(node);
			node.time = node.message.createdAt;
		}
		return 'changed';
	}

	return {
		/**
		 * Adds a page, oldest first. `side` decides its position among existing messages of the same time when none
		 * of the page's messages is known: after them (`newer`) or before them (`older`).
		 */
		upsert(page: readonly Incoming[], side: 'older' | 'newer'): Upserted {
			const added: string[] = [];
			const changed: string[] = [];
			const unchanged: string[] = [];
			const edge = side === 'older' ? nodes[0] : nodes.at(-1);
			const times = pageTimes(page, edge?.time ?? 0);
			const runs = new Map<number, Node[]>();
			const isInPlace = new Map<Node[], boolean>();
			const handledIds = new Set<string>();
			for (const [index, incoming] of page.entries()) {
				const {id} = incoming.message;
				if (handledIds.has(id)) continue;
				handledIds.add(id);
				const outcome = put(incoming, times[index] ?? 0);
				if (outcome === 'added') added.push(id);
				else if (outcome === 'changed') changed.push(id);
				else unchanged.push(id);
				const node = byId.get(id);
				if (!node) continue;
				const run = runs.get(node.time) ?? [];
				runs.set(node.time, run);
				const previous = run.at(-1);
				const isInOrder = outcome === 'same' && (!previous || previous.rank < node.rank);
				isInPlace.set(run, isInOrder && isInPlace.get(run) !== false);
				run.push(node);
			}
			for (const [time, run] of runs) if (!isInPlace.get(run)) insertRun(time, run, side);
			return {added, changed, unchanged};
		},
		/** Sets roles and returns the ids whose role changed. */
		setRoles(roles: ReadonlyMap<string, MessageRole>): readonly string[] {
			const changed: string[] = [];
			for (const [id, role] of roles) {
				const node = byId.get(id);
				if (!node || node.item.role === role) continue;
				revise(node, node.message, role);
				changed.push(id);
			}
			return changed;
		},
		remove(ids: readonly string[]): void {
			for (const id of ids) {
				const node = byId.get(id);
				if (!node) continue;
				detach(node);
				byId.delete(id);
				items = undefined;
			}
		},
		get: (id: string): TimelineItem | undefined => byId.get(id)?.item,
		/** Items in display order. Callers must not retain the array. */
		items(): readonly TimelineItem[] {
			items ??= nodes.map(node => node.item);
			return items;
		},
		/** Drops all but the newest `count`; returns whether any were dropped. */
		trim(count: number): boolean {
			if (nodes.length <= count) return false;
			for (const node of nodes.slice(0, nodes.length - count)) byId.delete(node.item.id);
			nodes = nodes.slice(nodes.length - count);
			items = undefined;
			return true;
		},
	};
}

/** Items inserted at once: spread into a call, 100,000 or so throw a RangeError. */
const maxInserted = 10_000;

/** Replaces `count` items from `start` on. */
function replaceRange<T>(list: T[], start: number, count: number, items: readonly T[]): void {
	list.splice(start, count, ...items.slice(0, maxInserted));
	for (let from = maxInserted; from < items.length; from += maxInserted)
		list.splice(start + from, 0, ...items.slice(from, from + maxInserted));
}

/** Whether `next` is an older revision than the current one. */
function isOlderRevision(next: Message, current: Message): boolean {
	return (
		next.updatedAt !== undefined && current.updatedAt !== undefined && next.updatedAt < current.updatedAt
	);
}

/** Each message's sort time: its own, else the previous message's in the page, else the next one's. */
function pageTimes(page: readonly Incoming[], edge: number): readonly number[] {
	let last = page.find(({message}) => message.createdAt !== undefined)?.message.createdAt ?? edge;
	return page.map(({message}) => {
		last = message.createdAt ?? last;
		return last;
	});
}

/** Merges a page into known messages: new ones follow the known one they followed there. */
function mergeRun(existing: readonly Node[], run: readonly Node[], side: 'older' | 'newer'): Node[] {
	const inRun = new Set(run);
	const known = new Set(existing);
	const inOrder = run.filter(node => known.has(node)).values();
	const base = existing.map(node => (inRun.has(node) ? (inOrder.next().value ?? node) : node));
	const followers = new Map<Node | undefined, Node[]>();
	let leader: Node | undefined;
	let first: Node | undefined;
	for (const node of run) {
		if (known.has(node)) {
			leader = node;
			first ??= node;
			continue;
		}
		const list = followers.get(leader);
		if (list) list.push(node);
		else followers.set(leader, [node]);
	}
	const leading = followers.get(undefined) ?? [];
	if (!first) return side === 'older' ? [...leading, ...base] : [...base, ...leading];
	return base.flatMap(node => [...(node === first ? leading : []), node, ...(followers.get(node) ?? [])]);
}

/** A collapsed range of a text: start and end, in UTF-16 code units. */
export type CollapsedRange = readonly [start: number, end: number];
