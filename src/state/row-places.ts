/** Sections of the list column, in their order on screen. */
export const sections = ['needs', 'sessions', 'computers'] as const;
export type Section = (typeof sections)[number];

/** Where a row is in the lists. */
export type RowPlace = {readonly section: Section; readonly index: number};

export type RowPlaces = {get(id: string): RowPlace | undefined};

/** The place of every row, by its id, in the order that all lists keep. */
export type Ranks = ReadonlyMap<string, number>;

type Rows = readonly {readonly id: string}[];

export function ranksOf(rows: Rows): Ranks {
	return new Map(rows.map(({id}, index) => [id, index]));
}

/**
 * Where rows are in lists that hold some of the ranked ones in their order. Nothing is made for it: while a filter is
 * typed the lists are others with each key, and a row or two of them are looked for.
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

/** Index of the first row that is ranked so or later. */
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
