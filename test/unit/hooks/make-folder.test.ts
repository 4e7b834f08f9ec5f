import {chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {makeFolder} from '../../../hooks/runtime-folder.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {runFed} from '../../support/run-fed.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('makes what is missing, with the mode, and leaves what exists', () => {
	const top = temporaryFolder();
	chmodSync(top, 0o755);
	makeFolder(join(top, 'a/b/c'), 0o700);
	expect(['', 'a', 'a/b', 'a/b/c'].map(path => modeOf(join(top, path)))).toEqual([
		0o755, 0o700, 0o700, 0o700,
	]);
	chmodSync(join(top, 'a/b/c'), 0o750);
	makeFolder(join(top, 'a/b/c'), 0o700);
	expect(modeOf(join(top, 'a/b/c'))).toBe(0o750);
});

test('follows a link to a folder, and makes folders below it', () => {
	const top = temporaryFolder();
	mkdirSync(join(top, 'real'));
	symlinkSync('real', join(top, 'link'));
	makeFolder(join(top, 'link'));
	makeFolder(join(top, 'link/a/b'));
	expect(statSync(join(top, 'real/a/b')).isDirectory()).toBe(true);
});

test('says what is in the way: a file, or a link to nothing', () => {
	const top = temporaryFolder();
	writeFileSync(join(top, 'file'), '');
	symlinkSync('nothing', join(top, 'dangling'));
	expect(() => makeFolder(join(top, 'file'))).toThrow('EEXIST');
	expect(() => makeFolder(join(top, 'file/a/b'))).toThrow('ENOTDIR');
	expect(() => makeFolder(join(top, 'dangling'))).toThrow('EEXIST');
	expect(() => makeFolder(join(top, 'dangling/a'))).toThrow('EEXIST');
});

test("ends where an existing folder can't hold another", async () => {
	// In a process of its own, which a loop without an end could not take the test along with.
	const module = new URL('../../../hooks/runtime-folder.ts', import.meta.url).href;
	const script = `import {makeFolder} from ${JSON.stringify(module)};
		try { makeFolder('/proc/1/a/b/c'); } catch (error) { console.log(error.code); }`;
	const ended = await runFed([process.execPath, '--input-type=module', '-e', script], process.env);
	expect(ended).toMatchObject({code: 0, output: expect.stringMatching(/^E[A-Z]+\n$/)});
});
