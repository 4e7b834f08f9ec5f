import {pad} from '../cut.ts';
import {type Span, span} from '../line.ts';
import {shortNumber} from '../numbers.ts';
import {type Safe, safe} from '../safe.ts';

/** Columns left of a chart, the same for every chart so that those above each other line up. */
export const axisGutter = 6;

/** What stands left of a row: the largest value at the top of `height` rows, zero at the bottom. */
export function axisLabel(row: number, height: number, top: number): Span {
	const text: Safe = row === height - 1 ? safe`0` : row === 0 ? shortNumber(top) : safe``;
	return span(safe`${pad(text, axisGutter - 1, 'end')} `, 'dim');
}
