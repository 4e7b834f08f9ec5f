import {type Filter, isMatch, parseFilter} from '../../domain/list-filter/filter.ts';
import type {Fleet} from '../fleet.ts';
import type {Filterables} from '../lists/list-filtering.ts';
import type {Lists} from '../lists/lists.ts';
import {fieldsOf, orderRows} from '../rows/column.ts';
import {rememberLast} from '../rows/remember.ts';
import {sessionsOn} from '../sessions/session-counts.ts';
import type {TableOrder} from '../view/view-states.ts';
import {type ComputerRow, computerColumns, computerRow} from './computer-columns.ts';
import type {ComputerState} from './computer-condition.ts';
import type {ComputerItem} from './computer-items.ts';

type RowsSource = {
	/** Elapsed ms of a computer's steps. */
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
	{words, order, isReversed}: TableOrder & {readonly words: string},
	{elapsed, filterables, problems}: RowsSource,
): readonly ComputerRow[] {
	const filter = computersFilter(all, words);
	const rows = all.computers
		.filter(item => isMatch(filter, filterables.computer(item)))
		.map(item =>
			computerRow(item, {
				isStale: problems.has(item.id),
				elapsed: elapsed(item),
				...sessionsOn(all.sessions, item.id),
			}),
		);
	return orderRows(computerColumns, rows, {order, isReversed});
}

/** Remembers the rows while lists, filter, order and problems are the same. */
export function createComputerTable() {
	const remembered = rememberLast<readonly ComputerRow[]>();
	return (
		all: Lists['all'],
		viewState: TableOrder & {readonly words: string},
		source: RowsSource,
	): readonly ComputerRow[] =>
		remembered([all, viewState.words, viewState.order, viewState.isReversed, source.problems], () =>
			computerRows(all, viewState, source),
		);
}

/** Parses the view's filter. An unknown service status counts as a state of its own. */
export function computersFilter({computers}: Lists['all'], words: string): Filter {
	const otherStates = computers.flatMap(({known}) => known.computer?.status?.toLowerCase() ?? []);
	return parseFilter(words, otherStates, fieldsOf(computerColumns));
}

export function countStates(rows: readonly ComputerRow[]): ReadonlyMap<ComputerState, number> {
	const counts = new Map<ComputerState, number>();
	for (const {condition} of rows) counts.set(condition.state, (counts.get(condition.state) ?? 0) + 1);
	return counts;
}
