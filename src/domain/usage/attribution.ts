/** One name of a breakdown. `share` is of the whole, absent when the whole is nothing. */
export type Ranked = {
	readonly key: string;
	readonly label: string;
	readonly value: number;
	readonly share: number | undefined;
};

/** A whole and the names it is broken down by, largest first. */
export type Attribution = {
	readonly total: number;
	readonly entries: readonly Ranked[];
	/**
	 * The part of the total that no name accounts for: a breakdown need not add up to its total. Negative when the
	 * names add up to more.
	 */
	readonly unattributed: number;
	/** Days that told their names. */
	readonly days: number;
	/** There were more names than are kept: what the later ones came to is unattributed. */
	readonly isCut?: true;
};

/** Gathers a breakdown day by day. */
export type AttributionBuilder = {
	/**
	 * One day: its total and the parts it names, if it tells them. A day whose total is not known counts as what its
	 * parts come to. A part without a name stays unattributed.
	 */
	addDay(total: number | undefined, parts: Iterable<Part> | undefined): void;
	done(): Attribution;
};

export type Part = {
	readonly key: string | undefined;
	readonly label?: string | undefined;
	readonly value: number | undefined;
};

/** Names that are kept: five times those of the largest organization. */
const maxNames = 100_000;

export function createAttribution(): AttributionBuilder {
	const values = new Map<string, number>();
	const labels = new Map<string, string>();
	let whole = 0;
	let days = 0;
	let isCut = false;
	return {
		addDay(total, parts) {
			let named = 0;
			if (parts) days++;
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
			whole += total !== undefined && Number.isFinite(total) ? total : named;
		},
		done() {
			const entries = [...values]
				.map(([key, value]) => ({
					key,
					label: labels.get(key) ?? key,
					value,
					share: whole > 0 ? value / whole : undefined,
				}))
				.sort((a, b) => b.value - a.value || (a.key < b.key ? -1 : 1));
			const rest = whole - entries.reduce((sum, {value}) => sum + value, 0);
			// What adding floating numbers leaves over is no credit of anyone.
			return {
				total: whole,
				entries,
				unattributed: Math.abs(rest) <= Math.abs(whole) * 1e-9 ? 0 : rest,
				days,
				...(isCut && {isCut}),
			};
		},
	};
}

/** The first `count` names, and the others as one; nothing of the total is lost. */
export function topOf(
	{entries}: Attribution,
	count: number,
): {readonly top: readonly Ranked[]; readonly others?: {readonly count: number; readonly value: number}} {
	const rest = entries.slice(count);
	if (rest.length === 0) return {top: entries};
	return {
		top: entries.slice(0, count),
		others: {count: rest.length, value: rest.reduce((sum, {value}) => sum + value, 0)},
	};
}
