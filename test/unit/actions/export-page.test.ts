import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {exportName, partNames} from '../../../src/actions/export-page.ts';
import {createExportTable} from '../../../src/domain/export-table.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const table = (name: string) => createExportTable<number>(name, [], []);
const range = {startDate: '2026-03-01', endDate: '2026-03-07'};
const usage = {name: 'usage-tools', range, selection: {}, tables: [table('by day'), table('MCP servers')]};
const repository = {name: 'readiness-host/acme/../shop', selection: {}, tables: [table('criteria')]};

test.each([
	[usage, 'csv', 1, 'usage-tools-mcp-servers-2026-03-01-2026-03-07.csv'],
	[usage, 'json', 1, 'usage-tools-2026-03-01-2026-03-07.json'],
	[repository, 'csv', 0, 'readiness-host-acme-..-shop.csv'],
] as const)('names the file of %j as %s after what it holds', (data, format, index, name) => {
	expect(exportName({data, format, table: data.tables[index] ?? table('')}, temporaryFolder())).toBe(name);
});

test('all tables share one base name, and each file adds its own part', () => {
	const folder = temporaryFolder();
	const all = {data: usage, format: 'csv'} as const;
	expect(exportName(all, folder)).toBe('usage-tools-2026-03-01-2026-03-07.csv');
	expect(partNames(all)).toEqual(['by-day', 'mcp-servers']);
	expect(partNames({...all, format: 'json'})).toEqual([]);
	expect(partNames({data: repository, format: 'csv'})).toEqual([]);
	writeFileSync(join(folder, 'usage-tools-2026-03-01-2026-03-07-mcp-servers.csv'), '');
	expect(exportName(all, folder)).toBe('usage-tools-2026-03-01-2026-03-07-2.csv');
});

test('adds a number to a name that is taken', () => {
	const folder = temporaryFolder();
	const wanted = {data: repository, format: 'csv', table: table('criteria')} as const;
	for (const ending of ['', '-2', '-3']) {
		const name = exportName(wanted, folder);
		expect(name).toBe(`readiness-host-acme-..-shop${ending}.csv`);
		writeFileSync(join(folder, name), '');
	}
});
