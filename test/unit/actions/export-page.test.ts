import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {exportName, exportToFile, partNames, writeFile} from '../../../src/actions/export-page.ts';
import {createExportTable} from '../../../src/domain/export-table.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
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

test('the notice of exported messages counts messages', async () => {
	const {actions, stores} = appParts(fakeClock());
	const messages = createExportTable('messages', ['id'], [{id: 'a'}, {id: 'b'}]);
	const data = {name: 'fix', selection: {}, tables: [messages], document: () => ['# fix\n']};
	await exportToFile(actions, {data, format: 'md'}, join(temporaryFolder(), 'fix.md'));
	expect(stores.notices.getState().list.at(-1)?.text).toMatch(/: 2 messages, /);
});

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'write-file-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

const big = Array.from({length: 5000}, (_, index) => `row ${index} é\n`);

test('writes the whole file, readable only by its owner', async () => {
	const file = join(folder, 'a.csv');
	const text = big.join('');
	expect(await writeFile(file, big, false)).toEqual({state: 'written', bytes: Buffer.byteLength(text)});
	expect(readFileSync(file, 'utf8')).toBe(text);
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('replaces an existing file only if asked to', async () => {
	const file = join(folder, 'a.csv');
	writeFileSync(file, 'old', {mode: 0o644});
	expect(await writeFile(file, ['new'], false)).toEqual({state: 'exists'});
	expect(readFileSync(file, 'utf8')).toBe('old');
	expect(await writeFile(file, ['new'], true)).toEqual({state: 'written', bytes: 3});
	expect(readFileSync(file, 'utf8')).toBe('new');
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readdirSync(folder)).toEqual(['a.csv']);
});

test('replaces a link, not what it leads to', async () => {
	writeFileSync(join(folder, 'target'), 'kept');
	symlinkSync('target', join(folder, 'link'));
	expect(await writeFile(join(folder, 'link'), ['new'], false)).toEqual({state: 'exists'});
	await writeFile(join(folder, 'link'), ['new'], true);
	expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('kept');
	expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('new');
});

test('leaves nothing behind when the text fails midway', async () => {
	function* pieces() {
		yield* big;
		throw new Error('no more');
	}
	for (const replaces of [false, true])
		await expect(writeFile(join(folder, 'a.csv'), pieces(), replaces)).rejects.toThrow('no more');
	expect(readdirSync(folder)).toEqual([]);
});

test.each([
	['nowhere/a.csv', /its folder does not exist/],
	['file/a.csv', /part of its path is not a folder/],
	['x'.repeat(300), /the name is too long/],
])("says why %s can't be written", async (name, reason) => {
	writeFileSync(join(folder, 'file'), '');
	const written = await writeFile(join(folder, name), ['x'], false);
	expect(written).toMatchObject({state: 'failed', what: expect.stringMatching(reason)});
});
