import {pad} from '../../text/cells/cut.ts';
import {type Line, padLine, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import type {PageSize} from './page.ts';
import type {ChartPlace} from './tab-charts.ts';

/** Widths, in columns, from which a page fits two blocks, and two charts, side by side. */
const twoBlocks = 110;
const twoCharts = 170;
/** Columns between two blocks. */
const gap = 3;

/** The layout of a tab: two blocks side by side, or one when the page is too narrow. */
export type TabBlocks = {
	readonly isWide: boolean;
	/** Widths of the left and right block, in columns; with a single block, both are the full width. */
	readonly left: number;
	readonly right: number;
	/** Whether two charts fit side by side. */
	readonly hasTwoCharts: boolean;
	beside(left: readonly Line[], right: readonly Line[]): Line[];
	/** Size of a chart: `share` of the page's height; as wide as the left block when `isHalf`. */
	chart(share: number, back: number, isHalf?: boolean): ChartPlace;
};

const minChart = 3;
const tallestChart = 15;

/** Lays out a tab; with two blocks, the left one takes `share` of the columns. */
export function tabBlocks(size: PageSize, share = 0.5): TabBlocks {
	const {width, height, isScreenReader = false} = size;
	const isWide = width >= twoBlocks && !isScreenReader;
	const start = Math.floor(width * share);
	const [left, right] = isWide ? [start - gap, width - start] : [width, width];
	return {
		isWide,
		left,
		right,
		hasTwoCharts: width >= twoCharts && !isScreenReader,
		beside: (first, second) => beside(first, second, left),
		chart(part, back, isHalf = false) {
			const rows = Math.max(minChart, Math.min(tallestChart, Math.floor(height * part)));
			// An odd height has a middle row, which gets its own label.
			return {...size, width: isHalf ? left : width, height: rows % 2 === 0 ? rows + 1 : rows, back};
		},
	};
}

/** Joins two blocks side by side, the left one padded to `columns`. */
function beside(left: readonly Line[], right: readonly Line[], columns: number): Line[] {
	return Array.from(
		{length: Math.max(left.length, right.length)},
		(_, index): Line => [
			...padLine(left[index] ?? [], columns),
			span(pad(safe``, gap)),
			...(right[index] ?? []),
		],
	);
}
