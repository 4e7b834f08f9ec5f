import {pad} from '../../text/cut.ts';
import {type Line, padLine, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import type {PageSize} from './page.ts';
import type {ChartPlace} from './tab-charts.ts';

/** Columns from which on a page has two blocks beside each other, and two charts. */
const twoBlocks = 110;
const twoCharts = 170;
/** Columns between two blocks. */
const gap = 3;

/** How what a tab tells lies on its page: in two blocks beside each other, or in one where there is no room for two. */
export type TabBlocks = {
	readonly isWide: boolean;
	/** Columns of what stands at the left and at the right; of a single block, all of them. */
	readonly left: number;
	readonly right: number;
	/** Have two charts room beside each other? */
	readonly hasTwoCharts: boolean;
	beside(left: readonly Line[], right: readonly Line[]): Line[];
	/** Where a chart is drawn: over `share` of the page's height, and over one block where two are beside each other. */
	chart(share: number, back: number, isHalf?: boolean): ChartPlace;
};

const minChart = 3;
const tallestChart = 15;

/** The left block takes `share` of the columns. */
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
			// Odd: a row is in the middle then, and has a label of its own.
			return {...size, width: isHalf ? left : width, height: rows % 2 === 0 ? rows + 1 : rows, back};
		},
	};
}

/** Two blocks beside each other, the left one in so many columns. */
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
