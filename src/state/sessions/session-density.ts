import {isWaiting, type NeedsItem} from '../lists/lists.ts';

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
 * Whether a row has two lines, in a pane of `height` lines. In `automatic`, only a busy session whose second line tells
 * something has. A list that is wide enough for reasons in one line has one form of row if some sessions are at rest; if
 * all are busy, the first ones have two lines, as many as fit. In a narrow one (`needsDetail`) what needs the user has two
 * even if not all fit; others that are busy do as long as everything fits, or else as long as they leave some lines to the
 * others.
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
	const busy = items.filter(hasDetail);
	if (!needsDetail) {
		const free = items.every(isBusy) ? height - headings - items.length : 0;
		const detailed = new Set(busy.slice(0, Math.max(0, free)));
		return item => detailed.has(item);
	}
	const free = height - headings - (items.length - busy.length);
	const room = Math.max(free, busy.length < items.length ? Math.floor(height * busyShare) : 0);
	const detailed = new Set(busy.slice(0, Math.max(0, room - busy.length)));
	return item => detailed.has(item) || (isWaiting(item) && hasDetail(item));
}

/** Share of a pane's lines that busy sessions may take while others don't fit. */
const busyShare = 0.7;

function isBusy(item: NeedsItem): boolean {
	return isWaiting(item) || (item.kind === 'session' && item.group === 'working');
}

/** Lines of the rows if all of them fit. */
export function wantedLines(items: readonly NeedsItem[], density: Density): number {
	if (density !== 'automatic') return items.length * (density === 'detailed' ? 2 : 1);
	return items.length + items.filter(hasDetail).length;
}

/** Whether a busy session's second line would say more than its state and where it runs. */
function hasDetail(item: NeedsItem): boolean {
	return isBusy(item) && tellsMore(item);
}

function tellsMore(item: NeedsItem): boolean {
	if (item.kind === 'computer') return true;
	const {activity, known, name, reason} = item;
	if (isWaiting(item)) return (reason ?? activity?.words ?? '').trim() !== '';
	const {subagents = 0, workFolder} = known?.session ?? {};
	const words = activity?.tool ?? activity?.words ?? name;
	return words !== name || subagents > 0 || (workFolder?.added ?? 0) + (workFolder?.removed ?? 0) > 0;
}
