import {isEqual} from '../objects.ts';
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
	/** Already known, with a new place among those of the same time. */
	readonly moved: readonly string[];
};

/** A message to add; without a role, the known role is kept. */
export type Incoming = {readonly message: Message; readonly role?: MessageRole};

/** Where a message stands: by its time (Unix ms), then by its rank, the sequence number if sent, else by arrival. */
export type Place = {readonly at: number; readonly rank: number};

/** Messages in display order; ids are unique. Pages may arrive in any order, overlap, repeat or contain edited messages. */
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

	/**
	 * Puts messages of one time where a page has them: at their first known one, else at the side. Returns those whose rank
	 * changed.
	 */
	function insertRun(time: number, run: readonly Node[], side: 'older' | 'newer'): readonly Node[] {
		const {start, group} = groupAt(time);
		const inRun = new Set(run);
		const others = group.filter(node => !inRun.has(node));
		const known = group.findIndex(node => inRun.has(node));
		const index = known >= 0 ? known : side === 'older' ? 0 : others.length;
		const merged = [...others.slice(0, index), ...run, ...others.slice(index)];
		const ranks = ranksOf(merged, (group[0]?.rank ?? 0) - run.length);
		const moved = merged.filter((node, position) => node.rank !== ranks[position]);
		for (const [position, node] of merged.entries()) node.rank = ranks[position] ?? 0;
		replaceRange(nodes, start, group.length, merged.sort(byPlace));
		items = undefined;
		return moved;
	}

	function revise(node: Node, message: Message, role: MessageRole | undefined): void {
		node.message = message;
		node.item = {id: message.id, version: ++version, message, role};
		items = undefined;
	}

	function add({message, role}: Incoming, time: number, rank: number): Node {
		const item = {id: message.id, version: ++version, message, role};
		const node = {item, message, time, rank};
		byId.set(message.id, node);
		return node;
	}

	function put(incoming: Incoming, time: number): 'added' | 'changed' | 'same' {
		const {message, role} = incoming;
		const node = byId.get(message.id);
		if (!node) {
			add(incoming, time, Number.NEGATIVE_INFINITY);
			return 'added';
		}
		const isChanged = !isOlderRevision(message, node.message) && !isEqual(node.message, message);
		const nextRole = role ?? node.item.role;
		if (!isChanged && nextRole === node.item.role) return 'same';
		revise(node, isChanged ? message : node.message, nextRole);
		if (node.message.createdAt !== undefined && node.message.createdAt !== node.time) {
			detach(node);
			node.time = node.message.createdAt;
			node.rank = Number.NEGATIVE_INFINITY;
		}
		return 'changed';
	}

	/** Each message's time: its own or its known one, else the previous message's in the page, else the next one's. */
	function pageTimes(page: readonly Incoming[], edge: number): readonly number[] {
		const timeOf = ({message: {id, createdAt}}: Incoming) => createdAt ?? byId.get(id)?.time;
		let last = page.map(timeOf).find(time => time !== undefined) ?? edge;
		return page.map(incoming => {
			last = timeOf(incoming) ?? last;
			return last;
		});
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
			const misplaced = new Set<Node[]>();
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
				if (node.rank <= (run.at(-1)?.rank ?? Number.NEGATIVE_INFINITY)) misplaced.add(run);
				run.push(node);
			}
			const moved = [...runs].flatMap(([time, run]) =>
				misplaced.has(run) ? insertRun(time, run, side).map(({item}) => item.id) : [],
			);
			return {added, changed, unchanged, moved};
		},
		/** Adds messages at places that they had in another timeline; known ones stay as they are. */
		restore(known: readonly (Incoming & Place)[]): void {
			const added = known.filter(({message}) => !byId.has(message.id));
			nodes = [...added.map(one => add(one, one.at, one.rank)), ...nodes].sort(byPlace);
			items = undefined;
		},
		placeOf(id: string): Place | undefined {
			const node = byId.get(id);
			return node && {at: node.time, rank: node.rank};
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

function replaceRange<T>(list: T[], start: number, count: number, items: readonly T[]): void {
	list.splice(start, count, ...items.slice(0, maxInserted));
	for (let from = maxInserted; from < items.length; from += maxInserted)
		list.splice(start + from, 0, ...items.slice(from, from + maxInserted));
}

function isOlderRevision(next: Message, current: Message): boolean {
	return (
		next.updatedAt !== undefined && current.updatedAt !== undefined && next.updatedAt < current.updatedAt
	);
}

function byPlace(a: Node, b: Node): number {
	return a.time - b.time || a.rank - b.rank;
}

/** Ranks of messages of one time, in this order; if all have a sequence number, those. None is below `lowest`. */
function ranksOf(group: readonly Node[], lowest: number): readonly number[] {
	const sequences = group.map(({message}) => sequenceOf(message));
	if (sequences.every(sequence => sequence !== undefined)) return sequences;
	let next = lowest;
	return group.map(({rank}) => {
		const own = Math.max(rank, next);
		next = own + 1;
		return own;
	});
}

/** A collapsed range of a text: start and end, in UTF-16 code units. */
export type CollapsedRange = readonly [start: number, end: number];

/** Which end of the history the first page (without a cursor) returns. */
export type PageOrder = 'newest-first' | 'oldest-first';

/** Returns the page oldest first. If its messages all have one time, assumes the order of the pages. */
export function oldestFirst(page: readonly Message[], pageOrder?: PageOrder): readonly Message[] {
	const order = compare(page.find(isPlaced), page.findLast(isPlaced));
	return (order === 0 ? pageOrder === 'oldest-first' : order < 0) ? page : page.toReversed();
}

/** Detects the order of the pages by the first two pages; undefined if undecidable. */
export function pageOrderOf(first: readonly Message[], second: readonly Message[]): PageOrder | undefined {
	const [before, after] = [oldestFirst(first), oldestFirst(second)];
	const order =
		compare(before.findLast(isPlaced), after.findLast(isPlaced)) ||
		compare(before.find(isPlaced), after.find(isPlaced));
	if (order === 0) return undefined;
	return order < 0 ? 'oldest-first' : 'newest-first';
}

/** Whether the order of these messages, oldest first, is unknown: they share one time and have no sequence numbers. */
export function isOrderUnknown(messages: readonly Message[]): boolean {
	return messages.length > 1 && compare(messages[0], messages.at(-1)) === 0;
}

/** The message's sequence number, if any. Not in the contract; used when a service sends it. */
export function sequenceOf(message: Message): number | undefined {
	const value = message.seq ?? message.sequence;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isPlaced(message: Message): boolean {
	return message.createdAt !== undefined || sequenceOf(message) !== undefined;
}

/** Negative if `a` is older by time or, at the same time, by sequence number; 0 if that is unknown. */
function compare(a: Message | undefined, b: Message | undefined): number {
	if (!a || !b) return 0;
	const difference = (from: number | undefined, to: number | undefined) =>
		from === undefined || to === undefined ? 0 : from - to;
	return difference(a.createdAt, b.createdAt) || difference(sequenceOf(a), sequenceOf(b));
}
