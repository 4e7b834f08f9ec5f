import {asksForPast, type Filter, isMatch, parseFilter} from '../../domain/list-filter/filter.ts';
import type {Filterables} from '../lists/list-filtering.ts';
import type {Lists} from '../lists/lists.ts';
import {fieldsOf, orderRows} from '../rows/column.ts';
import {rememberLast} from '../rows/remember.ts';
import type {TableOrder} from '../rows/table-rows.ts';
import {type SessionRow, sessionColumns, sessionRow} from './session-columns.ts';

export type SessionTableQuery = TableOrder & {
	readonly words: string;
	/** Whether archived and ended sessions are included though the filter doesn't ask for them. */
	readonly showsArchived: boolean;
};

/**
 * Filters and sorts the sessions; ties keep list order. Takes time proportional to the number of sessions:
 * call it once per change, not per key press.
 */
function sessionRows(
	all: Lists['all'],
	{words, order, isReversed, showsArchived}: SessionTableQuery,
	filterables: Filterables,
): readonly SessionRow[] {
	const filter = sessionsFilter(all, words);
	const includesPast = showsArchived || asksForPast(filter);
	const rows = all.sessions
		.filter(item => (includesPast || !item.isPast) && isMatch(filter, filterables.session(item)))
		.map(sessionRow);
	return orderRows(sessionColumns, rows, {order, isReversed});
}

/** Remembers the rows while sessions, filter and order are the same. */
export function createSessionTable() {
	const remembered = rememberLast<readonly SessionRow[]>();
	return (all: Lists['all'], query: SessionTableQuery, filterables: Filterables): readonly SessionRow[] =>
		remembered([all, query.words, query.order, query.isReversed, query.showsArchived], () =>
			sessionRows(all, query, filterables),
		);
}

/** Parses the view's filter. An unknown service status counts as a state of its own. */
export function sessionsFilter({sessions}: Lists['all'], words: string): Filter {
	return parseFilter(
		words,
		sessions.flatMap(({word}) => word?.toLowerCase() ?? []),
		fieldsOf(sessionColumns),
	);
}
