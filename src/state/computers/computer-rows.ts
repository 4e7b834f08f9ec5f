import {providerTitles} from '../../domain/computers/computer.ts';
import {type Filter, isMatch, parseFilter} from '../../domain/list-filter/filter.ts';
import type {Fleet} from '../fleet.ts';
import type {Filterables} from '../lists/list-filtering.ts';
import type {Lists} from '../lists/lists.ts';
import {rememberLast} from '../rows/remember.ts';
import {largestFirst, naturalKey, type SortKey, sortRows} from '../rows/table-rows.ts';
import {type SessionCount, sessionsOn} from '../sessions/session-counts.ts';
import type {ComputerOrder, ComputersViewState} from '../view/view-states.ts';
import {
	type ComputerCondition,
	type ComputerState,
	computerStates,
	conditionOf,
} from './computer-condition.ts';
import type {ComputerItem} from './computer-items.ts';

/** One row of the computers table. */
export type ComputerRow = SessionCount & {
	readonly item: ComputerItem;
	readonly condition: ComputerCondition;
	/** The last read failed, so the data is out of date. */
	readonly isStale: boolean;
};

type RowsSource = {
	/** Elapsed ms of a computer's steps, fixed when rows are sorted so that rows don't move as time passes. */
	readonly elapsed: (item: ComputerItem) => number | undefined;
	readonly filterables: Filterables;
	readonly problems: Fleet['problems'];
};

/**
 * Filters and sorts the computers; ties keep list order. Takes time proportional to the number of computers
 * and sessions: call it once per change, not per key press.
 */
export function computerRows(
	all: Lists['all'],
	{words, order, isReversed}: Pick<ComputersViewState, 'words' | 'order' | 'isReversed'>,
	{elapsed, filterables, problems}: RowsSource,
): readonly ComputerRow[] {
	const filter = computersFilter(all, words);
	const rows = all.computers
		.filter(item => isMatch(filter, filterables.computer(item)))
		.map(item => ({
			item,
			condition: conditionOf(item),
			isStale: problems.has(item.id),
			...sessionsOn(all.sessions, item.id),
		}));
	return sortRows(rows, row => keyOf(row, order, elapsed), isReversed);
}

/** Remembers the rows while lists, filter, order and problems are the same. */
export function createComputerTable() {
	const remembered = rememberLast<readonly ComputerRow[]>();
	return (
		all: Lists['all'],
		viewState: Pick<ComputersViewState, 'words' | 'order' | 'isReversed'>,
		source: RowsSource,
	): readonly ComputerRow[] =>
		remembered([all, viewState.words, viewState.order, viewState.isReversed, source.problems], () =>
			computerRows(all, viewState, source),
		);
}

/** Parses the view's filter. An unknown service status counts as a state of its own. */
export function computersFilter({computers}: Pick<Lists['all'], 'computers'>, words: string): Filter {
	const otherStates = computers.flatMap(({known}) => known.computer?.status?.toLowerCase() ?? []);
	return parseFilter(words, otherStates);
}

/** The sort key, ascending: most urgent, longest, most or oldest first. */
function keyOf(
	{item, condition, sessions, needs}: ComputerRow,
	order: ComputerOrder,
	elapsed: (item: ComputerItem) => number | undefined,
): SortKey {
	const {computer, fetchedAt} = item.known;
	switch (order) {
		case 'state':
			return computerStates.indexOf(condition.state);
		case 'name':
			return naturalKey(item.name);
		case 'steps':
			return condition.total === 0 ? undefined : condition.done / condition.total;
		case 'time':
			return largestFirst(elapsed(item));
		case 'sessions':
			return -(needs * 1e6 + sessions);
		case 'provider':
			return naturalKey(providerTitles.get(computer?.providerType ?? '')?.title ?? computer?.providerType);
		case 'host':
			return naturalKey(computer?.hostname);
		case 'user':
			return naturalKey(computer?.remoteUser);
		case 'read':
			return fetchedAt;
	}
}

/** Number of rows per state. */
export function countStates(rows: readonly ComputerRow[]): ReadonlyMap<ComputerState, number> {
	const counts = new Map<ComputerState, number>();
	for (const {condition} of rows) counts.set(condition.state, (counts.get(condition.state) ?? 0) + 1);
	return counts;
}
