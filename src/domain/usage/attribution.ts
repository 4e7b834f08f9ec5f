/** One entry of a breakdown. `share` is its fraction of the total, absent if the total is zero. */
export type Ranked = {
	readonly key: string;
	readonly label: string;
	readonly value: number;
	readonly share: number | undefined;
};

/** A total and its breakdown by name, largest first. */
export type Attribution = {
	readonly total: number;
	readonly entries: readonly Ranked[];
	/**
	 * The part of the total not attributed to any name, since a breakdown need not sum to its total. Negative
	 * if the names sum to more.
	 */
	readonly unattributed: number;
	/** The number of names exceeded the limit; values of later names are unattributed. */
	readonly isCut?: true;
};

type Part = {
	readonly key: string | undefined;
	readonly label?: string | undefined;
	readonly value: number | undefined;
};

/** Maximum number of names: five times those of the largest known organization. */
const maxNames = 100_000;

export function attributionOf<Row>(
	rows: Iterable<Row>,
	totalOf: (row: Row) => number | undefined,
	partsOf: (row: Row) => Iterable<Part> | undefined,
): Attribution {
	const attribution = createAttribution();
	for (const row of rows) attribution.addDay(totalOf(row), partsOf(row));
	return attribution.done();
}

/** Accumulates a breakdown day by day. */
export function createAttribution() {
	const values = new Map<string, number>();
	const labels = new Map<string, string>();
	let sum = 0;
	let isCut = false;
	return {
		/** Adds one day: its total and its parts, if any. A day without a known total counts as the sum of its parts. */
		addDay(total: number | undefined, parts: Iterable<Part> | undefined): void {
			let named = 0;
			for (const {key, label, value} of parts ?? []) {
				if (value === undefined || !Number.isFinite(value)) continue;
				named += value;
				if (key === undefined || key === '') continue;
				if (values.size >= maxNames && !values.has(key)) {
					isCut = true;
					continue;
				}
				values.set(key, (values.get(key) ?? 0) + value);
				if (label) labels.set(key, label);
			}
			sum += total !== undefined && Number.isFinite(total) ? total : named;
		},
		done(): Attribution {
			const entries = [...values]
				.map(([key, value]) => ({
					key,
					label: labels.get(key) ?? key,
					value,
					share: sum > 0 ? value / sum : undefined,
				}))
				.sort((a, b) => b.value - a.value || (a.key < b.key ? -1 : 1));
			const rest = sum - entries.reduce((named, {value}) => named + value, 0);
			// Floating-point residue is not a real unattributed amount.
			return {
				total: sum,
				entries,
				unattributed: Math.abs(rest) <= Math.abs(sum) * 1e-9 ? 0 : rest,
				...(isCut && {isCut}),
			};
		},
	};
}
