import {pad} from '../cells/cut.ts';
import {textWidth} from '../cells/graphemes.ts';
import {fitLine, type Line, span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {exactNumber, percent} from '../values/numbers.ts';
import {type ChartOptions, largestOf} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';

/** One row of ranked bars. `mark` follows the label, such as the sign of a merged name. */
export type BarRow = {
	readonly label: Safe;
	readonly value: number | undefined;
	readonly share?: number | undefined;
	readonly mark?: Safe;
};

export type BarListOptions = Pick<ChartOptions, 'width' | 'isAscii'> & {
	/** Text without bars. */
	readonly isScreenReader?: boolean;
	/** Minimum label columns, so that the bars of several lists line up. */
	readonly labelColumns?: number;
};

const maxBarWidth = 40;
/** Minimum bar width. Down to this, long names take columns from the bars, as a truncated name may be ambiguous. */
const minBarWidth = 10;

/** One row per name with a bar, the exact value and its share of the total. */
export function barList(
	rows: readonly BarRow[],
	{width, isAscii, isScreenReader = false, labelColumns: minLabelColumns = 0}: BarListOptions,
): Line[] {
	const {bar, halfBar, zero, unknown} = glyphsOf(isAscii);
	const values = onePoint(rows.map(({value}) => (value === undefined ? safe`unknown` : exactNumber(value))));
	const shares = rows.map(({share}) => (share === undefined ? safe`` : percent(share)));
	const labels = rows.map(({label, mark}) => (mark ? safe`${label} ${mark}` : label));
	const widest = (texts: readonly Safe[]) => Math.max(0, ...texts.map(textWidth));
	const numbers = widest(values) + widest(shares) + 4;
	const bars = isScreenReader ? 0 : minBarWidth + 2;
	const labelColumns = Math.min(
		Math.max(minLabelColumns, widest(labels)),
		Math.max(8, Math.floor((width - numbers) / 2), width - numbers - bars),
	);
	const room = isScreenReader ? 0 : Math.max(0, Math.min(maxBarWidth, width - labelColumns - numbers - 2));
	const top = largestOf(rows.map(({value}) => value));
	return rows.map(({value}, index) => {
		const length = value === undefined || value <= 0 || top === 0 ? 0 : (value / top) * room;
		const nothing = value === undefined ? unknown : zero;
		const drawn = length > 0 ? barOf(length, bar, halfBar) : nothing;
		return fitLine(
			[
				span(safe`${pad(labels[index] ?? safe``, labelColumns)}  `, 'text'),
				span(pad(stillSafe(room > 0 ? drawn : ''), room), length > 0 ? 'accent' : 'dim'),
				span(safe`  ${pad(values[index] ?? safe``, widest(values), 'end')}`, 'strong'),
				span(safe`  ${pad(shares[index] ?? safe``, widest(shares), 'end')}`, 'dim'),
			],
			width,
		);
	});
}

/** A bar of `length` columns, rounded to half a column if a glyph exists for that; never empty. */
function barOf(length: number, bar: string, halfBar: string): string {
	if (halfBar === '') return bar.repeat(Math.max(1, Math.round(length)));
	const halves = Math.max(1, Math.round(length * 2));
	return bar.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? halfBar : '');
}

/** Aligns numbers at the decimal point by padding those with fewer decimals. */
function onePoint(numbers: readonly Safe[]): Safe[] {
	const decimals = (text: Safe) => (text.includes('.') ? text.length - text.indexOf('.') : 0);
	const maxDecimals = Math.max(0, ...numbers.map(decimals));
	return numbers.map(text => pad(text, textWidth(text) + maxDecimals - decimals(text)));
}
