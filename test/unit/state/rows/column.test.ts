import {expect, test} from 'vitest';
import type {CommandContext} from '../../../../src/commands/cli/context.ts';
import {createRowFormatter, outputColumns} from '../../../../src/commands/output/print-rows.ts';
import {isMatch, parseFilter} from '../../../../src/domain/list-filter/filter.ts';
import {
	type Column,
	fieldOf,
	fieldsOf,
	jsonOf,
	orderRows,
	ordersOf,
} from '../../../../src/state/rows/column.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {
	columnsOnScreen,
	fitTable,
	tableHeading,
	tableRow,
	widestTexts,
} from '../../../../src/ui/kit/columns.ts';

type Box = {readonly host?: string; readonly cores?: number};

const columns: readonly Column<Box>[] = [
	{name: 'id', value: () => 'x'},
	{
		name: 'last_host',
		value: ({host}) => host,
		json: ({host}) => host,
		size: (_, widest) => ({width: widest, rank: 1}),
	},
	{name: 'cores', isNumber: true, value: ({cores}) => cores, size: {width: 5, rank: 2}},
];
const boxes: readonly Box[] = [{host: 'box-10', cores: 2400}, {cores: 8}, {host: 'box-9'}];
const context = {now: 0, width: 80};

const command = (isCsv: boolean) =>
	createRowFormatter({output: {isJson: false}, flags: {is: () => isCsv}} as unknown as CommandContext, {
		columns: outputColumns(columns, {now: 0}),
		objectOf: box => box,
	})(boxes);

test('one entry is a column of the screen, of a command, of CSV and JSON, an order, and a term of the filter', () => {
	const order = {order: 'cores', isReversed: true};
	const all = columnsOnScreen(columns, widestTexts(columns, boxes), context, order);
	const drawn = fitTable(all, context.width);
	expect(
		[tableHeading(drawn), ...boxes.map(box => tableRow(drawn, box))].map(line => lineText(line)),
	).toEqual(['LAST …  CORES▼', 'box-10   2,400', '-            8', 'box-9        -']);
	expect(command(false).map(line => line.trimEnd())).toEqual([
		'ID  LAST HOST  CORES',
		'x   box-10     2,400',
		'x   -              8',
		'x   box-9          -',
	]);
	expect(command(true)).toEqual(['id,last_host,cores', 'x,box-10,2400', 'x,,8', 'x,box-9,']);
	expect(boxes.map(box => jsonOf(columns, box))).toEqual([
		{last_host: 'box-10'},
		{last_host: undefined},
		{last_host: 'box-9'},
	]);
	expect(ordersOf(columns)).toEqual(['last_host', 'cores']);
	const sorted = (order: string, isReversed = false) =>
		orderRows(columns, boxes, {order, isReversed}).map(box => boxes.indexOf(box));
	expect([sorted('last_host'), sorted('last_host', true), sorted('cores')]).toEqual([
		[2, 0, 1],
		[0, 2, 1],
		[0, 1, 2],
	]);
	const {terms, problems} = parseFilter('last_host:X-1 !host:x', [], fieldsOf(columns));
	expect(problems).toHaveLength(1);
	const shown = boxes.filter(box =>
		isMatch({terms}, {text: '', states: [], column: name => fieldOf(columns, box, name)}),
	);
	expect(shown).toEqual([boxes[0]]);
});
