import {isMatch} from '../domain/list-filter/match-filter.ts';
import {type Filter, parseFilter} from '../domain/list-filter/parse-filter.ts';
import {
	type ComputerCondition,
	type ComputerState,
	computerStates,
	conditionOf,
} from './computer-condition.ts';
import type {ComputerOrder, ComputersReading} from './computers-reading.ts';
import type {Fleet} from './fleet.ts';
import type {Filterables} from './list-filtering.ts';
import type {ComputerItem, Lists} from './lists.ts';
import {type SessionCount, sessionsOn} from './session-counts.ts';

/** One computer as its table shows it. */
export type ComputerRow = SessionCount & {
	readonly item: ComputerItem;
	readonly condition: ComputerCondition;
	/** Its last read failed: what is shown is older than it should be. */
	readonly isStale: boolean;
};

type RowsSource = {
	/** How long the steps of one ran, ms, as the order is made: no row moves because time goes by. */
	readonly elapsed: (item: ComputerItem) => number | undefined;
	readonly filterables: Filterables;
	readonly problems: Fleet['problems'];
};

/**
 * The computers that the filter lets through, in the order that is asked for; those that are equal in it keep the order
 * of the lists. Costs as much as there are computers and sessions: once for each change, never for a key.
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

/** The filter of the view, read; a status word of the service that we don't know is a state of its own. */
export function computersFilter({computers}: Pick<Lists['all'], 'computers'>, words: string): Filter {
	const otherStates = computers.flatMap(({known}) => known.computer?.status?.toLowerCase() ?? []);
	return parseFilter(words, otherStates);
}

type Key = number | string | undefined;

/** Smaller comes first: what wants to be looked at, the longest, the most, the oldest. */
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

/** A key for natural order: `box-9` before `box-10`. Avoids Intl, whose first use costs 25-45 ms at start. */
function text(value: string | undefined): string | undefined {
	return value?.toLowerCase().replace(/\d+/g, digits => digits.padStart(12, '0')) || undefined;
}

/** What isn't known comes last, whichever way round. */
function compareKeys(a: Key, b: Key, isReversed: boolean): number {
	if (a === b) return 0;
	if (a === undefined) return 1;
	if (b === undefined) return -1;
	return (a < b ? -1 : 1) * (isReversed ? -1 : 1);
}

/** How many rows are in each state. */
export function countStates(rows: readonly ComputerRow[]): ReadonlyMap<ComputerState, number> {
	const counts = new Map<ComputerState, number>();
	for (const {condition} of rows) counts.set(condition.state, (counts.get(condition.state) ?? 0) + 1);
	return counts;
}

/** Where the cursor's row is. One that is gone leaves the cursor on what took its place, `before` being its index then. */
export function rowIndex(rows: readonly ComputerRow[], id: string | undefined, before: number): number {
	const index = rows.findIndex(({item}) => item.id === id);
	return index >= 0 ? index : Math.max(0, Math.min(before, rows.length - 1));
}
