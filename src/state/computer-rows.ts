import {type Filter, isMatch, parseFilter} from '../domain/list-filter/filter.ts';
import {
	type ComputerCondition,
	type ComputerState,
	computerStates,
	conditionOf,
} from './computer-condition.ts';
import type {ComputerItem} from './computer-items.ts';
import type {Fleet} from './fleet.ts';
import type {Filterables} from './list-filtering.ts';
import type {Lists} from './lists.ts';
import type {ComputerOrder, ComputersReading} from './reading.ts';
import {type SessionCount, sessionsOn} from './session-counts.ts';

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
	{words, order, isReversed}: Pick<ComputersReading, 'words' | 'order' | 'isReversed'>,
	{elapsed, filterables, problems}: RowsSource,
): ComputerRow[] {
	const filter = computersFilter(all, words);
	const rows = all.computers
		.filter(item => isMatch(filter, filterables.computer(item)))
		.map(item => ({
			item,
			condition: conditionOf(item),
			isStale: problems.has(item.id),
			...sessionsOn(all.sessions, item.id),
		}));
	const keyed = rows.map((row, index) => ({row, index, key: keyOf(row, order, elapsed)}));
	keyed.sort((a, b) => compareKeys(a.key, b.key, isReversed) || a.index - b.index);
	return keyed.map(({row}) => row);
}

/** Remembers the rows while lists, filter, order and problems are the same. */
export function createComputerTable() {
	let last: {readonly inputs: readonly unknown[]; readonly rows: readonly ComputerRow[]} | undefined;
	return (
		all: Lists['all'],
		reading: Pick<ComputersReading, 'words' | 'order' | 'isReversed'>,
		source: RowsSource,
	): readonly ComputerRow[] => {
		const inputs = [all, reading.words, reading.order, reading.isReversed, source.problems];
		if (last === undefined || inputs.some((input, index) => input !== last?.inputs[index]))
			last = {inputs, rows: computerRows(all, reading, source)};
		return last.rows;
	};
}

/** Parses the view's filter. An unknown service status counts as a state of its own. */
export function computersFilter({computers}: Pick<Lists['all'], 'computers'>, words: string): Filter {
	const otherStates = computers.flatMap(({known}) => known.computer?.status?.toLowerCase() ?? []);
	return parseFilter(words, otherStates);
}

type Key = number | string | undefined;

/** The sort key, ascending: most urgent, longest, most or oldest first. */
function keyOf(
	{item, condition, sessions, needs}: ComputerRow,
	order: ComputerOrder,
	elapsed: (item: ComputerItem) => number | undefined,
): Key {
	const {computer, fetchedAt} = item.known;
	switch (order) {
		case 'state':
			return computerStates.indexOf(condition.state);
		case 'name':
			return text(item.name);
		case 'steps':
			return condition.total === 0 ? undefined : condition.done / condition.total;
		case 'time':
			return negative(elapsed(item));
		case 'sessions':
			return -(needs * 1e6 + sessions);
		case 'provider':
			return text(computer?.providerType);
		case 'host':
			return text(computer?.hostname);
		case 'user':
			return text(computer?.remoteUser);
		case 'read':
			return fetchedAt;
	}
}

const negative = (value: number | undefined) => (value === undefined ? undefined : -value);

/**
 * A key for natural sort order: `box-9` before `box-10`. Avoids Intl, whose first use adds 25-45 ms to
 * startup.
 */
function text(value: string | undefined): string | undefined {
	return value?.toLowerCase().replace(/\d+/g, digits => digits.padStart(12, '0')) || undefined;
}

/** Compares keys; unknown keys come last in either direction. */
function compareKeys(a: Key, b: Key, isReversed: boolean): number {
	if (a === b) return 0;
	if (a === undefined) return 1;
	if (b === undefined) return -1;
	return (a < b ? -1 : 1) * (isReversed ? -1 : 1);
}

/** Number of rows per state. */
export function countStates(rows: readonly ComputerRow[]): ReadonlyMap<ComputerState, number> {
	const counts = new Map<ComputerState, number>();
	for (const {condition} of rows) counts.set(condition.state, (counts.get(condition.state) ?? 0) + 1);
	return counts;
}

/**
 * Index of the cursor's row. If the row is gone, the row that took its place; `before` is its previous index.
 */
export function rowIndex(rows: readonly ComputerRow[], id: string | undefined, before: number): number {
	const index = rows.findIndex(({item}) => item.id === id);
	return index >= 0 ? index : Math.max(0, Math.min(before, rows.length - 1));
}
