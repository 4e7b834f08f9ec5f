import type {Median} from '../../domain/computers/provisioning.ts';
import {isWatched} from '../../domain/known.ts';
import {
	asksForPast,
	type Filterable,
	type FilterProblem,
	isMatch,
	parseFilter,
} from '../../domain/list-filter/filter.ts';
import {type ComputerItem, computerItems} from '../computers/computer-items.ts';
import type {Connection} from '../connection.ts';
import type {Fleet} from '../fleet.ts';
import {remember, rememberLast} from '../rows/remember.ts';
import {
	countStates,
	type Grouping,
	grouped,
	groupNameOf,
	type SessionGroup,
	stateGroupOf,
} from '../sessions/session-groups.ts';
import {type SessionItem, type SessionOrder, sessionItems} from '../sessions/session-items.ts';
import {compareNeeds, type SessionSort} from '../sessions/session-sort.ts';
import {certainUntil, isUnread} from '../sessions/session-state.ts';
import type {Attention, Outbox} from '../stores.ts';
import type {Targets} from '../view/targets.ts';
import {createFilterables, type Filterables, listFields} from './list-filtering.ts';

export type Lists = {
	readonly needs: readonly NeedsItem[];
	/** Sessions that don't need the user, except those in collapsed groups. */
	readonly sessions: readonly SessionItem[];
	/** The groups of these sessions, in display order; empty when grouping is off. */
	readonly groups: readonly SessionGroup[];
	readonly computers: readonly ComputerItem[];
	/** Counts over everything known, regardless of the filter. */
	readonly counts: {
		readonly needs: number;
		readonly working: number;
		/** Until when each of the working ones is certainly at work, Unix ms. */
		readonly workingUntil: readonly number[];
		readonly idle: number;
		/** Failed sessions and computers, whether or not they still need the user. */
		readonly failed: number;
		/** Set if the last read of every session of the service failed, or some were never read. */
		readonly unread?: 'failed' | 'reading';
	};
	/** Everything known, regardless of the filter. */
	readonly all: {
		/** Those of both that need the user. */
		readonly needs: readonly NeedsItem[];
		readonly places: Places;
		readonly sessions: readonly SessionItem[];
		readonly computers: readonly ComputerItem[];
		readonly sessionsById: ReadonlyMap<string, SessionItem>;
	};
	readonly hidden: {readonly sessions: number; readonly computers: number};
	/** Number of sessions that are archived or have ended on this machine, listed or not. */
	readonly past: number;
	readonly problems: readonly FilterProblem[];
	readonly sort: SessionSort;
	readonly grouping: Grouping;
};

/** For what no longer needs the user, by id: the id of what stood below it then, if anything did. */
type Places = ReadonlyMap<string, string | undefined>;

export type ListFilter = SessionOrder & {
	/** In the syntax of `parseFilter`. */
	readonly words: string;
	readonly needsOnly: boolean;
	/** Default: hidden. */
	readonly showsArchived?: boolean;
	/** Keys of the collapsed groups. */
	readonly collapsed?: ReadonlySet<string>;
};

/** Builds the lists, rebuilding only the parts whose data has changed. */
export type ListBuilder = {
	lists(fleet: Fleet, outbox: Outbox, filter: ListFilter): Lists;
	/** The part of the lists that doesn't depend on the filter. */
	unfiltered(fleet: Fleet, outbox: Outbox, order: SessionOrder): Unfiltered;
	readonly filterables: Filterables;
};

const noMarks: Attention['marks'] = new Map();
const noneCollapsed: ReadonlySet<string> = new Set();

/** `unreadNeedsYou`: whether a session whose agent is done needs the user until they have read its answer. */
export function createListBuilder(unreadNeedsYou = true, median?: Median): ListBuilder {
	const filterables = createFilterables();
	const remembered = rememberLast<Unfiltered>();
	const prepared = remember((all: Lists['all']) => prepare(all, filterables));
	const filtered = rememberLast<Lists>();
	const places = new Map<string, string | undefined>();
	let needsBefore: readonly NeedsItem[] = [];
	function recordPlaces(needs: readonly NeedsItem[]): void {
		const ids = new Set(needs.map(({id}) => id));
		for (const [index, {id}] of needsBefore.entries())
			if (!ids.has(id)) places.set(id, needsBefore[index + 1]?.id);
		needsBefore = needs;
	}
	function unfiltered(
		fleet: Fleet,
		outbox: Outbox,
		{sort = 'attention', grouping = 'state', marks = noMarks, isServiceGone = false}: SessionOrder,
	): Unfiltered {
		const {computers, sessions, signals, requests, problems} = fleet;
		return remembered(
			[
				computers,
				sessions,
				signals,
				requests,
				problems,
				outbox.bySession,
				sort,
				grouping,
				marks,
				isServiceGone,
			],
			() => {
				const order = {sort, grouping, marks, unreadNeedsYou, isServiceGone};
				const current = unfilteredOf(fleet, outbox, order, median, places);
				recordPlaces(current.all.needs);
				return current;
			},
		);
	}
	return {
		filterables,
		unfiltered,
		lists(fleet, outbox, {words, needsOnly, showsArchived = false, collapsed = noneCollapsed, ...order}) {
			const current = unfiltered(fleet, outbox, order);
			return filtered([current, words, needsOnly, showsArchived, collapsed], () => {
				const rows = words === '' ? notPrepared : prepared(current.all);
				return filter(current, rows, {words, needsOnly, showsArchived, collapsed});
			});
		},
	};
}

type Unfiltered = Pick<Lists, 'all' | 'counts' | 'past' | 'sort' | 'grouping'>;

function unfilteredOf(
	fleet: Fleet,
	outbox: Outbox,
	order: Required<SessionOrder>,
	median: Median | undefined,
	places: Places,
): Unfiltered {
	const {sort, grouping, marks} = order;
	const items = sessionItems(fleet, outbox, order);
	const computers = computerItems(fleet, marks, median);
	const needs = needsItems(items, computers);
	const {working, idle} = countStates(items);
	const failed = [
		// A failed install counts as its computer.
		...items.filter(({state, isPast, source}) => state === 'error' && !isPast && source !== 'step'),
		...computers.filter(({isFailed}) => isFailed),
	];
	const past = items.filter(item => item.isPast).length;
	const watched = items.filter(({known}) => isWatched(known));
	const isReading = watched.some(
		({id, known, state}) => state === 'unknown' && isUnread(known) && !fleet.problems.has(id),
	);
	const hasFailed = watched.length > 0 && watched.every(({id}) => fleet.problems.has(id));
	const unread = hasFailed ? 'failed' : isReading ? 'reading' : undefined;
	const sessionsById = new Map(items.map(item => [item.id, item]));
	return {
		all: {needs, places, sessions: items, computers, sessionsById},
		counts: {
			needs: needs.length,
			working,
			workingUntil: items.filter(item => stateGroupOf(item) === 'working').map(certainUntil),
			idle,
			failed: failed.length,
			unread,
		},
		past,
		sort,
		grouping,
	};
}

/** Filterable forms of everything known: rebuilt on each data change, not on each key press. */
type Prepared = {
	/** One per row of `all`, in the same order; empty while no filter needs them, as on the first frame. */
	readonly sessions: readonly Filterable[];
	readonly computers: readonly Filterable[];
	/** State words of the service, lower case. */
	readonly otherStates: readonly string[];
};

const notPrepared: Prepared = {sessions: [], computers: [], otherStates: []};

function prepare({sessions, computers}: Lists['all'], filterables: Filterables): Prepared {
	return {
		sessions: sessions.map(filterables.session),
		computers: computers.map(filterables.computer),
		otherStates: [...new Set(sessions.flatMap(({word}) => (word === undefined ? [] : [word.toLowerCase()])))],
	};
}

function filter(
	base: Unfiltered,
	prepared: Prepared,
	{words, needsOnly, showsArchived, collapsed}: Omit<Required<ListFilter>, keyof SessionOrder>,
): Lists {
	const {all} = base;
	const parsed = parseFilter(words, prepared.otherStates, listFields);
	const includesPast = showsArchived || asksForPast(parsed);
	const isShown = (row: Filterable | undefined) => row === undefined || isMatch(parsed, row);
	const others: SessionItem[] = [];
	/** The items to show, of those that may need the user. */
	const shown = new Set<NeedsItem>();
	let sessionCount = 0;
	for (const [index, item] of all.sessions.entries()) {
		if (item.isPast && !includesPast) continue;
		sessionCount++;
		if (!isShown(prepared.sessions[index])) continue;
		if (item.group === 'needs') shown.add(item);
		else if (!needsOnly) others.push(item);
	}
	const waitingCount = shown.size;
	// A filter also shows matches in collapsed groups.
	const {sessions, groups} = grouped(others, base.grouping, words === '' ? collapsed : noneCollapsed);
	const matching = all.computers.filter((_, index) => isShown(prepared.computers[index]));
	for (const item of matching) shown.add(item);
	const needs = all.needs.filter(item => shown.has(item));
	const computers = needsOnly ? matching.filter(isWaiting) : matching;
	return {
		...base,
		needs,
		sessions,
		groups,
		computers,
		hidden: {
			sessions: sessionCount - waitingCount - others.length,
			computers: all.computers.length - computers.length,
		},
		problems: parsed.problems,
	};
}

/** The group of a known session, listed or not. */
export function groupOf({all, groups, grouping}: Lists, sessionId: string): SessionGroup | undefined {
	const item = all.sessionsById.get(sessionId);
	const key = item && groupNameOf(item, grouping)?.key;
	return groups.find(group => group.key === key);
}

/** An item that can need the user: a session, or a computer whose provisioning failed or seems not to go on. */
export type NeedsItem = SessionItem | ComputerItem;

/** Whether it needs the user, who has neither acknowledged nor snoozed that. */
export function isWaiting(item: NeedsItem): boolean {
	if (item.kind === 'session') return item.group === 'needs';
	return (item.isFailed || item.isStuck === true) && item.mark === undefined;
}

/** Why nobody can say that nothing needs the user, though nothing is known to; undefined if somebody can. */
export function whyUnknown(
	{state, refusal}: Connection,
	{unread}: Lists['counts'],
): 'unauthorized' | 'offline' | 'refusal' | Lists['counts']['unread'] {
	if (state === 'unauthorized' || state === 'offline') return state;
	if (refusal) return 'refusal';
	return unread;
}

/** All sessions and computers that need the user, in the order of `compareNeeds`. */
function needsItems(sessions: readonly SessionItem[], computers: readonly ComputerItem[]): NeedsItem[] {
	return [...sessions, ...computers].filter(isWaiting).sort(compareNeeds);
}

/** The session or computer that keys act on (`targets`). */
export function itemAt(
	{sessionsById, computers}: Lists['all'],
	{sessionId, computerId}: Targets,
): NeedsItem | undefined {
	if (sessionId !== undefined) return sessionsById.get(sessionId);
	return computerId === undefined ? undefined : computers.find(({id}) => id === computerId);
}

/**
 * What needs the user besides an item, beginning after it. If it no longer needs them, it begins with what took its
 * place.
 */
export function needsAfter({needs, places}: Lists['all'], id: string | undefined): readonly NeedsItem[] {
	const indexes = new Map(needs.map((item, index) => [item.id, index]));
	let start = id;
	while (start !== undefined && !indexes.has(start)) start = places.get(start);
	const index = indexes.get(start ?? '') ?? 0;
	const isThere = start !== undefined && start === id;
	return [...needs.slice(isThere ? index + 1 : index), ...needs.slice(0, index)];
}

/**
 * All sessions and computers that need the user, including handled ones: waiting first, in the order of
 * Needs you, then snoozed (by end of snooze), then acknowledged (most recent first).
 */
export function inboxItems({sessions, computers}: Lists['all']): NeedsItem[] {
	return [...sessions, ...computers]
		.filter(({episode}) => episode !== undefined)
		.sort((a, b) => rankOf(a) - rankOf(b) || timeOf(a) - timeOf(b) || compareNeeds(a, b));
}

function rankOf({mark}: NeedsItem): 0 | 1 | 2 {
	if (!mark) return 0;
	return mark.kind === 'snoozed' ? 1 : 2;
}

/** When its snooze ends; without one, the most recent mark comes first. */
function timeOf({mark}: NeedsItem): number {
	return mark ? (mark.until ?? -mark.at) : 0;
}
