/** The value below which the share `p` (0..1) of the values lies. */
export function percentile(values: readonly number[], p: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * Measures several things in rounds, each once a round and in a new random order, so that the machine's moods
 * fall on all of them alike. The first round warms up and is not counted.
 */
export async function inRounds<Name extends string>(
	rounds: number,
	measures: Readonly<Record<Name, () => Promise<number> | number>>,
): Promise<Record<Name, number[]>> {
	const names = Object.keys(measures) as Name[];
	const results = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>;
	for (let round = 0; round <= rounds; round++) {
		for (const name of shuffled(names)) {
			const value = await measures[name]();
			if (round > 0) results[name].push(value);
		}
	}
	return results;
}

function shuffled<T>(values: readonly T[]): T[] {
	return values
		.map(value => ({value, key: Math.random()}))
		.sort((a, b) => a.key - b.key)
		.map(({value}) => value);
}
