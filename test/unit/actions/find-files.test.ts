import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {createFileFinder} from '../../../src/actions/find-files.ts';
import {temporaryFolder} from '../../support/local-service.ts';

function folderWith(...files: readonly string[]): string {
	const folder = temporaryFolder();
	for (const file of files) {
		mkdirSync(dirname(join(folder, file)), {recursive: true});
		writeFileSync(join(folder, file), 'x');
	}
	return folder;
}

type Look = 'filesUnder' | 'entriesOf';

/** What a finder knows once its listing has come. */
async function found(look: Look, folder: string): Promise<unknown> {
	const finder = createFileFinder(() => 0);
	await new Promise<void>(arrived => expect(finder[look](folder, arrived)).toBeUndefined());
	return finder[look](folder, () => {});
}

test('in a repository, lists tracked and new files and their folders, and apart from them what is ignored', async () => {
	const folder = folderWith('a.ts', 'src/new file.ts', 'node_modules/x/index.js', 'build/out.js');
	writeFileSync(join(folder, '.gitignore'), 'node_modules\nbuild\n*.log\n');
	writeFileSync(join(folder, 'a.log'), 'x');
	execFileSync('git', ['init', '-q', folder]);
	execFileSync('git', ['-C', folder, 'add', 'a.ts']);
	expect(await found('filesUnder', folder)).toEqual({
		files: ['.gitignore', 'src/', 'src/new file.ts', 'a.ts'],
		ignored: ['a.log', 'build/', 'node_modules/'],
	});
	expect(await found('filesUnder', join(folder, 'src'))).toEqual({files: ['new file.ts'], ignored: []});
});

test("doesn't run a command from the configuration of a repository", async () => {
	const folder = folderWith('a.ts');
	execFileSync('git', ['init', '-q', folder]);
	const trap = join(folder, 'trap.sh');
	writeFileSync(trap, `#!/bin/sh\ntouch ${folder}/ran\n`);
	chmodSync(trap, 0o755);
	execFileSync('git', ['-C', folder, 'config', 'core.fsmonitor', trap]);
	expect(await found('filesUnder', folder)).toMatchObject({files: expect.arrayContaining(['a.ts'])});
	expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test("elsewhere, skips hidden folders and installed packages, and doesn't go in circles", async () => {
	const folder = folderWith('b.md', 'docs/deep/a.md', '.cache/x', 'node_modules/x.js');
	symlinkSync(folder, join(folder, 'docs', 'loop'));
	expect(await found('filesUnder', folder)).toEqual({
		files: ['b.md', 'docs/', 'docs/deep/', 'docs/loop', 'docs/deep/a.md'],
		ignored: ['.cache/', 'node_modules/'],
	});
	const nothing = {files: [], ignored: []};
	expect(await found('filesUnder', join(folder, 'gone'))).toEqual(nothing);
	expect(await found('filesUnder', `${folder}\0`)).toEqual(nothing);
});

test('lists the entries of one folder and marks its folders', async () => {
	expect(await found('entriesOf', folderWith('b', 'a/x', '.z'))).toEqual(['.z', 'a/', 'b']);
});

test('reads an old listing again, and shows it meanwhile', async () => {
	let now = 0;
	const folder = folderWith('a');
	const finder = createFileFinder(() => now);
	await new Promise<void>(arrived => finder.entriesOf(folder, arrived));
	writeFileSync(join(folder, 'b'), 'x');
	expect(finder.entriesOf(folder, () => expect.unreachable())).toEqual(['a']);
	now = 6000;
	await new Promise<void>(arrived => expect(finder.entriesOf(folder, arrived)).toEqual(['a']));
	expect(finder.entriesOf(folder, () => {})).toEqual(['a', 'b']);
});

test.each([true, false])('offers no name that cannot be written, in a repository: %s', async isRepository => {
	const folder = folderWith('a b', 'fine/x', 'two\nlines', 'b\u202ed', 'tab\t/x');
	writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x62, 0xff])]), 'x');
	if (isRepository) execFileSync('git', ['init', '-q', folder]);
	expect(await found('filesUnder', folder)).toMatchObject({
		files: expect.arrayContaining(['a b', 'fine/', 'fine/x']),
	});
	const {files} = (await found('filesUnder', folder)) as {files: readonly string[]};
	expect(files).toHaveLength(3);
	expect(await found('entriesOf', folder)).toHaveLength(isRepository ? 3 : 2);
});
