import type {NeedsItem} from '../lists/lists.ts';
import {compareText} from '../rows/table-rows.ts';
import {type Grouping, groupNameOf} from './session-groups.ts';
import type {SessionItem} from './session-items.ts';

/** Sort orders of the session lists, in the order the key cycles through them. */
export const sessionSorts = ['attention', 'activity', 'name'] as const;
export type SessionSort = (typeof sessionSorts)[number];

export const sortTitles: Readonly<Record<SessionSort, string>> = {
	attention: 'by attention',
	activity: 'by last activity',
	name: 'by name',
};

export type Sortable = {
	readonly item: SessionItem;
	/** Sorts its group among the others; empty for sessions that need the user, which come first. */
	readonly groupOrder: string;
	readonly rank: number;
	/** Creation time, if known; Unix ms. */
	readonly madeAt: number;
	/** Time of the last activity, Unix ms; 0 if the sort order doesn't use it. */
	readonly activeAt: number;
	/** The name in lower case; empty if the sort order doesn't use it. */
	readonly name: string;
};

type Compare = (a: Sortable, b: Sortable) => number;

const needsFirst: Compare = (a, b) => Number(a.rank > 0) - Number(b.rank > 0);
/** Busy sessions, newest first, so that they don't move; then last active first. */
const byAttention: Compare = (a, b) =>
	a.rank - b.rank ||
	(a.item.group === 'idle' || a.item.group === 'ended' ? b.activeAt - a.activeAt : 0) ||
	b.madeAt - a.madeAt;

const comparisons: Readonly<Record<SessionSort, Compare>> = {
	attention: byAttention,
	activity: (a, b) => b.activeAt - a.activeAt,
	name: (a, b) => compareText(a.name, b.name),
};

/**
 * Compares what needs the user by what it blocks: an agent that asks waits, a failure stopped one, an answer is only
 * unread. Within each, pinned sessions come first, then who has waited the longest.
 */
export function compareNeeds(a: NeedsItem, b: NeedsItem): number {
	return (
		urgencyOf(a) - urgencyOf(b) ||
		Number(isPinned(b)) - Number(isPinned(a)) ||
		(a.since ?? 0) - (b.since ?? 0) ||
		compareText(a.id, b.id)
	);
}

const isPinned = (item: NeedsItem) => item.kind === 'session' && item.isPinned === true;

/** What it blocks: 0, an agent that asks; 1, a failure; 2, an answer that is only unread. */
export function urgencyOf(item: NeedsItem): 0 | 1 | 2 {
	if (item.kind === 'computer' || item.state === 'error' || item.state === 'unsent') return 1;
	return item.state === 'done' ? 2 : 0;
}

/**
 * Compares sessions: those that need the user, by what they block; then the others by group. Within each group, pinned
 * sessions come first, then the chosen order; ties are broken by id, so that only changed sessions move.
 */
export function compareSessions(sort: SessionSort): Compare {
	const bySort = comparisons[sort];
	return (a, b) =>
		needsFirst(a, b) ||
		(a.rank === 0 ? compareNeeds(a.item, b.item) : 0) ||
		compareText(a.groupOrder, b.groupOrder) ||
		Number(b.item.isPinned ?? false) - Number(a.item.isPinned ?? false) ||
		bySort(a, b) ||
		compareText(a.item.id, b.item.id);
}

export function sortable(
	item: SessionItem,
	{sort, grouping}: {readonly sort: SessionSort; readonly grouping: Grouping},
	keys: Pick<Sortable, 'rank' | 'madeAt' | 'activeAt'>,
): Sortable {
	const name = sort === 'name' ? item.name.toLowerCase() : '';
	return {item, groupOrder: groupNameOf(item, grouping)?.order ?? '', name, ...keys};
}
