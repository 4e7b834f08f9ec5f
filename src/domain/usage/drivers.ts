import type {Part} from './attribution.ts';
import {median} from './median.ts';

/** A name that stands behind an unusual day: what it came to then, and what it usually does on that weekday. */
export type Driver = {
	readonly key: string;
	readonly label: string;
	readonly value: number;
	/** Median of the days before that tell their names; nothing where such a day doesn't name it. */
	readonly usual: number;
};

/** Less than this of the day's whole difference makes nobody stand behind it. */
const minPart = 0.2;
const maxDrivers = 3;

/** What each name of a day came to, by key. */
export type DayValues = ReadonlyMap<string, {readonly label: string; readonly value: number}>;

/**
 * Who or what stands behind a day that is `difference` more (or less, below zero) than usual, largest first: names whose
 * own difference is a good part of it, in the same direction. None when it is spread over many, or not told.
 */
export function driversOf(
	now: DayValues | undefined,
	before: readonly DayValues[],
	difference: number,
): Driver[] {
	if (!now || before.length === 0) return [];
	const minValue = Math.abs(difference) * minPart;
	// No difference is larger than the larger one of its two sides: of many thousand names, few are looked at closely.
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

/** A part without a name or a number is nobody's; one that is named twice is added up. */
export function dayValues(parts: readonly Part[]): DayValues {
	const values = new Map<string, {label: string; value: number}>();
	for (const {key, label, value} of parts) {
		if (key === undefined || key === '' || value === undefined || !Number.isFinite(value)) continue;
		values.set(key, {label: label ?? key, value: value + (values.get(key)?.value ?? 0)});
	}
	return values;
}
