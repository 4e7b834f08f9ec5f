import {type Line, lineWidth} from '../../text/line.ts';

/** Ways to say one thing, the fullest first: the first one that has room, the last one when none has. */
export function firstFitting(ways: readonly Line[], width: number): Line {
	return ways.find(line => lineWidth(line) <= width) ?? ways.at(-1) ?? [];
}
