import {growth} from './comparison.ts';

/** A name whose part of the whole changed much from one period to the next. */
export type Mover = {
	readonly key: string;
	readonly label: string;
	/** Means of a day that tells its names: periods with missing days are compared all the same. */
	readonly now: number;
	readonly before: number;
	/** Absent when it is new. */
	readonly change: number | undefined;
	readonly kind: 'new' | 'gone' | 'up' | 'down';
};

/** What the names of a period came to, in all and each, over so many days that told them. */
export type Breakdown = {
	readonly total: number;
	readonly entries: readonly {readonly key: string; readonly label: string; readonly value: number}[];
	readonly days: number;
};

/** A change counts when it is at least this share of the larger total, and half of what the name had. */
const minShareOfWhole = 0.02;
const minGrowth = 0.5;

/**
 * Names that moved most between two periods, largest difference first. A period that tells no names says nothing of
 * any: nobody is new after it, and nobody gone in it.
 */
export function moversBetween(now: Breakdown, before: Breakdown): Mover[] {
	if (now.days === 0 || before.days === 0) return [];
	const whole = Math.max(now.total / now.days, before.total / before.days);
	const minDifference = whole * minShareOfWhole;
	// A difference is no larger than twice the larger of its sides: of many thousand names, few are looked at closely.
	const names = new Set(
		[now, before].flatMap(({entries, days}) =>
			entries.filter(({value}) => Math.abs(value / days) >= minDifference / 2).map(({key}) => key),
		),
	);
	const present = amongNames(now, names);
	const past = amongNames(before, names);
	const movers: Mover[] = [];
	for (const key of new Set([...present.keys(), ...past.keys()])) {
		const is = (present.get(key)?.value ?? 0) / now.days;
		const was = (past.get(key)?.value ?? 0) / before.days;
		const change = growth(is, was);
		const isMuch = Math.abs(is - was) >= minDifference && Math.abs(change ?? 1) >= minGrowth;
		if (is === was || !isMuch) continue;
		movers.push({
			key,
			label: present.get(key)?.label ?? past.get(key)?.label ?? key,
			now: is,
			before: was,
			change,
			kind: was === 0 ? 'new' : is === 0 ? 'gone' : is > was ? 'up' : 'down',
		});
	}
	return movers.sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before));
}

type Entry = Breakdown['entries'][number];

function amongNames({entries}: Breakdown, names: ReadonlySet<string>): ReadonlyMap<string, Entry> {
	return new Map(entries.filter(({key}) => names.has(key)).map(entry => [entry.key, entry]));
}
