import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {safeName, saveAttachments} from '../../../../src/local/resources/messages.ts';

test('any name becomes a single file name that hides nothing', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary', maxLength: 300}), name => {
			const safe = safeName(name);
			expect(safe).not.toBe('');
			expect(basename(safe)).toBe(safe);
			expect(safe).not.toMatch(/^[.-]|[\0-\x1f\x7f/\\]/);
			expect(safe.length).toBeLessThanOrEqual(80);
		}),
	);
});

test('keeps a plain name, also at the end of a path', () => {
	expect(safeName('Bericht für März 2.pdf')).toBe('Bericht für März 2.pdf');
	expect(safeName('C:\\Users\\me\\notes.txt')).toBe('notes.txt');
	expect(safeName('..')).toBe('file');
});

test('files keep the names that the user gave, even two of the same name', () => {
	const folder = mkdtempSync(join(tmpdir(), 'attachments-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const files = ['one', 'two'].map(text => ({name: 'a.txt', parsedData: text}));
	const saved = saveAttachments(folder, 's', 'm', {files});
	expect(saved.map(({name}) => name)).toEqual(['a.txt', 'a.txt']);
	expect(saved.map(({path = ''}) => readFileSync(path, 'utf8'))).toEqual(['one', 'two']);
});

test('a message that a full disk refused can be posted again, with its files', () => {
	const folder = mkdtempSync(join(tmpdir(), 'attachments-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const files = [{name: 'a.txt', parsedData: 'whole'}];
	const [refused] = saveAttachments(folder, 's', 'm', {files});
	writeFileSync(refused?.path ?? '', 'wh');
	const [saved] = saveAttachments(folder, 's', 'm', {files});
	expect(readFileSync(saved?.path ?? '', 'utf8')).toBe('whole');
});
