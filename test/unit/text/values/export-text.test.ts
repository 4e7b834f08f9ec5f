import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createExportTable} from '../../../../src/domain/export-table.ts';
import {csvLine, pageJson, tableCsv} from '../../../../src/text/values/export-text.ts';
import {csvCells} from '../../../support/csv.ts';

const columns = [
	{name: 'name', value: (row: Row) => row.name},
	{name: 'count', value: (row: Row) => row.count},
];
type Row = {readonly name: string | undefined; readonly count: number | undefined};

test('exports a table as CSV that no spreadsheet executes, without secrets', () => {
	const rows = [
		{name: '=cmd()', count: 1},
		{name: 'a,"b"', count: undefined},
		{name: 'notify --token abc123secret', count: -2.5},
	];
	expect([...tableCsv(createExportTable('by name', columns, rows))].join('')).toBe(
		`name,count\n"'=cmd()",1\n"a,""b""",\nnotify --token ***,-2.5\n`,
	);
});

test('exports a page as one JSON document with the days, the selection and every table', () => {
	const document = pageJson({
		name: 'usage-credits',
		range: {startDate: '2026-03-01', endDate: '2026-03-07'},
		selection: {view: 'usage', tab: 'credits'},
		tables: [
			createExportTable('by name', columns, [{name: 'a', count: undefined}]),
			createExportTable('MCP servers', columns, [], row => ({server: row.name})),
		],
	});
	expect(JSON.parse([...document].join(''))).toEqual({
		meta: {start_date: '2026-03-01', end_date: '2026-03-07'},
		quarterdeck: {view: 'usage', tab: 'credits'},
		data: {by_name: [{name: 'a', count: null}], mcp_servers: []},
	});
});

test('an export has one object per row, and nothing that a terminal obeys', () => {
	const row = fc.record({
		name: fc.option(fc.string({unit: 'binary'}), {nil: undefined}),
		count: fc.option(fc.double({noNaN: true, noDefaultInfinity: true}), {nil: undefined}),
	});
	fc.assert(
		fc.property(fc.array(row), rows => {
			const table = createExportTable('rows', columns, rows);
			const text = [...pageJson({name: 'x', selection: {}, tables: [table]})].join('');
			// JSON has no negative zero.
			const counts = rows.map(({count = null}) => (count === 0 ? 0 : count));
			expect(JSON.parse(text).data.rows.map((one: Row) => one.count)).toEqual(counts);
			expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
			const csv = [...tableCsv(table)].join('');
			expect(csv.split('\n')).toHaveLength(rows.length + 2);
			const cells = csv.split('\n').slice(1, -1).map(csvCells);
			expect(cells.map(([, count]) => count)).toEqual(counts.map(count => String(count ?? '')));
		}),
	);
});

test.each([
	[['plain', 1, -2.5, undefined, true, Number.NaN], 'plain,1,-2.5,,true,'],
	[['a,b', 'say "hi"', ' blank '], '"a,b","say ""hi"""," blank "'],
	[['=1+1', '+1', '-1', '@x', ' =x', '\uff1dx'], `"'=1+1","'+1","'-1","'@x","' =x","'\uff1dx"`],
	[['two\nlines', '\u001b[31m', '\t=x'], `two\u240alines,\u241b[31m,"'    =x"`],
])('makes a CSV line of %j', (cells, line) => {
	expect(csvLine(cells)).toBe(line);
});

test('a line reads back as its cells, and none is a formula', () => {
	const text = fc
		.oneof(fc.string(), fc.constantFrom('=a', '"', ',', "'", '+', '\n', ' -1', '""'))
		.map(one => one.slice(0, 60));
	fc.assert(
		fc.property(fc.array(text, {minLength: 1, maxLength: 6}), cells => {
			const line = csvLine(cells);
			expect(line).not.toMatch(/[\u0000-\u001f]/);
			const read = csvCells(line);
			expect(read).toHaveLength(cells.length);
			for (const cell of read) expect(cell).not.toMatch(/^\s*[=+\-@]/);
			for (const [index, cell] of cells.entries()) if (/^[\w ]*$/.test(cell)) expect(read[index]).toBe(cell);
		}),
	);
});
