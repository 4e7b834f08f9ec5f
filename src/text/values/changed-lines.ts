import {type Line, span} from '../cells/line.ts';
import {safe} from '../cells/safe.ts';

/** `+18 -4`, without what is zero; or that there are more. */
export function changedLines({
	added,
	removed,
	hasMoreLines,
}: {
	readonly added?: number | undefined;
	readonly removed?: number | undefined;
	readonly hasMoreLines?: boolean | undefined;
} = {}): Line {
	const counts = [
		...(added ? [span(safe`+${added}`, 'good')] : []),
		...(added && removed ? [span(safe` `)] : []),
		...(removed ? [span(safe`-${removed}`, 'bad')] : []),
	];
	return hasMoreLines && counts.length > 0 ? [...counts, span(safe` or more`, 'dim')] : counts;
}
