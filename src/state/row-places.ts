import {type Subject, subjectKey} from '../domain/sessions/attention.ts';

/** Sections of the list column, in display order. */
export const sections = ['needs', 'sessions', 'computers'] as const;
export type Section = (typeof sections)[number];

/** A row's place in the lists. */
export type RowPlace = {readonly section: Section; readonly index: number};

/** Finds rows by `subjectKey`. */
export type RowPlaces = {get(key: string): RowPlace | undefined};

/** The rank of every row by `subjectKey`, before any are filtered out. */
export type Ranks = ReadonlyMap<string, number>;

type Rows = readonly Subject[];

export function ranksOf(rows: Rows): Ranks {
	return new Map(rows.map((row, index) => [subjectKey(row), index]));
}

/**
 * Looks up rows in lists that each hold a subset of their ranked rows in rank order. Uses binary search without
 * an index: while a filter is typed, the lists change with each key and only a row or two is looked up.
 */
export function placesOf(
	lists: readonly {readonly section: Section; readonly rows: Rows; readonly ranks: Ranks}[],
): RowPlaces {
	return {
		get(key) {
			for (const {section, rows, ranks} of lists) {
				const rank = ranks.get(key);
				if (rank === undefined) continue;
				const index = firstFrom(rows, ranks, rank);
				const row = rows[index];
				if (row && subjectKey(row) === key) return {section, index};
			}
			return undefined;
		},
	};
}

/** Index of the first row with that rank or a higher one. */
function firstFrom(rows: Rows, ranks: Ranks, rank: number): number {
	let from = 0;
	let to = rows.length;
	while (from < to) {
		const middle = (from + to) >> 1;
		const row = rows[middle];
		if (row && (ranks.get(subjectKey(row)) ?? 0) < rank) from = middle + 1;
		else to = middle;
	}
	return from;
}
