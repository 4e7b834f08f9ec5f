import {isWaiting, type NeedsItem} from '../lists/needs-items.ts';

/**
 * How many lines a session's row has, in the order the key cycles through. `automatic`: two for sessions that
 * need the user or work, while the pane has room.
 */
export const densities = ['automatic', 'detailed', 'compact'] as const;
export type Density = (typeof densities)[number];

export const densityTitles: Readonly<Record<Density, string>> = {
	automatic: 'two lines for busy sessions',
	detailed: 'two lines each',
	compact: 'one line each',
};

/**
 * Whether a row has two lines, in a pane of `height` lines. In `automatic`, the first busy sessions get a
 * second line as long as everything fits, or else as long as busy sessions leave some lines to the others; what
 * needs the user always does if `needsDetail`: its only line would have no room for the reason.
 */
export function detailedRows(
	items: readonly NeedsItem[],
	{
		density,
		height,
		headings,
		needsDetail,
	}: {
		readonly density: Density;
		readonly height: number;
		readonly headings: number;
		readonly needsDetail: boolean;
	},
): (item: NeedsItem) => boolean {
	if (density !== 'automatic') return () => density === 'detailed';
	const busy = items.filter(isBusy);
	const free = height - headings - (items.length - busy.length);
	const room = Math.max(free, busy.length < items.length ? Math.floor(height * busyShare) : 0);
	const detailed = new Set(busy.slice(0, Math.max(0, room - busy.length)));
	return item => detailed.has(item) || (needsDetail && isWaiting(item));
}

/** Share of a pane's lines that busy sessions may take while others don't fit. */
const busyShare = 0.7;

function isBusy(item: NeedsItem): boolean {
	return isWaiting(item) || (item.kind === 'session' && item.group === 'working');
}
