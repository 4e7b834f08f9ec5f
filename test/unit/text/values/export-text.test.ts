import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createExportTable} from '../../../../src/domain/export-tables/export-table.ts';
import {pageJson, tableCsv} from '../../../../src/text/values/export-text.ts';

const columns = [
	{name: 'name', value: (row: Row) => row.name},
	{name: 'count', value: (row: Row) => row.count},
];
type Row = {readonly name: string | undefined; readonly count: number | undefined};

test('a table is CSV that no spreadsheet runs, without secrets', () => {
	const rows = [
		{name: '=cmd()', count: 1},
		{name: 'a,"b"', count: undefined},
		{name: 'notify --token abc123secret', count: -2.5},
	];
	expect([...tableCsv(createExportTable('by name', columns, rows))].join('')).toBe(
		`name,count\n"'=cmd()",1\n"a,""b""",\nnotify --token ***,-2.5\n`,
	);
});

test('a page is one JSON document: the days, what was chosen, and every table', () => {
	const document = pageJson({
		name: 'usage-credits',
		range: {startDate: '2026-03-01', endDate: '2026-03-07'},
		facts: {view: 'usage', tab: 'credits'},
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

test('whatever a row holds, the document has one object a row and nothing a terminal obeys', () => {
	const row = fc.record({
		name: fc.option(fc.string({unit: 'binary'}), {nil: undefined}),
		count: fc.option(fc.double({noNaN: true, noDefaultInfinity: true}), {nil: undefined}),
	});
	fc.assert(
		fc.property(fc.array(row), rows => {
			const table = createExportTable('rows', columns, rows);
			const text = [...pageJson({name: 'x', facts: {}, tables: [table]})].join('');
			expect(JSON.parse(text).data.rows).toHaveLength(rows.length);
			expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
			const csv = [...tableCsv(table)].join('');
			expect(csv.split('\n')).toHaveLength(rows.length + 2);
		}),
	);
});
