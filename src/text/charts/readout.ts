import {fitLine, type Line, span} from '../line.ts';
import {exactNumber} from '../numbers.ts';
import {safe} from '../safe.ts';
import type {ChartOptions, ChartPoint} from './chart-point.ts';

/** The exact value of the selected point. */
export function readout({label, value}: ChartPoint, {width, unit}: ChartOptions): Line {
	if (value === undefined) return fitLine([span(label, 'dim'), span(safe`  unknown`, 'warn')], width);
	const valueText = unit ? safe`  ${exactNumber(value)} ${unit}` : safe`  ${exactNumber(value)}`;
	return fitLine([span(label, 'dim'), span(valueText, 'strong')], width);
}
