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
 * Whether a row has two lines, in a pane of `height` lines. In `automatic`, a list that is wide enough for reasons in one
 * line has one form of row: two lines if all are busy and fit. In a narrow one (`needsDetail`) what needs the user always
 * has two; other busy sessions whose second line tells something do as long as everything fits, or else as long as they
 * leave some lines to the others.
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
	if (!needsDetail) {
		const isDetailed = items.length * 2 + headings <= height && items.every(isBusy);
		return () => isDetailed;
	}
	const busy = items.filter(item => isBusy(item) && tellsMore(item));
	const free = height - headings - (items.length - busy.length);
	const room = Math.max(free, busy.length < items.length ? Math.floor(height * busyShare) : 0);
	const detailed = new Set(busy.slice(0, Math.max(0, room - busy.length)));
	return item => detailed.has(item) || isWaiting(item);
}

/** Share of a pane's lines that busy sessions may take while others don't fit. */
const busyShare = 0.7;

function isBusy(item: NeedsItem): boolean {
	return isWaiting(item) || (item.kind === 'session' && item.group === 'working');
}

/** Whether a second line would say more than where the session runs. */
function tellsMore(item: NeedsItem): boolean {
	if (item.kind === 'computer' || isWaiting(item)) return true;
	const {activity, known, name} = item;
	const {subagents = 0, workFolder} = known?.session ?? {};
	const words = activity?.tool ?? activity?.words ?? name;
	return words !== name || subagents > 0 || (workFolder?.added ?? 0) + (workFolder?.removed ?? 0) > 0;
}
