import {mkdirSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {eventually} from '../../support/eventually.ts';
import {createRepository} from '../../support/git-repository.ts';
import {sharedTestServices} from '../../support/local-service.ts';
import {createReadyComputer} from '../../support/sessions.ts';

const shared = sharedTestServices();

test('a session has the branch and changed lines of its folder, updated after a turn', async () => {
	const {service} = await shared();
	const folder = realpathSync(createRepository({'a.txt': 'one\n'}).folder);
	const computerId = await createReadyComputer(service);
	const {sessionId} = await service.sessions.create({computerId, cwd: folder});
	await eventually(async () => {
		const {workFolder} = await service.sessions.update(sessionId, {});
		expect(workFolder).toEqual({
			folder,
			repository: join(folder, '.git'),
			branch: 'main',
			added: 0,
			removed: 0,
		});
	});
	const text = 'printf "two\\nthree\\n" > a.txt; git checkout -q -b other';
	await service.messages.add(sessionId, {text});
	await eventually(async () => {
		const {status, workFolder} = await service.sessions.update(sessionId, {});
		if (status !== 'idle') throw new Error('at work');
		expect(workFolder).toEqual({
			folder,
			branch: 'other',
			added: 2,
			removed: 1,
			repository: join(folder, '.git'),
			paths: ['a.txt'],
		});
	});
	rmSync(join(folder, '.git'), {recursive: true});
	await eventually(async () =>
		expect((await service.sessions.update(sessionId, {})).workFolder).toBeUndefined(),
	);
});

test('a running turn keeps the summary from before it', async () => {
	const {service} = await shared();
	const folder = realpathSync(createRepository({'a.txt': 'one\n'}).folder);
	const computerId = await createReadyComputer(service);
	const {sessionId} = await service.sessions.create({computerId, cwd: folder});
	await service.messages.add(sessionId, {text: 'echo more >> a.txt; while [ ! -e go ]; do sleep 0.05; done'});
	await eventually(async () => {
		const {status, workFolder} = await service.sessions.update(sessionId, {});
		if (status !== 'running') throw new Error('not at work');
		expect(workFolder).toEqual({
			folder,
			repository: join(folder, '.git'),
			branch: 'main',
			added: 0,
			removed: 0,
		});
	});
	writeFileSync(join(folder, 'go'), '');
	await eventually(async () => {
		const {status, workFolder} = await service.sessions.update(sessionId, {});
		if (status !== 'idle') throw new Error('at work');
		expect(workFolder).toMatchObject({added: 1, removed: 0, paths: ['a.txt', 'go']});
	});
});

test('a summary read for one session counts for all in the folder, even one at work', async () => {
	const {service} = await shared();
	const folder = realpathSync(createRepository({'a.txt': 'one\n'}).folder);
	mkdirSync(join(folder, 'src'));
	const computerId = await createReadyComputer(service);
	const {sessionId} = await service.sessions.create({computerId, cwd: join(folder, 'src')});
	const other = await service.sessions.create({computerId, cwd: folder});
	await service.messages.add(sessionId, {text: 'while [ ! -e go ]; do sleep 0.05; done; rm go'});
	const summary = async () => {
		const {status, workFolder} = await service.sessions.update(sessionId, {});
		if (status !== 'running') throw new Error('not at work');
		return workFolder;
	};
	await eventually(async () => expect(await summary()).toMatchObject({folder, added: 0}));
	writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
	const {id = ''} = await service.workFolders.diff(other.sessionId);
	expect(await summary()).toMatchObject({added: 1, removed: 0});
	await service.workFolders.commit(other.sessionId, {diffId: id, message: 'two'});
	await service.sessions.update(other.sessionId, {});
	await eventually(async () => expect(await summary()).toMatchObject({added: 0, removed: 0}));
	writeFileSync(join(folder, 'src/go'), '');
});
