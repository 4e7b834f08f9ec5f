import type {DayPoint} from './series.ts';

/**
 * One layer of a total by day. `others`: names beyond the largest; `unattributed`: the part not attributed to
 * any name.
 */
export type Layer = {
	readonly kind: 'name' | 'others' | 'unattributed';
	/** The name; empty for the other kinds. */
	readonly name: string;
	readonly points: readonly DayPoint[];
};

/**
 * Splits a daily total into layers: the largest `maxNamed` names get their own. On every known day the layers
 * sum to the total. A name missing from a known day had zero; on an unknown day all layers are unknown.
 * `names` is ordered largest first. Empty `others` and `unattributed` layers are left out.
 */
export function layersOf(
	totals: readonly DayPoint[],
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
		totals.map(({date, value}) => ({date, value: value === undefined ? undefined : valueOn(date, value)}));
	const layers: Layer[] = [
		...first.map(({name, valueOn}): Layer => ({kind: 'name', name, points: pointsOf(valueOn)})),
		{kind: 'others', name: '', points: pointsOf(date => sumOf(rest, date))},
		{
			kind: 'unattributed',
			name: '',
			points: pointsOf((date, all) => withoutResidue(all - sumOf(named, date), all)),
		},
	];
	return layers.filter(({kind, points}) => kind === 'name' || points.some(({value}) => value));
}

/** Rounds floating-point residue to zero. */
function withoutResidue(rest: number, total: number): number {
	return Math.abs(rest) <= Math.abs(total) * 1e-9 ? 0 : rest;
}
