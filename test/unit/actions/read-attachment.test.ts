import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {checkPlace, fullPath, peekImage, readAttachment} from '../../../src/actions/read-attachment.ts';
import {attachmentType, fileInfo, imageInfo} from '../../../src/domain/messages/attachment.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {tinyPdf, tinyPng} from '../../support/tiny-files.ts';

function fileWith(name: string, content: string | Buffer): string {
	const path = join(temporaryFolder(), name);
	writeFileSync(path, content);
	return path;
}

test.each([
	['png', tinyPng],
	['jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0])],
	['gif', Buffer.from('GIF89a....')],
	['webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')],
	['pdf', tinyPdf],
	['text', Buffer.from('naïve\n界')],
	['text', Buffer.alloc(0)],
	[undefined, Buffer.from('a\0b')],
	[undefined, Buffer.from([0x66, 0xff, 0xfe])],
	[undefined, Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')],
] as const)('detects type %s from the first bytes', (type, bytes) => {
	expect(attachmentType(bytes)).toBe(type);
});

test("a path in a repository whose links lead out of it isn't taken, and its place is named", async () => {
	const home = temporaryFolder();
	const folder = join(home, 'shop/web');
	mkdirSync(join(home, 'shop/.git'), {recursive: true});
	mkdirSync(folder);
	for (const file of ['secret', 'shop/shared', 'shop/web/own']) writeFileSync(join(home, file), 'x');
	symlinkSync(join(home, 'secret'), join(folder, 'notes.md'));
	symlinkSync(home, join(folder, 'docs'));
	symlinkSync('../shared', join(folder, 'shared'));
	for (const path of ['own', 'shared', 'gone', '../../secret']) await checkPlace(join(folder, path), folder);
	for (const path of ['notes.md', 'docs/secret'])
		await expect(checkPlace(join(folder, path), folder)).rejects.toThrow(
			`${join(folder, path)} leads to ${join(home, 'secret')}: nothing was attached`,
		);
});

describe('reading an attachment', () => {
	test('goes by the content, not by the name', async () => {
		const path = fileWith('notes.txt', tinyPng);
		expect(await readAttachment(path)).toEqual({
			kind: 'image',
			name: 'notes.txt',
			type: 'png',
			bytes: tinyPng.length,
			path,
			data: tinyPng.toString('base64'),
		});
		expect(await peekImage(path)).toMatchObject({type: 'png', bytes: tinyPng.length});
		expect(await peekImage(fileWith('fake.png', 'words'))).toBeUndefined();
		expect(await peekImage('/does/not/exist.png')).toBeUndefined();
	});

	test('refuses a file that is too big before reading it, and names both sizes', async () => {
		const path = fileWith('big.txt', '');
		truncateSync(path, 30_000_000);
		await expect(readAttachment(path)).rejects.toThrow(
			/30\.0 MB: a message's attachments may total 20\.0 MB/,
		);
		await expect(readAttachment(fileWith('a', 'abc'), 2)).rejects.toThrow(/and 0\.0 MB is left/);
	});

	test("accepts only regular files, and doesn't wait for a pipe that nobody writes to", async () => {
		const folder = temporaryFolder();
		execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')]);
		mkdirSync(join(folder, 'sub'));
		await expect(readAttachment(join(folder, 'pipe'))).rejects.toThrow(/is not a file/);
		await expect(readAttachment(join(folder, 'sub'))).rejects.toThrow(/is not a file/);
		await expect(readAttachment('/dev/zero')).rejects.toThrow(/is not a file/);
		await expect(readAttachment(join(folder, 'gone'))).rejects.toThrow(/can't be read \(ENOENT\)/);
		expect(await peekImage(join(folder, 'pipe'))).toBeUndefined();
	});

	test('refuses anything but an image, a PDF or text', async () => {
		await expect(readAttachment(fileWith('a.bin', Buffer.from([0, 1, 2])))).rejects.toThrow(
			/can't be attached: attach an image .*, a PDF or UTF-8 text/,
		);
	});
});

test('reads the type and size of an attachment from its data', () => {
	const data = tinyPng.toString('base64');
	expect(imageInfo({data})).toEqual({kind: 'image', name: 'image', type: 'png', bytes: tinyPng.length});
	expect(fileInfo({name: 'a.pdf', data: tinyPdf.toString('base64')})).toMatchObject({type: 'pdf'});
	expect(fileInfo({path: '/x/notes', parsedData: 'abc'})).toEqual({
		kind: 'file',
		name: '/x/notes',
		type: 'text',
		bytes: 3,
	});
});

test('resolves paths as people write them', () => {
	expect(fullPath('~/a', '/x')).toBe(join(homedir(), 'a'));
	expect(fullPath('a/b', '/x')).toBe('/x/a/b');
	expect(fullPath('/a', '/x')).toBe('/a');
});
