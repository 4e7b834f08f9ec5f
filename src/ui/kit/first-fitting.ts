import {type Line, lineWidth} from '../../text/line.ts';

/** Picks the first variant that fits, fullest first, or the last one if none fits. */
export function firstFitting(ways: readonly Line[], width: number): Line {
	return ways.find(line => lineWidth(line) <= width) ?? ways.at(-1) ?? [];
}
