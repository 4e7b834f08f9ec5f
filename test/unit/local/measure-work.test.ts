import {execFileSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {askGit} from '../../../src/local/git.ts';
import {changesOfLog, changesOfStatus, hashesOfLog} from '../../../src/local/measure-work.ts';
import {createProcessGroups} from '../../../src/local/process-group.ts';
import {createRepository, writeFiles} from '../../support/git-repository.ts';

test('a status tells what is new and what is changed', () => {
	const status = ['?? new file.ts', 'A  added.ts', ' M edited.ts', 'MM twice.ts', ' D gone.ts', ''].join(
		'\0',
	);
	expect(changesOfStatus(status)).toEqual([
		{path: 'new file.ts', kind: 'created'},
		{path: 'added.ts', kind: 'created'},
		{path: 'edited.ts', kind: 'edited'},
		{path: 'twice.ts', kind: 'edited'},
	]);
	expect(changesOfStatus('')).toEqual([]);
});

test('a log tells commits and their files', () => {
	const [one, two] = ['a'.repeat(40), 'b'.repeat(40)];
	const log = `\u0001${one}\0\nA\0new.ts\0M\0old.ts\0\0\u0001${two}\0\nD\0gone.ts\0`;
	expect(hashesOfLog(log)).toEqual([one, two]);
	expect(changesOfLog(log)).toEqual([
		{path: 'new.ts', kind: 'created'},
		{path: 'old.ts', kind: 'edited'},
	]);
});

test("measuring runs no command of a repository's settings", async () => {
	const groups = createProcessGroups({add: () => {}, remove: () => {}, close: () => {}}, randomUUID());
	onTestFinished(() => groups.close());
	const {folder} = createRepository({'a.txt': 'a'});
	const ran = join(folder, 'ran');
	execFileSync('git', ['config', 'core.fsmonitor', `touch ${ran}; false`], {cwd: folder});
	expect(await askGit(groups, folder, ['status', '--porcelain'])).toBe('');
	// A bare repository may lie in the files of any other one.
	const bare = join(folder, 'bare');
	writeFiles(bare, {
		HEAD: 'ref: refs/heads/main\n',
		config: `[core]\nrepositoryformatversion = 0\nworktree = .\nfsmonitor = "touch ${ran}; false"\n`,
		'objects/x': '',
		'refs/x': '',
	});
	expect(await askGit(groups, bare, ['status', '--porcelain'])).toBeUndefined();
	expect(existsSync(ran)).toBe(false);
});
