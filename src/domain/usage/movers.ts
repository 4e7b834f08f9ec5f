import {growth} from './comparison.ts';

/** A name whose share of the total changed significantly from one period to the next. */
export type Mover = {
	readonly key: string;
	readonly label: string;
	/** Daily means over days with a breakdown, so that periods with missing days can be compared. */
	readonly now: number;
	readonly before: number;
	/** Absent for new names. */
	readonly change: number | undefined;
	readonly kind: 'new' | 'gone' | 'up' | 'down';
};

/** A period's total and values by name, over `days` days with a breakdown. */
export type Breakdown = {
	readonly total: number;
	readonly entries: readonly {readonly key: string; readonly label: string; readonly value: number}[];
	readonly days: number;
};

/**
 * A change counts if it is at least this fraction of the larger total, and half of the name's previous value.
 */
const minShareOfWhole = 0.02;
const minGrowth = 0.5;

/**
 * Names that changed most between two periods, largest difference first. A period without a breakdown says
 * nothing about any name, so no names are new or gone relative to it.
 */
export function moversBetween(now: Breakdown, before: Breakdown): Mover[] {
	if (now.days === 0 || before.days === 0) return [];
	const largerTotal = Math.max(now.total / now.days, before.total / before.days);
	const minDifference = largerTotal * minShareOfWhole;
	// A difference is bounded by twice its larger side, so few of the names need a closer look.
	const names = new Set(
		[now, before].flatMap(({entries, days}) =>
			entries.filter(({value}) => Math.abs(value / days) >= minDifference / 2).map(({key}) => key),
		),
	);
	const present = amongNames(now, names);
	const past = amongNames(before, names);
	const movers: Mover[] = [];
	for (const key of new Set([...present.keys(), ...past.keys()])) {
		const nowMean = (present.get(key)?.value ?? 0) / now.days;
		const beforeMean = (past.get(key)?.value ?? 0) / before.days;
		const change = growth(nowMean, beforeMean);
		const isLarge = Math.abs(nowMean - beforeMean) >= minDifference && Math.abs(change ?? 1) >= minGrowth;
		if (nowMean === beforeMean || !isLarge) continue;
		movers.push({
			key,
			label: present.get(key)?.label ?? past.get(key)?.label ?? key,
			now: nowMean,
			before: beforeMean,
			change,
			kind: kindOf(nowMean, beforeMean),
		});
	}
	return movers.sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before));
}

function kindOf(now: number, before: number): Mover['kind'] {
	if (before === 0) return 'new';
	if (now === 0) return 'gone';
	return now > before ? 'up' : 'down';
}

type Entry = Breakdown['entries'][number];

function amongNames({entries}: Breakdown, names: ReadonlySet<string>): ReadonlyMap<string, Entry> {
	return new Map(entries.filter(({key}) => names.has(key)).map(entry => [entry.key, entry]));
}
