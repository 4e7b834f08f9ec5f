import type {SessionItem} from './session-items.ts';

/** Orders of the session lists, in the order in which the key goes through them. */
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

/** What the order of an item depends on, worked out once for all comparisons. */
export type Sortable = {
	readonly item: SessionItem;
	/** What needs the user first, then the service's sessions, then those of this machine. */
	readonly section: 0 | 1 | 2;
	/** What it stands under (`headingOf`); empty for nothing. */
	readonly heading: string;
	/** Place of its group among the groups. */
	readonly rank: number;
	/** When it was made, as far as is known; Unix ms. */
	readonly madeAt: number;
	/** When something last happened to it, Unix ms; 0 where it decides nothing. */
	readonly activeAt: number;
	/** The name in lower case; empty where it decides nothing. */
	readonly name: string;
};

type Compare = (a: Sortable, b: Sortable) => number;

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const newestFirst: Compare = (a, b) => b.madeAt - a.madeAt;
const byName: Compare = (a, b) => byText(a.name, b.name);
/** Whoever waits longest comes first; below, what is at work comes before what is not. */
const byAttention: Compare = (a, b) =>
	a.rank - b.rank || (a.rank === 0 ? (a.item.since ?? 0) - (b.item.since ?? 0) : 0) || newestFirst(a, b);

const within: Readonly<Record<SessionSort, Compare>> = {
	attention: byAttention,
	activity: (a, b) => b.activeAt - a.activeAt,
	name: byName,
	computer: (a, b) => byName(a, b) || newestFirst(a, b),
};

/**
 * The order of all sessions: what needs the user, then the service's, then those of this machine folder by folder. In
 * each of them what is pinned comes first, then the chosen order; equals stand by their ids, so that nothing moves but
 * what changed.
 */
export function compareSessions(sort: SessionSort): Compare {
	const chosen = within[sort];
	return (a, b) =>
		a.section - b.section ||
		byText(a.heading, b.heading) ||
		Number(b.item.isPinned ?? false) - Number(a.item.isPinned ?? false) ||
		chosen(a, b) ||
		byText(a.item.id, b.item.id);
}

/** An item with all that its place depends on. */
export function sortable(
	item: SessionItem,
	sort: SessionSort,
	facts: Pick<Sortable, 'rank' | 'madeAt' | 'activeAt'>,
): Sortable {
	const section = item.group === 'needs' ? 0 : item.client === undefined ? 1 : 2;
	const name = sort === 'name' || sort === 'computer' ? item.name.toLowerCase() : '';
	return {item, section, heading: headingOf(item, sort) ?? '', name, ...facts};
}

/** The heading that a session stands under: its folder on this machine, or its computer when they are sorted so. */
export function headingOf(item: SessionItem, sort: SessionSort): string | undefined {
	if (item.group === 'needs') return undefined;
	if (item.folder !== undefined) return item.folder;
	return sort === 'computer' ? (item.computerName ?? item.computerId ?? '') : undefined;
}
