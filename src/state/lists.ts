import type {KnownComputer} from '../domain/known.ts';
import type {FilterWords} from '../domain/list-filter/complete-filter.ts';
import {asksForPast, isMatch} from '../domain/list-filter/match-filter.ts';
import {type FilterProblem, parseFilter} from '../domain/list-filter/parse-filter.ts';
import {stepState} from '../domain/provisioning.ts';
import type {Attention} from './attention.ts';
import type {Fleet} from './fleet.ts';
import {createFilterables, type Filterables, filterWords} from './list-filtering.ts';
import type {Outbox} from './outbox.ts';
import {type SessionItem, sessionItems, shortId} from './session-items.ts';
import type {SessionSort} from './session-sort.ts';

/** Sections of the list column, in their order on screen. */
export const sections = ['needs', 'sessions', 'computers'] as const;
export type Section = (typeof sections)[number];

/** One computer as its list shows it. The name is as it came. */
export type ComputerItem = {
	readonly id: string;
	readonly name: string;
	readonly known: KnownComputer;
	readonly isFailed: boolean;
	/** The service can't find it yet. */
	readonly isStarting?: boolean;
};

/** Where a row is in the lists. */
export type RowPlace = {readonly section: Section; readonly index: number};

export type Lists = {
	readonly needs: readonly SessionItem[];
	readonly sessions: readonly SessionItem[];
	readonly computers: readonly ComputerItem[];
	/** By id: where the rows of the three lists are, so that no key has to look for one. */
	readonly places: {
		readonly sessions: ReadonlyMap<string, RowPlace>;
		readonly computers: ReadonlyMap<string, RowPlace>;
	};
	/** Of everything known, whatever the filter hides. */
	readonly counts: {
		readonly needs: number;
		readonly working: number;
		/** At the service, and not at work yet. */
		readonly pending: number;
		readonly idle: number;
		readonly errors: number;
	};
	/** Everything known, whatever the filter hides. */
	readonly all: {
		readonly sessions: readonly SessionItem[];
		readonly computers: readonly ComputerItem[];
		readonly sessionsById: ReadonlyMap<string, SessionItem>;
	};
	/** Rows that the filter hides. */
	readonly hidden: number;
	/** Sessions that are archived or have ended on this machine, in the lists or not. */
	readonly past: number;
	/** What is wrong with the filter. */
	readonly problems: readonly FilterProblem[];
	readonly sort: SessionSort;
};

export type ListFilter = {
	/** In the language of `parseFilter`. */
	readonly words: string;
	readonly needsOnly: boolean;
	/** Left out: they are not. */
	readonly showsArchived?: boolean;
	readonly sort?: SessionSort;
	readonly marks?: Attention['marks'];
};

/** Makes the lists, and of what it made last time only that again whose data has changed. */
export type Lister = {
	lists(fleet: Fleet, outbox: Outbox, filter: ListFilter): Lists;
	/** The part of them that no filter changes. */
	known(fleet: Fleet, outbox: Outbox, order: Pick<ListFilter, 'sort' | 'marks'>): Known;
	/** What the rows are to a filter. */
	readonly filterables: Filterables;
	/** The words that rows hold: what a filter can be completed with. */
	words(all: Lists['all']): FilterWords;
};

const noMarks: Attention['marks'] = new Map();

export function createLister(): Lister {
	const filterables = createFilterables();
	const known = remember(knownOf);
	const filtered = remember(
		(all: Known, words: string, needsOnly: boolean, showsArchived: boolean): Lists =>
			filter(all, filterables, {words, needsOnly, showsArchived}),
	);
	function allOf(
		{computers, sessions, signals, problems}: Fleet,
		{bySession}: Outbox,
		{sort = 'attention', marks = noMarks}: Pick<ListFilter, 'sort' | 'marks'>,
	): Known {
		return known(computers, sessions, signals, problems, bySession, sort, marks);
	}
	return {
		filterables,
		words: remember(({sessions, computers}: Lists['all']) =>
			filterWords([...sessions.map(filterables.session), ...computers.map(filterables.computer)]),
		),
		known: allOf,
		lists: (fleet, outbox, {words, needsOnly, showsArchived = false, ...order}) =>
			filtered(allOf(fleet, outbox, order), words, needsOnly, showsArchived),
	};
}

/** What the three lists show. Costs as much as there are sessions. */
export function listsOf(fleet: Fleet, outbox: Outbox, listFilter: ListFilter): Lists {
	return createLister().lists(fleet, outbox, listFilter);
}

/** The answer for the arguments of the last call is kept. */
function remember<Args extends readonly unknown[], Value>(
	make: (...args: Args) => Value,
): (...args: Args) => Value {
	let last: {readonly args: Args; readonly value: Value} | undefined;
	return (...args) => {
		if (!last?.args.every((arg, index) => Object.is(arg, args[index]))) last = {args, value: make(...args)};
		return last.value;
	};
}

type Known = Pick<Lists, 'all' | 'counts' | 'past' | 'sort'>;

function knownOf(
	computers: Fleet['computers'],
	sessions: Fleet['sessions'],
	signals: Fleet['signals'],
	problems: Fleet['problems'],
	bySession: Outbox['bySession'],
	sort: SessionSort,
	marks: Attention['marks'],
): Known {
	const items = sessionItems({computers, sessions, signals}, {bySession}, {sort, marks});
	const machines = computerItems({computers, problems});
	const counts = {
		needs: 0,
		working: 0,
		pending: 0,
		idle: 0,
		errors: machines.filter(item => item.isFailed).length,
	};
	let past = 0;
	for (const {isPast, group, state} of items) {
		if (isPast) past++;
		else if (state === 'pending') counts.pending++;
		else if (group === 'needs' || group === 'working') counts[group]++;
		else if (group === 'idle' && state !== 'unknown') counts.idle++;
		if (!isPast && state === 'error') counts.errors++;
	}
	const sessionsById = new Map(items.map(item => [item.id, item]));
	return {all: {sessions: items, computers: machines, sessionsById}, counts, past, sort};
}

function filter(
	known: Known,
	filterables: Filterables,
	{words, needsOnly, showsArchived}: ListFilter,
): Lists {
	const {all} = known;
	const otherStates = all.sessions.flatMap(({word}) => (word === undefined ? [] : [word.toLowerCase()]));
	const parsed = parseFilter(words, otherStates);
	const isAll = showsArchived || asksForPast(parsed);
	const present = isAll ? all.sessions : all.sessions.filter(item => !item.isPast);
	const kept =
		parsed.terms.length === 0 ? present : present.filter(item => isMatch(parsed, filterables.session(item)));
	const needs = kept.filter(item => item.group === 'needs');
	const sessions = needsOnly ? [] : kept.filter(item => item.group !== 'needs');
	const computers = all.computers.filter(
		item =>
			(!needsOnly || item.isFailed) &&
			(parsed.terms.length === 0 || isMatch(parsed, filterables.computer(item))),
	);
	return {
		...known,
		needs,
		sessions,
		computers,
		places: {
			sessions: placesOf([
				['needs', needs],
				['sessions', sessions],
			]),
			computers: placesOf([['computers', computers]]),
		},
		hidden: present.length + all.computers.length - needs.length - sessions.length - computers.length,
		problems: parsed.problems,
	};
}

function placesOf(
	lists: readonly (readonly [Section, readonly {readonly id: string}[]])[],
): ReadonlyMap<string, RowPlace> {
	const places = new Map<string, RowPlace>();
	for (const [section, rows] of lists)
		for (const [index, {id}] of rows.entries()) places.set(id, {section, index});
	return places;
}

function computerItems({computers, problems}: Pick<Fleet, 'computers' | 'problems'>): ComputerItem[] {
	return [...computers.values()]
		.map(known => ({
			id: known.id,
			name: known.computer?.name || shortId(known.id),
			known,
			isFailed: isFailed(known),
			...(problems.get(known.id)?.isStarting && {isStarting: true}),
		}))
		.sort((a, b) => b.known.addedAt - a.known.addedAt || (a.id < b.id ? -1 : 1));
}

function isFailed({computer}: KnownComputer): boolean {
	return (
		computer?.status === 'error' ||
		(computer?.provisioningSteps ?? []).some(step => stepState(step).state === 'failed')
	);
}
