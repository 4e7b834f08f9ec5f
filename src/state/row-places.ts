/** Sections of the list column, in display order. */
export const sections = ['needs', 'sessions', 'computers'] as const;
export type Section = (typeof sections)[number];

/** A row's place in the lists. */
export type RowPlace = {readonly section: Section; readonly index: number};

export type RowPlaces = {get(id: string): RowPlace | undefined};

/** The rank of every row by id, in the order shared by all lists. */
export type Ranks = ReadonlyMap<string, number>;

type Rows = readonly {readonly id: string}[];

export function ranksOf(rows: Rows): Ranks {
	return new Map(rows.map(({id}, index) => [id, index]));
}

/**
 * Looks up rows in lists that each hold a subset of the ranked rows in rank order. Uses binary search without
 * an index: while a filter is typed, the lists change with each key and only a row or two is looked up.
 */
export function placesOf(ranks: Ranks, lists: readonly (readonly [Section, Rows])[]): RowPlaces {
	return {
		get(id) {
			const rank = ranks.get(id);
			if (rank === undefined) return undefined;
			for (const [section, rows] of lists) {
				const index = firstFrom(rows, ranks, rank);
				if (rows[index]?.id === id) return {section, index};
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
		if ((ranks.get(rows[middle]?.id ?? '') ?? 0) < rank) from = middle + 1;
		else to = middle;
	}
	return from;
}
