const first = 1_000;
const last = 60_000;

/** Full jitter: anything from 1 s to a ceiling that doubles with each failure up to 60 s, in ms. */
export function backOff(failures: number, random: () => number): number {
	const ceiling = Math.min(last, first * 2 ** failures);
	return Math.round(first + random() * (ceiling - first));
}
