import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {writeFile} from '../../../src/actions/export-page.ts';

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
