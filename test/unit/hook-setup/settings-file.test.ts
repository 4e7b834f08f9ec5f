import {
	chmodSync,
	existsSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {readSettingsFile, writeSettingsFile} from '../../../src/hook-setup/settings-file.ts';
import {installHooks} from '../../support/hook-install.ts';

function world() {
	const root = mkdtempSync(join(tmpdir(), 'write-settings-'));
	onTestFinished(() => rmSync(root, {recursive: true, force: true}));
	const backups = join(root, 'state', 'backups');
	let now = Date.UTC(2026, 0, 1);
	return {
		root,
		file: join(root, 'settings.json'),
		backups,
		write: (read: ReturnType<typeof readSettingsFile>, after: string | undefined) => {
			now += 1000;
			return writeSettingsFile(read, after, {folder: backups, now, isInstall: false});
		},
	};
}

const refused = (message: RegExp) =>
	expect.objectContaining({name: 'SettingsFileError', message: expect.stringMatching(message)});

describe('a settings file', () => {
	test.each([0o600, 0o644, 0o640])('keeps its mode %o', mode => {
		const {file, write, root} = world();
		writeFileSync(file, 'before');
		chmodSync(file, mode);
		write(readSettingsFile(file), 'after');
		expect(readFileSync(file, 'utf8')).toBe('after');
		expect(statSync(file).mode & 0o777).toBe(mode);
		expect(readdirSync(root).sort()).toEqual(['settings.json', 'state']);
	});

	test('that is a link stays one, and its target is changed', () => {
		const {root, file, write} = world();
		mkdirSync(join(root, 'dotfiles'));
		writeFileSync(join(root, 'dotfiles', 'claude.json'), 'before');
		symlinkSync('dotfiles/claude.json', file);
		write(readSettingsFile(file), 'after');
		expect(readlinkSync(file)).toBe('dotfiles/claude.json');
		expect(readFileSync(join(root, 'dotfiles', 'claude.json'), 'utf8')).toBe('after');
	});

	test.each(['nothing.json', 'nothing/settings.json', '../nothing'])(
		'that is a link to %s, which is missing, is refused, and nothing is created',
		target => {
			const {root, file} = world();
			symlinkSync(target, file);
			const isLink = refused(/settings\.json is a link to .*nothing.*, which is missing/);
			expect(() => readSettingsFile(file)).toThrow(isLink);
			const folder = join(root, 'folder');
			symlinkSync(target, folder);
			expect(() => readSettingsFile(join(folder, 'settings.json'))).toThrow(
				refused(/folder is a link to .*nothing.*, which is missing/),
			);
			expect(readdirSync(root)).toEqual(['folder', 'settings.json']);
		},
	);

	test('is created with its folder, and removed again', () => {
		const {root, write} = world();
		const file = join(root, 'new', 'folder', 'settings.json');
		expect(write(readSettingsFile(file), 'made')).toBeUndefined();
		expect(readFileSync(file, 'utf8')).toBe('made');
		const backup = write(readSettingsFile(file), undefined);
		expect(readdirSync(join(root, 'new', 'folder'))).toEqual([]);
		expect(readFileSync(backup ?? '', 'utf8')).toBe('made');
	});

	test('that changed after it was read is left alone', () => {
		const {root, file, write} = world();
		writeFileSync(file, 'before');
		const read = readSettingsFile(file);
		writeFileSync(file, 'by another program');
		expect(() => write(read, 'after')).toThrow(refused(/another program just changed/));
		expect(() => write(read, undefined)).toThrow(refused(/another program just changed/));
		expect(readFileSync(file, 'utf8')).toBe('by another program');
		expect(readdirSync(root).sort()).toEqual(['settings.json', 'state']);
	});

	test('that appeared or vanished after it was looked for is left alone', () => {
		const {file, write} = world();
		const nothing = readSettingsFile(file);
		writeFileSync(file, 'came');
		expect(() => write(nothing, 'after')).toThrow(refused(/another program just changed/));
		const read = readSettingsFile(file);
		rmSync(file);
		expect(() => write(read, 'after')).toThrow(refused(/another program just changed/));
	});

	test('that is read-only is left alone, even by root', () => {
		const {file, write} = world();
		writeFileSync(file, 'before', {mode: 0o444});
		expect(() => write(readSettingsFile(file), 'after')).toThrow(refused(/is read-only/));
		expect(readFileSync(file, 'utf8')).toBe('before');
	});

	test('that has a second hard link is left alone', () => {
		const {root, file, write} = world();
		writeFileSync(file, 'before');
		linkSync(file, join(root, 'other.json'));
		expect(() => write(readSettingsFile(file), 'after')).toThrow(refused(/has 2 hard links/));
	});

	test("isn't changed if no backup can be written", () => {
		const {root, file, write} = world();
		writeFileSync(file, 'before');
		writeFileSync(join(root, 'state'), 'a file in the way');
		expect(() => write(readSettingsFile(file), 'after')).toThrow(refused(/a backup can't be written/));
		expect(readFileSync(file, 'utf8')).toBe('before');
	});
});

describe('backups', () => {
	test('are closed to others, and the five newest of each file are kept', () => {
		const {root, file, backups, write} = world();
		const other = join(root, 'project', 'settings.json');
		mkdirSync(join(root, 'project'));
		writeFileSync(other, 'other');
		write(readSettingsFile(other), 'other after');
		writeFileSync(file, '0');
		for (let count = 1; count <= 7; count++) write(readSettingsFile(file), String(count));
		const kept = readdirSync(backups)
			.sort()
			.map(name => readFileSync(join(backups, name), 'utf8'));
		expect(kept).toEqual(['other', '2', '3', '4', '5', '6']);
		expect(statSync(backups).mode & 0o777).toBe(0o700);
		for (const name of readdirSync(backups)) expect(statSync(join(backups, name)).mode & 0o777).toBe(0o600);
	});
});

describe('the undo of an install', () => {
	function installed(text: string | undefined) {
		const {root, file} = world();
		const machine = {home: root, cwd: root, env: {CLAUDE_CONFIG_DIR: root}};
		const program = {node: process.execPath, hook: '/hook.cjs'};
		if (text !== undefined) writeFileSync(file, text);
		installHooks('claude', machine, program);
		return {
			file,
			upgrade: () =>
				installHooks('claude', machine, {...program, launcher: join(root, 'new', 'quarterdeck-hook')}),
			undo: () => installHooks('claude', machine, undefined),
		};
	}

	test.each([
		['no file', undefined],
		['an empty file', ''],
		['an odd form', '\ufeff{ "hooks" : {\r\n\t"Stop": [ ] }, /* a */ "b":1}'],
	])('restores the bytes of %s, also after an upgrade', (_, text) => {
		for (const isUpgraded of [false, true]) {
			const {file, upgrade, undo} = installed(text);
			if (isUpgraded) upgrade();
			undo();
			expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(text);
		}
	});

	test('keeps what has changed since', () => {
		const {file, undo} = installed('{"a": 1}');
		writeFileSync(file, readFileSync(file, 'utf8').replace('"a": 1', '"a": 2'));
		undo();
		expect(readFileSync(file, 'utf8')).toBe('{"a": 2}');
	});
});

describe('reading refuses', () => {
	test.each([
		['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d]), /is not UTF-8 text/],
		['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /is not UTF-8 text/],
		['what is too long', Buffer.alloc(8 * 1024 * 1024 + 1, 0x20), /over 8 MiB/],
	])('%s', (_, bytes, message) => {
		const {file} = world();
		writeFileSync(file, bytes);
		expect(() => readSettingsFile(file)).toThrow(refused(message));
	});

	test('a folder, and takes a path below a file for a missing file', () => {
		const {root, file} = world();
		expect(() => readSettingsFile(root)).toThrow(refused(/is not a file/));
		writeFileSync(file, '');
		expect(readSettingsFile(join(file, 'settings.json')).text).toBeUndefined();
	});

	test('no byte order mark, but keeps it', () => {
		const {file} = world();
		writeFileSync(file, '\ufeff{}');
		expect(readSettingsFile(file).text).toBe('\ufeff{}');
	});
});
