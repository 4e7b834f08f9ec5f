import {addDays} from '../time.ts';
import type {Attribution} from './attribution.ts';
import {growth} from './comparison.ts';
import type {DayPoint} from './series.ts';

/** A day that is far from what such days usually are. */
export type UnusualDay = {
	readonly date: string;
	readonly value: number;
	/** Median of the same weekday in the weeks before. */
	readonly usual: number;
	/** How many usual deviations it is away; less than zero when it is below. */
	readonly score: number;
};

/** Weeks looked back, and how many of them must be known. */
const weeksBack = 8;
const leastWeeks = 4;
/** In robust deviations (median absolute deviation, scaled to a normal one): rare by chance. */
const leastScore = 3.5;
/** A spread of nothing makes every change infinite: it counts as at least this share of the usual value. */
const leastSpread = 0.1;

/**
 * Days that stand out, most unusual first. Each is compared with the same weekday of the weeks before, so that a
 * Sunday is no fall; unknown days are neither unusual nor usual. `points` may reach back before what is shown: only
 * days from `from` on are told.
 */
export function unusualDays(points: readonly DayPoint[], from: string): UnusualDay[] {
	const values = new Map(points.map(({date, value}) => [date, value]));
	const found: UnusualDay[] = [];
	for (const {date, value} of points) {
		if (date < from || value === undefined) continue;
		const past: number[] = [];
		for (let week = 1; week <= weeksBack; week++) {
			const then = values.get(addDays(date, -7 * week));
			if (then !== undefined) past.push(then);
		}
		if (past.length < leastWeeks) continue;
		const usual = median(past);
		const spread = 1.4826 * median(past.map(one => Math.abs(one - usual)));
		const score = (value - usual) / (Math.max(spread, Math.abs(usual) * leastSpread) || 1);
		if (Math.abs(score) >= leastScore) found.push({date, value, usual, score});
	}
	return found.sort((a, b) => Math.abs(b.score) - Math.abs(a.score));
}

/** A name whose part of the whole changed much from one period to the next. */
export type Mover = {
	readonly key: string;
	readonly label: string;
	readonly now: number;
	readonly before: number;
	/** Absent when it is new. */
	readonly change: number | undefined;
	readonly kind: 'new' | 'gone' | 'up' | 'down';
};

/** A change counts when it is at least this share of the larger total, and half of what the name had. */
const leastOfWhole = 0.02;
const leastGrowth = 0.5;

/** Names that moved most between two periods of the same length, largest difference first. */
export function moversBetween(now: Attribution, before: Attribution): Mover[] {
	const past = new Map(before.entries.map(entry => [entry.key, entry]));
	const present = new Map(now.entries.map(entry => [entry.key, entry]));
	const whole = Math.max(now.total, before.total);
	const movers: Mover[] = [];
	for (const key of new Set([...present.keys(), ...past.keys()])) {
		const is = present.get(key)?.value ?? 0;
		const was = past.get(key)?.value ?? 0;
		const change = growth(is, was);
		const isMuch = Math.abs(is - was) >= whole * leastOfWhole && Math.abs(change ?? 1) >= leastGrowth;
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

function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
	const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
	return (lower + upper) / 2;
}
