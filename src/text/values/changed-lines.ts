import {type Line, span} from '../cells/line.ts';
import {safe} from '../cells/safe.ts';

/** `+18 -4`, without what is zero. */
export function changedLines({
	added,
	removed,
}: {
	readonly added?: number | undefined;
	readonly removed?: number | undefined;
} = {}): Line {
	return [
		...(added ? [span(safe`+${added}`, 'good')] : []),
		...(added && removed ? [span(safe` `)] : []),
		...(removed ? [span(safe`-${removed}`, 'bad')] : []),
	];
}
