import {existsSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from 'vitest';
import type {Computer} from '../../../src/domain/computers/computer.ts';
import {installStep, stepState} from '../../../src/domain/computers/provisioning.ts';
import {eventually} from '../../support/eventually.ts';
import {createRepository, packageFiles} from '../../support/git-repository.ts';
import {sharedTestServices, startTestService, temporaryFolder} from '../../support/local-service.ts';
import {scriptAgent} from '../../support/replayed-agents.ts';
import {readAll, textOf, whenSettled} from '../../support/sessions.ts';

const shared = sharedTestServices();

const statesOf = (computer: Computer) =>
	computer.provisioningSteps?.map(step => `${step.name}: ${stepState(step).state}`);

test('a computer clones a repository, installs its dependencies and comes up', async () => {
	const {service, folder} = await shared();
	const {url} = createRepository(packageFiles());

	const created = await service.computers.create({
		name: 'box',
		remoteUser: 'me',
		repos: [url],
		autoInstallDeps: true,
	});
	expect(created).toMatchObject({
		name: 'box',
		remoteUser: 'me',
		providerType: 'byom',
		status: 'provisioning',
	});

	const computer = await whenSettled(service, created.id);
	expect(statesOf(computer)).toEqual([
		'check host: done',
		'create workspace: done',
		'clone project: done',
		'install dependencies: done',
		'ready: done',
	]);
	expect(computer.status).toBe('active');
	expect(existsSync(join(folder, 'computers', computer.id, 'workspace/project/node_modules/dep'))).toBe(true);
	for (const {startedAt, completedAt} of computer.provisioningSteps ?? [])
		expect(Number(completedAt)).toBeGreaterThanOrEqual(Number(startedAt));

	const sessionId = installStep(computer)?.installSessionId ?? '';
	const output = await eventually(async () => {
		const [message] = await readAll(service, sessionId);
		expect(textOf(message)).toContain('added');
		return message;
	});
	expect(textOf(output)).toMatch(/^project \$ npm ci/);
	expect(output?.isOutput).toBe(true);
});

test('a failed clone shows what git said, and the remaining steps are skipped', async () => {
	const {service} = await shared();
	const missing = pathToFileURL(join(temporaryFolder(), 'nowhere')).href;
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me', repos: [missing]});

	const computer = await whenSettled(service, id);
	expect(computer.status).toBe('error');
	expect(statesOf(computer)).toEqual([
		'check host: done',
		'create workspace: done',
		'clone nowhere: failed',
		'install dependencies: skipped',
		'ready: skipped',
	]);
	expect(computer.provisioningSteps?.[2]?.error).toMatch(/fatal: .*nowhere.* does not (exist|appear)/s);
	await expect(service.computers.installDeps(id)).rejects.toThrow(/could not be cloned/);
});

test('an install that a restart interrupted runs again and completes', async () => {
	const folder = temporaryFolder();
	const gate = join(temporaryFolder(), 'gate');
	scriptAgent('npm', `echo waiting; while [ ! -e ${gate} ]; do sleep 0.05; done`);
	const {url} = createRepository(packageFiles());

	const first = await startTestService({folder});
	const {id} = await first.service.computers.create({
		name: 'box',
		remoteUser: 'me',
		repos: [url],
		autoInstallDeps: true,
	});
	await eventually(async () => {
		const step = installStep(await first.service.computers.get(id));
		expect(step && stepState(step).state).toBe('running');
	});
	await first.close();

	writeFileSync(gate, '');
	const second = await startTestService({folder});
	const computer = await whenSettled(second.service, id);
	expect(computer.status).toBe('active');
	expect(statesOf(computer)?.at(-2)).toBe('install dependencies: done');
	const said = await readAll(second.service, installStep(computer)?.installSessionId ?? '');
	expect(said.map(textOf).join('\n')).toContain('[interrupted: the service was stopped]');
});

test('a failed install leaves the computer active and can be run again', async () => {
	const {service, folder} = await shared();
	const files = packageFiles();
	const {url} = createRepository({
		...files,
		'package-lock.json': '{"lockfileVersion": 3, "packages": {"": {}}}',
	});
	const {id} = await service.computers.create({
		name: 'b',
		remoteUser: 'me',
		repos: [url],
		autoInstallDeps: true,
	});

	const failed = await whenSettled(service, id);
	expect(failed.status).toBe('active');
	const step = installStep(failed);
	expect(step && stepState(step).state).toBe('failed');
	expect(step?.error).toMatch(/npm error .*package\.json/s);

	writeFileSync(
		join(folder, 'computers', id, 'workspace/project/package-lock.json'),
		files['package-lock.json'] ?? '',
	);
	const accepted = await service.computers.installDeps(id);
	const again = installStep(accepted);
	expect(again && stepState(again).state).toBe('running');
	expect(accepted.status).toBe('active');

	const repaired = installStep(await whenSettled(service, id));
	expect(repaired && stepState(repaired).state).toBe('done');
	expect(repaired).not.toHaveProperty('error');
	expect(repaired?.installSessionId).toBe(step?.installSessionId);
});

test('dependencies that were not asked for can be installed later; without a lock file, there are none', async () => {
	const {service} = await shared();
	const {url} = createRepository({'README.md': 'hello\n'});
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me', repos: [url]});
	expect(statesOf(await whenSettled(service, id))).toContain('install dependencies: skipped');
	await service.computers.installDeps(id);
	const step = installStep(await whenSettled(service, id));
	expect(step && stepState(step).state).toBe('done');
	const [message] = await readAll(service, step?.installSessionId ?? '');
	expect(textOf(message)).toBe('project: nothing to install (no lock file)\n');
});

test('provisions this machine by itself, once', async () => {
	const folder = temporaryFolder();
	const find = async () => {
		const {local, service, close} = await startTestService({folder, provisionsThisMachine: true});
		const {DatabaseSync} = await import('node:sqlite');
		const database = new DatabaseSync(join(folder, 'service.sqlite'), {readOnly: true});
		const ids = database.prepare('SELECT id FROM computers').all();
		database.close();
		return {local, service, close, ids: ids.map(({id}) => String(id))};
	};
	const {service, close, ids} = await find();
	expect(ids).toHaveLength(1);
	const computer = await whenSettled(service, ids[0] ?? '');
	expect(statesOf(computer)).toEqual(['check host: done', 'check workspace: done', 'ready: done']);
	expect(computer.status).toBe('active');
	await close();
	expect((await find()).ids).toEqual(ids);
});

test('a message to a workspace that is gone gets an error that says so', async () => {
	const {service, folder} = await shared();
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	await whenSettled(service, id);
	const {sessionId} = await service.sessions.create({computerId: id});
	rmSync(join(folder, 'computers', id), {recursive: true});
	await service.messages.add(sessionId, {text: 'ls'});
	await eventually(async () => {
		const answer = (await readAll(service, sessionId)).at(-1);
		expect(answer?.isError).toBe(true);
		expect(textOf(answer)).toContain('[not run: there is no folder');
	});
});
