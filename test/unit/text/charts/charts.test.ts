import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {cleanLine} from '../../../../src/text/cells/clean.ts';
import {type Line, lineText, lineWidth} from '../../../../src/text/cells/line.ts';
import {type Safe, safe} from '../../../../src/text/cells/safe.ts';
import {barChart, sparkline, stackedBarChart} from '../../../../src/text/charts/bar-chart.ts';
import {barList} from '../../../../src/text/charts/bar-list.ts';
import {binPoints, type ChartPoint} from '../../../../src/text/charts/chart-point.ts';
import {describeLayers, describeSeries} from '../../../../src/text/charts/describe.ts';
import {createHeatMap, type HeatMapOptions} from '../../../../src/text/charts/heat-map.ts';
import {lineChart} from '../../../../src/text/charts/line-chart.ts';

const pointsOf = (values: readonly (number | undefined)[]): ChartPoint[] =>
	values.map((value, index) => ({label: safe`d${index + 1}`, value}));
const show = (lines: readonly Line[]) => lines.map(line => lineText(line).trimEnd());
const inverse = (lines: readonly Line[]) =>
	lines.flatMap(line => line.filter(part => part.inverse)).map(({text}) => text);

describe('sparkline', () => {
	test('draws zero on the floor, anything more above it, and unknown values differently', () => {
		const points = pointsOf([0, 1, undefined, 500, 1000]);
		expect(lineText(sparkline(points, {width: 10, combine: 'sum'}))).toBe('▁▂┄▄▇');
		expect(lineText(sparkline(points, {width: 10, combine: 'sum', isAscii: true}))).toBe('_.?-*');
	});

	test('combines points that share a column, in the way requested', () => {
		const points = pointsOf([1, 2, undefined, 3, undefined, undefined]);
		const values = (combine: 'sum' | 'mean' | 'last') =>
			binPoints(points, 3, combine).points.map(({value}) => value);
		expect(values('sum')).toEqual([3, 3, undefined]);
		expect(values('mean')).toEqual([1.5, 3, undefined]);
		expect(values('last')).toEqual([2, 3, undefined]);
		expect(binPoints(points, 3, 'sum').points[0]?.label).toBe('d1 to d2');
		expect(binPoints(points, 3, 'sum').columnOf(5)).toBe(2);
	});
});

test('a bar chart has an axis, edges and a readout', () => {
	const lines = barChart(pointsOf([0, 4, 8, undefined]), {
		width: 20,
		height: 2,
		combine: 'sum',
		isAscii: true,
		selected: 2,
	});
	expect(show(lines)).toEqual(['    8   #', '    0 _##?', '        ^', 'd3  8']);
	expect(lines.slice(0, 2).map(line => line.filter(({tone}) => tone === 'strong'))).toEqual([
		[{text: '#', tone: 'strong'}],
		[{text: '#', tone: 'strong'}],
	]);
});

test('layers of a stacked bar have different fills, and a readout of their values', () => {
	const series = [
		{label: safe`large`, points: pointsOf([4, 2, undefined, 0])},
		{label: safe`small`, points: pointsOf([0, 2, undefined, 0])},
	];
	const lines = stackedBarChart(series, {
		width: 40,
		height: 4,
		isAscii: true,
		selected: 1,
		unit: safe`credits`,
	});
	expect(show(lines)).toEqual([
		'    4 #=',
		'      #=',
		'      ##',
		'    0 ##?_',
		'       ^',
		'd2  4 credits   # large 2   = small 2',
	]);
});

test('lines have different marks, and an unknown point breaks its line', () => {
	const series = [
		{label: safe`weekly`, points: pointsOf([0, 4, undefined, 4])},
		{label: safe`daily`, points: pointsOf([0, 1, undefined, 2])},
	];
	const lines = lineChart(series, {width: 36, height: 5, combine: 'last', isAscii: true, selected: 2});
	expect(show(lines)).toEqual([
		'    4  o:o',
		'       |:',
		'       |:x',
		'       x:',
		'    0 o ?',
		'        ^',
		'd3  unknown   o weekly   x daily',
	]);
});

test('a point may be several columns wide, and the cursor points at its middle', () => {
	const points = pointsOf([1, undefined, 4]);
	const bars = barChart(points, {width: 40, height: 2, combine: 'sum', selected: 1, pointWidth: 3});
	expect(show(bars)).toEqual(['    4       ██', '    0 ▅▅ ┄┄ ██', '      d1 ↑   d3', 'd2  unknown']);
	const edge = barChart(points, {width: 40, height: 2, combine: 'sum', selected: 2, pointWidth: 3});
	expect(show(edge)[2]).toBe('      d1    ↑');
});

test('says how many points share a column', () => {
	const points = pointsOf(Array.from({length: 90}, (_, index) => index));
	const lines = barChart(points, {width: 42, height: 2, combine: 'mean', selected: 0});
	expect(show(lines)[2]).toBe('      ↑       3 to a column      d90');
	expect(show(barChart(points, {width: 24, height: 2, combine: 'mean'}))[2]).not.toContain('column');
});

test('a line runs level and upright between marks that are apart', () => {
	const series = [{label: safe`daily`, points: pointsOf([0, 2, 2])}];
	const options = {width: 40, height: 3, combine: 'last', pointWidth: 4} as const;
	expect(show(lineChart(series, options)).slice(0, 3)).toEqual([
		'    2    ┌─●───●',
		'         │',
		'    0  ●─┘',
	]);
	expect(show(lineChart(series, {...options, isAscii: true})).slice(0, 3)).toEqual([
		'    2    .-o---o',
		'         |',
		"    0  o-'",
	]);
});

test('lines on the same path take turns, so that each can be seen', () => {
	const same = pointsOf([3, 3, 3, 3]);
	const series = [
		{label: safe`weekly`, points: same},
		{label: safe`monthly`, points: same},
	];
	const lines = lineChart(series, {
		width: 60,
		height: 2,
		combine: 'last',
		selected: 0,
		unit: safe`active users`,
	});
	expect(show(lines)).toEqual([
		'    3 ●○●○',
		'    0 ┊',
		'      ↑',
		'd1  active users   ● weekly 3   ○ monthly 3',
	]);
});

test.each([true, false])(
	'the maximum number of layers and lines can be told apart without color (ASCII: %s)',
	isAscii => {
		const series = (count: number) =>
			Array.from({length: count}, (_, index) => ({
				label: cleanLine(`s${index}`),
				points: pointsOf([index + 1]),
			}));
		const stacked = show(stackedBarChart(series(6), {width: 60, height: 42, isAscii}));
		const fills = new Set(stacked.slice(0, 42).map(line => line.slice(6)));
		expect(fills.size).toBe(6);
		const lines = show(lineChart(series(6), {width: 60, height: 7, combine: 'last', isAscii}));
		const marks = new Set(
			lines
				.slice(0, 6)
				.map(line => line.slice(6))
				.filter(Boolean),
		);
		expect(marks.size).toBe(6);
	},
);

test('a heat map tells zero, a little, the most and unknown apart, and its window follows the selection', () => {
	const days = ['mon', 'tue', 'wed', 'thu'].map(day => cleanLine(day));
	const rows = [
		[0, 1, undefined, 40],
		[10, 20, 30, 40],
	];
	const drawn = (options: {width: number; selected?: number}) => {
		const map = createHeatMap(days, {tops: [10, 20, 30, 40], isAscii: true, ...options});
		return {map, rows: rows.map(row => map.row(column => row[column]))};
	};
	const whole = drawn({width: 40, selected: 3});
	expect(show([...whole.rows, whole.map.labels, whole.map.legend])).toEqual([
		'.-?#',
		'-+*#',
		'mon',
		'. 0  - to 10  + to 20  * to 30  # to 40  ? unknown',
	]);
	expect(inverse(whole.rows)).toEqual(['#', '#']);
	expect(show(drawn({width: 2, selected: 0}).rows)).toEqual(['.-', '-+']);
	expect(show(drawn({width: 2}).rows)).toEqual(['?#', '*#']);
	const few = createHeatMap(days, {width: 40, tops: [40], isAscii: true});
	expect(show([few.row(column => rows[1]?.[column]), few.legend])).toEqual([
		'####',
		'. 0  # to 40  ? unknown',
	]);
	expect(show([createHeatMap(days, {width: 40, tops: [], isAscii: true}).legend])).toEqual([
		'. 0  ? unknown',
	]);
});

test('ranked bars show their value and share', () => {
	const rows = [
		{label: safe`model-large`, value: 750, share: 0.75, mark: safe`*`},
		{label: safe`model-small`, value: 1, share: 0.0004},
		{label: safe`none`, value: 0},
		{label: safe`unknown`, value: undefined},
	];
	expect(show(barList(rows, {width: 44, isAscii: true}))).toEqual([
		'model-large *  ###########      750     75 %',
		'model-small    #                  1  < 0.1 %',
		'none           .                  0',
		'unknown        ?            unknown',
	]);
});

const heatRows = (
	columns: readonly Safe[],
	rows: readonly (readonly (number | undefined)[])[],
	options: HeatMapOptions,
) => {
	const map = createHeatMap(columns, options);
	return [map.labels, ...rows.map(row => map.row(column => row[column]))];
};

describe('any chart', () => {
	const value = fc.option(fc.oneof(fc.nat(), fc.double({noNaN: true, min: -5, max: 1e9})), {nil: undefined});
	const values = fc.array(value, {maxLength: 120});
	const sizes = fc.record({
		width: fc.integer({min: 12, max: 90}),
		height: fc.integer({min: 2, max: 8}),
		isAscii: fc.boolean(),
		pointWidth: fc.oneof(fc.integer({min: 1, max: 6}), fc.double({min: 1, max: 6, noNaN: true})),
	});

	test('never exceeds its width, and is ASCII if it must be', () => {
		fc.assert(
			fc.property(values, values, sizes, fc.nat(130), (some, others, size, selected) => {
				const series = [
					{label: safe`one`, points: pointsOf(some)},
					{label: safe`two`, points: pointsOf(others)},
				];
				const options = {...size, selected, combine: 'mean'} as const;
				const columns = some.map((_, index) => safe`${index}`);
				const charts = [
					[sparkline(pointsOf(some), options)],
					barChart(pointsOf(some), options),
					barChart(pointsOf(some), {...options, combine: 'sum'}),
					stackedBarChart(series, options),
					lineChart(series, options),
					barList(pointsOf(some), options),
					heatRows(columns, [some, others], {...size, tops: [3, 40], selected}),
				];
				for (const line of charts.flat()) {
					expect(lineWidth(line)).toBeLessThanOrEqual(size.width);
					if (size.isAscii) expect(lineText(line)).toMatch(/^[ -~\u2026]*$/);
				}
			}),
		);
	});
});

describe('what a chart says in words', () => {
	test.each([
		[[], 'Credits: nothing.'],
		[[undefined, undefined], 'Credits, d1 to d2: unknown.'],
		[
			[10, undefined, 30, 40],
			'Credits, d1 to d4: highest 40 (d4), lowest 10 (d1), latest 40 (d4), rising, 1 unknown.',
		],
		[[5], 'Credits, d1: highest 5 (d1), lowest 5 (d1), latest 5 (d1), steady.'],
	])('describes %j', (some, sentence) => {
		expect(describeSeries(safe`credits`, pointsOf(some))).toBe(sentence);
	});

	test('describes layers', () => {
		const series = [
			{label: safe`large`, points: pointsOf([10, 5, 1])},
			{label: safe`small`, points: pointsOf([undefined])},
		];
		expect(describeLayers(safe`Models`, series)).toBe('Models: large latest 1 (d3), falling; small unknown.');
	});
});
