import type {Part} from './attribution.ts';
import {median} from './quantiles.ts';

/** A name that explains an unusual day: its value that day, and its usual value on that weekday. */
export type Driver = {
	readonly key: string;
	readonly label: string;
	readonly value: number;
	/** Median of earlier days with a breakdown; a day that doesn't list the name counts as zero. */
	readonly usual: number;
};

/** Minimum fraction of the day's difference for a name to count as a driver. */
const minPart = 0.2;
const maxDrivers = 3;

/** The value of each name on a day, by key. */
export type DayValues = ReadonlyMap<string, {readonly label: string; readonly value: number}>;

/**
 * Finds what explains a day that differs from usual by `difference` (negative if below), largest first: names
 * whose own difference is a substantial part of it, in the same direction. Empty if it is spread over many
 * names or there is no breakdown.
 */
export function driversOf(
	now: DayValues | undefined,
	before: readonly DayValues[],
	difference: number,
): Driver[] {
	if (!now || before.length === 0) return [];
	const minValue = Math.abs(difference) * minPart;
	// A difference can't exceed the larger of its two sides, so few of the names need a closer look.
	const names = new Set<string>();
	for (const values of difference > 0 ? [now] : before)
		for (const [key, {value}] of values) if (value >= minValue) names.add(key);
	return [...names]
		.map((key): Driver => {
			const usual = median(before.map(values => values.get(key)?.value ?? 0));
			const named = now.get(key) ?? before.find(values => values.has(key))?.get(key);
			return {key, label: named?.label ?? key, value: now.get(key)?.value ?? 0, usual};
		})
		.filter(({value, usual}) => (value - usual) * Math.sign(difference) >= minValue)
		.sort((a, b) => Math.abs(b.value - b.usual) - Math.abs(a.value - a.usual))
		.slice(0, maxDrivers);
}

/** Indexes parts by key. Parts without a name or number are skipped; duplicate names are summed. */
export function dayValues(parts: readonly Part[]): DayValues {
	const values = new Map<string, {label: string; value: number}>();
	for (const {key, label, value} of parts) {
		if (key === undefined || key === '' || value === undefined || !Number.isFinite(value)) continue;
		values.set(key, {label: label ?? key, value: value + (values.get(key)?.value ?? 0)});
	}
	return values;
}
