import {randomUUID} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findAgent} from '../../../src/local/agents/agents.ts';
import {createSave} from '../../../src/local/background-work.ts';
import type {BackgroundContext} from '../../../src/local/context.ts';
import {createHookEvents} from '../../../src/local/machines/hook-events.ts';
import {createMachines} from '../../../src/local/machines/machines.ts';
import {createProcessGroups} from '../../../src/local/processes/process-group.ts';
import {createProvisioner} from '../../../src/local/provisioning/provisioner.ts';
import {planThisMachine} from '../../../src/local/provisioning/provisioning.ts';
import {doStep} from '../../../src/local/provisioning/step-work.ts';
import {openStorage, type Storage} from '../../../src/local/storage/open-storage.ts';
import {createConversations} from '../../../src/local/turns/conversations.ts';
import {createTurns} from '../../../src/local/turns/turns.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const isWrite = /^(?:add|update|set|claim|release|take|transaction)/;

/** A storage on a disk that is full when a test says so: then writes fail, and reads work. */
function fillableStorage(folder: string) {
	const real = openStorage(folder);
	const disk = {isFull: false, failures: 0};
	const fillable = <T extends object>(target: T): T =>
		new Proxy(target, {
			get(_, name) {
				const value: unknown = Reflect.get(target, name);
				if (typeof value === 'object' && value !== null) return fillable(value);
				return (...values: unknown[]) => {
					if (disk.isFull && isWrite.test(String(name))) {
						disk.failures++;
						throw Object.assign(new Error('full'), {code: 'ERR_SQLITE_ERROR', errcode: 13});
					}
					return (value as (...values: unknown[]) => unknown)(...values);
				};
			},
		});
	const storage: Storage = fillable({...real});
	return {storage, disk};
}

/** The parts of an embedded service that work in the background. */
function background() {
	const folder = temporaryFolder();
	const {storage, disk} = fillableStorage(folder);
	const groups = createProcessGroups(folder);
	const closing = new AbortController();
	const save = createSave(closing.signal);
	const context: BackgroundContext = {
		folder,
		storage,
		save,
		groups,
		agent: findAgent('shell'),
		findAgent,
		doStep,
		closing: closing.signal,
	};
	const conversations = createConversations(context, 1000);
	const turns = createTurns(context, conversations);
	const hookEvents = createHookEvents(undefined, closing.signal);
	const provisioner = createProvisioner(context, createMachines(context, hookEvents), turns);
	const close = async () => {
		closing.abort();
		conversations.close();
		await groups.close();
		await Promise.all([turns.settled(), provisioner.settled()]);
		storage.close();
	};
	onTestFinished(close);
	const [computerId, sessionId] = [randomUUID(), randomUUID()];
	storage.transaction(() =>
		storage.computers.add(
			{id: computerId, name: 'box', remoteUser: 'me', workspace: folder},
			planThisMachine(),
		),
	);
	return {
		folder,
		storage,
		disk,
		computerId,
		provision: () => provisioner.start(computerId),
		addSession() {
			storage.computers.update(computerId, {status: 'active'});
			storage.sessions.add({id: sessionId, computerId, cwd: folder, settings: {}, isInstall: false});
		},
		add: (text: string) =>
			storage.messages.add({id: randomUUID(), sessionId, role: 'user', text, isWaiting: true}),
		wake: () => turns.wake(sessionId),
		status: () => storage.sessions.get(sessionId)?.status,
		answers: () =>
			storage.messages
				.newest(sessionId, {role: 'assistant', limit: 9})
				.toReversed()
				.map(({text}) => text.trim()),
	};
}

test('the answer of a command that ended on a full disk is saved once there is room', async () => {
	const service = background();
	service.addSession();
	service.add('until [ -e go ]; do sleep 0.05; done; echo first');
	service.wake();
	service.disk.isFull = true;
	writeFileSync(join(service.folder, 'go'), '');
	// The first output, and the end.
	await eventually(() => expect(service.disk.failures).toBeGreaterThanOrEqual(2));
	expect(service.status()).toBe('running');
	service.disk.isFull = false;
	await eventually(() => expect(service.status()).toBe('idle'));
	service.add('echo second');
	service.wake();
	await eventually(() => expect(service.answers()).toEqual(['first', 'second']));
});

test('a message whose turn could not be claimed on a full disk is run once there is room', async () => {
	const service = background();
	service.addSession();
	service.add('echo first');
	service.disk.isFull = true;
	service.wake();
	expect(service.disk.failures).toBe(1);
	service.disk.isFull = false;
	await eventually(() => expect(service.answers()).toEqual(['first']));
	await eventually(() => expect(service.status()).toBe('idle'));
});

test('a computer whose steps ran on a full disk is ready once there is room', async () => {
	const service = background();
	service.provision();
	service.disk.isFull = true;
	await eventually(() => expect(service.disk.failures).toBeGreaterThanOrEqual(1));
	service.disk.isFull = false;
	const computer = () => service.storage.computers.get(service.computerId);
	await eventually(() => expect(computer()).toMatchObject({status: 'active'}));
});

test('a computer that waits for room is started once, however often it is read', async () => {
	const service = background();
	service.disk.isFull = true;
	for (let read = 0; read < 3; read++) service.provision();
	expect(service.disk.failures).toBe(1);
	service.disk.isFull = false;
	await eventually(() =>
		expect(service.storage.computers.get(service.computerId)).toMatchObject({status: 'active'}),
	);
});
