import {type Subject, subjectKey} from '../../domain/sessions/attention.ts';
import {firstIndex} from '../rows/table-rows.ts';

/** Sections of the list column, in display order. */
export const sections = ['needs', 'sessions', 'computers'] as const;
export type Section = (typeof sections)[number];

export type RowPosition = {readonly section: Section; readonly index: number};

/** Finds rows by `subjectKey`. */
export type RowPositions = {get(key: string): RowPosition | undefined};

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
export function positionsOf(
	lists: readonly {readonly section: Section; readonly rows: Rows; readonly ranks: Ranks}[],
): RowPositions {
	return {
		get(key) {
			for (const {section, rows, ranks} of lists) {
				const rank = ranks.get(key);
				if (rank === undefined) continue;
				const rankAt = (at: number) => ranks.get(subjectKey(rows[at] as Subject)) ?? 0;
				const index = firstIndex(rows.length, at => rankAt(at) < rank);
				const row = rows[index];
				if (row && subjectKey(row) === key) return {section, index};
			}
			return undefined;
		},
	};
}
