import type {DayPoint} from './series.ts';

/** One part of a whole by day. `others`: the names beyond the first ones; `unattributed`: what no name accounts for. */
export type Layer = {
	readonly kind: 'name' | 'others' | 'unattributed';
	/** The name; empty for the other kinds. */
	readonly name: string;
	readonly points: readonly DayPoint[];
};

/**
 * A whole by day cut into its names, the largest `maxNamed` of them by themselves; on every known day the layers add up to
 * the whole. On a day that is known, a name that isn't told had nothing; on an unknown day nothing is known of any.
 * `names` is in order, largest first. Layers that hold nothing at all are left out.
 */
export function layersOf(
	whole: readonly DayPoint[],
	names: ReadonlyMap<string, readonly DayPoint[]>,
	maxNamed: number,
): Layer[] {
	const named = [...names].map(([name, points]) => {
		const values = new Map(points.map(({date, value}) => [date, value]));
		return {name, valueOn: (date: string) => values.get(date) ?? 0};
	});
	const first = named.slice(0, maxNamed);
	const rest = named.slice(maxNamed);
	const sumOf = (list: typeof named, date: string) => list.reduce((sum, {valueOn}) => sum + valueOn(date), 0);
	const pointsOf = (valueOn: (date: string, all: number) => number): DayPoint[] =>
		whole.map(({date, value}) => ({date, value: value === undefined ? undefined : valueOn(date, value)}));
	const layers: Layer[] = [
		...first.map(({name, valueOn}): Layer => ({kind: 'name', name, points: pointsOf(valueOn)})),
		{kind: 'others', name: '', points: pointsOf(date => sumOf(rest, date))},
		{kind: 'unattributed', name: '', points: pointsOf((date, all) => settled(all - sumOf(named, date), all))},
	];
	return layers.filter(({kind, points}) => kind === 'name' || points.some(({value}) => value));
}

/** What adding floating numbers leaves over is nothing. */
function settled(rest: number, whole: number): number {
	return Math.abs(rest) <= Math.abs(whole) * 1e-9 ? 0 : rest;
}
