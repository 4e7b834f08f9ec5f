import {execFileSync} from 'node:child_process';
import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {changesOfLog, changesOfStatus, hashesOfLog} from '../../../../src/local/turns/measure-work.ts';
import {eventually} from '../../../support/eventually.ts';
import {createRepository, writeFiles} from '../../../support/git-repository.ts';
import {startTestService, temporaryFolder} from '../../../support/local-service.ts';
import {createSession, readAll, textOf, whenAnswer, whenIdle} from '../../../support/sessions.ts';

test('a status shows what is new and what has changed', () => {
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

test('a log shows commits and their files', () => {
	const [one, two] = ['a'.repeat(40), 'b'.repeat(40)];
	const log = `\u0001${one}\0\nA\0new.ts\0M\0old.ts\0\0\u0001${two}\0\nD\0gone.ts\0`;
	expect(hashesOfLog(log)).toEqual([one, two]);
	expect(changesOfLog(log)).toEqual([
		{path: 'new.ts', kind: 'created'},
		{path: 'old.ts', kind: 'edited'},
	]);
});

test("measuring a turn's work runs no command from the repository's settings", async () => {
	const {folder} = createRepository({'a.txt': 'a', '.gitattributes': '* filter=evil\n'});
	const ran = join(temporaryFolder(), 'ran');
	const config = (name: string, value: string) =>
		execFileSync('git', ['config', name, value], {cwd: folder, timeout: 20_000});
	config('core.fsmonitor', `touch ${ran}; false`);
	const {service, folder: serviceFolder} = await startTestService();
	const sessionId = await createSession(service, folder);
	await service.messages.add(sessionId, {
		text: `git config filter.evil.clean 'touch ${ran}; cat'; echo b > a.txt`,
	});
	await whenIdle(service, sessionId);
	const database = new DatabaseSync(join(serviceFolder, 'service.sqlite'), {readOnly: true, timeout: 5000});
	onTestFinished(() => database.close());
	await eventually(() => expect(database.prepare('SELECT kind FROM file_changes').all()).toHaveLength(1));
	expect(existsSync(ran)).toBe(false);
});

test('measuring runs no command from the settings of a bare repository', async () => {
	const folder = temporaryFolder();
	const ran = join(folder, 'ran');
	writeFiles(join(folder, 'bare'), {
		HEAD: 'ref: refs/heads/main\n',
		config: `[core]\nrepositoryformatversion = 0\nworktree = .\nfsmonitor = "touch ${ran}; false"\n`,
		'objects/x': '',
		'refs/x': '',
	});
	const {service} = await startTestService();
	const sessionId = await createSession(service, join(folder, 'bare'));
	await service.messages.add(sessionId, {text: 'echo done'});
	await whenIdle(service, sessionId);
	expect(existsSync(ran)).toBe(false);
});

test('a turn in a repository that blocks git runs, and can be interrupted from its first moment', async () => {
	const {folder} = createRepository({'a.txt': 'a'});
	const git = join(folder, '.git');
	execFileSync('mkfifo', [join(git, 'pipe')], {timeout: 20_000});
	execFileSync('git', ['config', 'include.path', 'pipe'], {cwd: folder, timeout: 20_000});
	const {service} = await startTestService();
	const sessionId = await createSession(service, folder);
	await service.messages.add(sessionId, {text: 'echo ran'});
	await whenIdle(service, sessionId);
	expect((await readAll(service, sessionId)).map(textOf)).toContain('ran\n');
	rmSync(join(git, 'HEAD'));
	execFileSync('mkfifo', [join(git, 'HEAD')], {timeout: 20_000});
	const {messageId} = await service.messages.add(sessionId, {text: 'while :; do sleep 1; done'});
	expect(await service.agentRequests.interrupt(sessionId)).toBe(true);
	await whenAnswer(service, sessionId, messageId, answer => textOf(answer).endsWith('[interrupted]'));
	await whenIdle(service, sessionId);
});
