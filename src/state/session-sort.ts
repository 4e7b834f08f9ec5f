import type {SessionItem} from './session-items.ts';

/** Sort orders of the session lists, in the order the key cycles through them. */
export const sessionSorts = ['attention', 'activity', 'name', 'computer'] as const;
export type SessionSort = (typeof sessionSorts)[number];

export const sortTitles: Readonly<Record<SessionSort, string>> = {
	attention: 'by attention',
	activity: 'by last activity',
	name: 'by name',
	computer: 'by computer',
};

export function nextSort(sort: SessionSort): SessionSort {
	return sessionSorts[(sessionSorts.indexOf(sort) + 1) % sessionSorts.length] ?? 'attention';
}

/** Precomputed sort keys of an item. */
export type Sortable = {
	readonly item: SessionItem;
	/** 0: needs the user; 1: at the service; 2: on this machine. */
	readonly section: 0 | 1 | 2;
	/** Its heading (`headingOf`), or empty. */
	readonly heading: string;
	/** Rank of its group. */
	readonly rank: number;
	/** Creation time, if known; Unix ms. */
	readonly madeAt: number;
	/** Time of the last activity, Unix ms; 0 if the sort order doesn't use it. */
	readonly activeAt: number;
	/** The name in lower case; empty if the sort order doesn't use it. */
	readonly name: string;
};

type Compare = (a: Sortable, b: Sortable) => number;

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const newestFirst: Compare = (a, b) => b.madeAt - a.madeAt;
const byName: Compare = (a, b) => byText(a.name, b.name);
/** Longest waiting first; below those, busy sessions before others. */
const byAttention: Compare = (a, b) =>
	a.rank - b.rank || (a.rank === 0 ? (a.item.since ?? 0) - (b.item.since ?? 0) : 0) || newestFirst(a, b);

const comparisons: Readonly<Record<SessionSort, Compare>> = {
	attention: byAttention,
	activity: (a, b) => b.activeAt - a.activeAt,
	name: byName,
	computer: (a, b) => byName(a, b) || newestFirst(a, b),
};

/**
 * Compares sessions: those that need the user, then the service's, then those of this machine by folder.
 * Within each, pinned sessions come first, then the chosen order; ties are broken by id, so that only changed
 * sessions move.
 */
export function compareSessions(sort: SessionSort): Compare {
	const bySort = comparisons[sort];
	return (a, b) =>
		a.section - b.section ||
		byText(a.heading, b.heading) ||
		Number(b.item.isPinned ?? false) - Number(a.item.isPinned ?? false) ||
		bySort(a, b) ||
		byText(a.item.id, b.item.id);
}

/** Computes an item's sort keys. */
export function sortable(
	item: SessionItem,
	sort: SessionSort,
	keys: Pick<Sortable, 'rank' | 'madeAt' | 'activeAt'>,
): Sortable {
	const section = item.group === 'needs' ? 0 : item.client === undefined ? 1 : 2;
	const name = sort === 'name' || sort === 'computer' ? item.name.toLowerCase() : '';
	return {item, section, heading: headingOf(item, sort) ?? '', name, ...keys};
}

/**
 * The heading of a session: its folder for sessions on this machine, or its computer if sorted by computer.
 */
export function headingOf(item: SessionItem, sort: SessionSort): string | undefined {
	if (item.group === 'needs') return undefined;
	if (item.folder !== undefined) return item.folder;
	return sort === 'computer' ? (item.computerName ?? item.computerId ?? '') : undefined;
}
