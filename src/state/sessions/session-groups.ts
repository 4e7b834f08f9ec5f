import {folderOf, isArchived} from '../../domain/known.ts';
import type {SessionItem} from './session-items.ts';

/** What the sessions pane groups by, in the order the key cycles through. */
export const groupings = ['state', 'computer', 'tag', 'folder', 'none'] as const;
export type Grouping = (typeof groupings)[number];

export const groupingTitles: Readonly<Record<Grouping, string>> = {
	state: 'by state',
	computer: 'by computer',
	tag: 'by first tag',
	folder: 'by folder',
	none: 'not at all',
};

/** Groups by state, in display order. `needs` has its own pane or is at the top of the list. */
const stateGroups = [
	'needs',
	'working',
	'earlier',
	'idle',
	'setAside',
	'other',
	'unknown',
	'ended',
	'archived',
] as const;
export type StateGroup = (typeof stateGroups)[number];

/** The state's group. The header counts by it, and the list groups by it. */
export function stateGroupOf({
	group,
	state,
	isSettled,
	isPast,
	known,
	isUnreachable,
}: SessionItem): StateGroup {
	if (group === 'needs') return 'needs';
	if (isArchived(known)) return 'archived';
	if (isPast || group === 'ended') return 'ended';
	if (group === 'seen') return 'setAside';
	if (isSettled) return 'earlier';
	if (isUnreachable && (state === 'working' || state === 'pending')) return 'unknown';
	if (state === 'raw') return 'other';
	if (state === 'unknown') return 'unknown';
	return group;
}

export function countStates(items: readonly SessionItem[]): Readonly<Record<StateGroup, number>> {
	const counts = Object.fromEntries(stateGroups.map(group => [group, 0])) as Record<StateGroup, number>;
	for (const item of items) counts[stateGroupOf(item)]++;
	return counts;
}

/** One group of the sessions pane, with at least one session. */
export type SessionGroup = {
	/** Identifies the group across data changes and restarts. */
	readonly key: string;
	readonly grouping: Grouping;
	/** State, computer, tag or folder; raw. Absent: sessions without one. */
	readonly name?: string;
	/** The service's word, if the sessions' state is an unknown one. Raw. */
	readonly word?: string;
	/** Number of its sessions that pass the filter, also while it is collapsed. */
	readonly count: number;
	readonly isCollapsed: boolean;
	/** Index in the list of visible sessions of its first session, or where that would be. */
	readonly start: number;
};

type GroupName = Pick<SessionGroup, 'key' | 'name' | 'word'> & {
	readonly order: string;
};

/** The group that an item belongs to; undefined for sessions that need the user and when grouping is off. */
export function groupNameOf(item: SessionItem, grouping: Grouping): GroupName | undefined {
	if (item.group === 'needs' || grouping === 'none') return undefined;
	if (grouping === 'state') return stateGroupName(item);
	const [id, name] = idAndName(item, grouping);
	if (id === undefined || id === '') return {key: grouping, order: '2'};
	return {key: `${grouping} ${id}`, name: name ?? id, order: `0${(name ?? id).toLowerCase()}\n${id}`};
}

/** Unknown states of the service form a group for each word. */
function stateGroupName(item: SessionItem): GroupName {
	const name = stateNames[stateGroupOf(item)];
	const {word} = item;
	if (name !== stateNames.other || word === undefined) return name;
	return {...name, key: `${name.key} ${word}`, word, order: `${name.order}\n${word}`};
}

const stateNames = Object.fromEntries(
	stateGroups.map((name, index) => [name, {key: `state ${name}`, name, order: `${10 + index}`}]),
) as Readonly<Record<StateGroup, GroupName>>;

/** A session with several tags belongs to the group of its first one. */
function idAndName(
	{computerId, computerName, known, signal}: SessionItem,
	grouping: 'computer' | 'tag' | 'folder',
): readonly [id: string | undefined, name?: string | undefined] {
	// No two computers are shown by the same name.
	if (grouping === 'computer') return [computerName ?? computerId];
	if (grouping === 'folder') return [folderOf(known) ?? signal?.cwd];
	return [known?.session?.sessionSettings?.tags?.[0]?.name];
}

type Counted = SessionGroup & {count: number};

/** The sessions of expanded groups, and all groups, in the order of the sorted `items`. */
export function grouped(
	items: readonly SessionItem[],
	grouping: Grouping,
	collapsed: ReadonlySet<string>,
): {readonly sessions: readonly SessionItem[]; readonly groups: readonly SessionGroup[]} {
	if (grouping === 'none') return {sessions: items, groups: []};
	const sessions: SessionItem[] = [];
	const groups: Counted[] = [];
	let last: Counted | undefined;
	for (const item of items) {
		const group = groupNameOf(item, grouping);
		if (!group) continue;
		if (group.key !== last?.key) {
			const {order: _, ...name} = group;
			const isCollapsed = collapsed.has(group.key);
			last = {...name, grouping, count: 0, isCollapsed, start: sessions.length};
			groups.push(last);
		}
		last.count++;
		if (!last.isCollapsed) sessions.push(item);
	}
	return {sessions, groups};
}
