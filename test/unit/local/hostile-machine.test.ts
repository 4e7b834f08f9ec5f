import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {openMachine} from '../../../src/account-files.ts';
import {ComputerUnreachableError} from '../../../src/api/errors.ts';
import type {Service} from '../../../src/api/service.ts';
import type {Computer} from '../../../src/domain/computers/computer.ts';
import {createRemoteMachine} from '../../../src/local/machines/remote-machine.ts';
import {eventually} from '../../support/eventually.ts';
import {isAlive} from '../../support/is-alive.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';
import {type Answer, machineStandIn, storeMachine} from '../../support/machine-stand-in.ts';
import {createSession, whenSettled} from '../../support/sessions.ts';

const script = join(import.meta.dirname, '../../support/hostile-machine.ts');

function create(service: Service, args: readonly string[], repos?: readonly string[]) {
	const host = {command: [process.execPath, script, ...args]};
	return service.computers.create({name: 'devbox', remoteUser: 'me', host, repos});
}

async function machine(service: Service, ...args: string[]) {
	return whenSettled(service, (await create(service, args)).id);
}

const failedStep = ({provisioningSteps = []}: Awaited<ReturnType<typeof machine>>) => {
	const {name, error} = provisioningSteps.find(({status}) => status === 'failed') ?? {};
	return [name, error];
};

test('what answers without being Quarterdeck fails the step', async () => {
	const {service} = await startTestService();
	const noise = await machine(service, 'noise');
	expect(failedStep(noise)).toEqual(['connect', expect.stringContaining("isn't Quarterdeck")]);
	// Nothing of this machine is said of the other.
	expect(noise).toMatchObject({hostname: '', remoteUser: ''});
	const silent = await machine(service, 'silent');
	expect(failedStep(silent)).toEqual(['start its service', expect.stringContaining("isn't Quarterdeck")]);
});

test('the steps of a machine include what its own service will do, even if it never does', async () => {
	const {service} = await startTestService();
	const named = ({provisioningSteps = []}: Computer) => provisioningSteps.slice(4).map(({name}) => name);
	const repos = ['https://git.example/app'];
	expect(named(await create(service, ['noise', 'clones'], repos))).toEqual([
		'check host',
		'create workspace',
		'clone app',
		'install dependencies',
		'ready',
	]);
	const created = await create(service, ['silent']);
	expect(named(created)).toEqual(['check host', 'check workspace', 'ready']);
	const {provisioningSteps = []} = await whenSettled(service, created.id);
	expect(provisioningSteps.slice(3).map(({status}) => status)).toEqual([
		'failed',
		'skipped',
		'skipped',
		'skipped',
	]);
});

test('a machine that describes its computer in other types is a computer of which nothing is known', async () => {
	const {service} = await startTestService();
	const {id} = await machine(service, 'types');
	const {status, folder, provisioningSteps} = await service.computers.get(id);
	expect({status, folder, steps: provisioningSteps?.length}).toEqual({
		status: undefined,
		folder: undefined,
		steps: 4,
	});
});

test('a machine answers for no session but its own', async () => {
	const {service} = await startTestService();
	const ours = await createSession(service);
	const first = await machine(service, 'ids');
	expect(first.status).toBe('active');
	const titleOf = async (id: string) => (await service.sessions.update(id, {})).title;
	const ownerOf = async (id: string) =>
		(await service.runningService.changes(0)).sessions.find(({sessionId}) => sessionId === id)?.computerId;
	await eventually(async () => expect(await ownerOf('mine')).toBe(first.id));

	const second = await machine(service, 'ids', ours, 'mine');
	await expect(service.sessions.create({computerId: second.id})).rejects.toThrow("isn't its own");
	await expect(service.sessions.update('mine', {}, {timeout: 900})).rejects.toThrow(
		'answered for another session',
	);
	expect(await titleOf(ours)).toBeUndefined();
	expect([await ownerOf('mine'), await ownerOf(ours)]).toEqual([
		first.id,
		expect.not.stringContaining(second.id),
	]);
});

test('a machine takes no session that hooks here told of', async () => {
	const stateFolder = temporaryFolder();
	const database = openMachine(stateFolder);
	onTestFinished(() => database.close());
	const signal = {
		client: 'claude',
		state: 'working',
		since: 1,
		lastEventAt: 1,
		lastEvent: 'Stop',
		background: 0,
	};
	database.events.putSignal({...signal, state: 'working', sessionId: 'here'});
	database.events.putSignal({
		...signal,
		state: 'working',
		sessionId: 'there',
		computer: {id: 'c', name: 'c'},
	});
	const folder = temporaryFolder();
	const asked = {isFromHook: true, kind: 'permission', text: 'x', options: [], createdAt: 1};
	const {command} = await machineStandIn(({method, url}) => {
		if (isChanges(url) && url.searchParams.get('after') !== '0') return undefined;
		if (isChanges(url)) return {cursor: 1, addedIds: ['here', 'there'], computerIds: [], sessions: []};
		if (method === 'POST') return {sessionId: 'here', computerId: 'there'};
		return {requests: ['here', 'other'].map(sessionId => ({...asked, id: `of-${sessionId}`, sessionId}))};
	});
	const computerId = storeMachine(folder, command);
	const hooks = {openMachine: async () => database, stateFolder};
	const {service} = await startTestService({folder, hooks});
	await eventually(async () => expect((await service.runningService.changes(0)).addedIds).toEqual(['there']));
	await expect(service.sessions.create({computerId})).rejects.toThrow("isn't its own");
	expect((await service.agentRequests.list()).map(({id}) => id)).toEqual(['of-other']);
	// It named this one before hooks here did.
	database.events.putSignal({...signal, state: 'working', sessionId: 'there'});
	for (const id of ['here', 'there'])
		await expect(service.sessions.update(id, {})).rejects.toMatchObject({status: 404});
});

test('an endless answer, and one that is cut off, fail that request alone', async () => {
	const {service} = await startTestService();
	const ours = await createSession(service);
	for (const behavior of ['flood', 'goaway']) {
		const {id} = await machine(service, behavior);
		const {sessionId} = await service.sessions.create({computerId: id});
		const reading = service.messages.list(sessionId, {});
		await expect(reading).rejects.toBeInstanceOf(ComputerUnreachableError);
		// Not sent if the connection is lost by then, else cut off.
		await expect(service.messages.add(sessionId, {text: 'x'})).rejects.toThrow('devbox');
		await service.computers.forget(id, false);
		expect((await service.messages.list(ours, {})).items).toEqual([]);
	}
});

/** The service with a machine that answers so. */
async function serviceWith(answer: Answer): Promise<Service> {
	const folder = temporaryFolder();
	storeMachine(folder, (await machineStandIn(answer)).command);
	return (await startTestService({folder})).service;
}

const isChanges = (url: URL) => url.pathname.endsWith('/changes');

test('an answer that takes many times its size to read, is over 1 MiB or lists without end is cut', async () => {
	let deep: unknown = {};
	for (let depth = 0; depth < 600; depth++) deep = [deep];
	const answers = [
		{cursor: 1, addedIds: ['deep'], sessions: deep},
		{cursor: 1, addedIds: ['long'], sessions: 'x'.repeat(1024 * 1024)},
		{cursor: 1, addedIds: Array.from({length: 5000}, (_, index) => `s-${index}`)},
	];
	const service = await serviceWith(({url}) => (isChanges(url) ? answers.shift() : {}));
	const ids: string[] = [];
	for (let cursor = 0; ids.length < 1000; ) {
		const changes = await service.runningService.changes(cursor);
		ids.push(...changes.addedIds);
		({cursor} = changes);
	}
	expect(ids).toEqual(Array.from({length: 1000}, (_, index) => `s-${index}`));
});

test('the requests of a machine leave room for those of others', async () => {
	const request = {sessionId: 's', text: 'x'.repeat(128 * 1024), isFromHook: true};
	const requests = Array.from({length: 12}, (_, index) => ({...request, id: `r-${index}`}));
	const service = await serviceWith(({url}) => (isChanges(url) ? undefined : {requests}));
	await eventually(async () => expect(await service.agentRequests.list()).toHaveLength(7));
});

test('a machine whose service is silent is unreachable before this one seems to be', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	onTestFinished(() => void vi.useRealTimers());
	const {promise: isAsked, resolve: onAsked} = Promise.withResolvers<void>();
	const service = await serviceWith(({method, url}) => {
		if (isChanges(url)) return {cursor: 1, addedIds: ['s'], computerIds: [], sessions: []};
		if (method === 'PATCH') onAsked();
		return undefined;
	});
	const added = async () => (await service.runningService.changes(0)).addedIds;
	for (let isKnown = false; !isKnown; ) isKnown = (await added()).includes('s');
	const silent = service.sessions.update('s', {});
	await isAsked;
	vi.advanceTimersByTime(20_000);
	await expect(silent).rejects.toBeInstanceOf(ComputerUnreachableError);
});

test('a script that does not end is ended, and so is what is no bridge', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	const closing = new AbortController();
	onTestFinished(() => {
		vi.useRealTimers();
		closing.abort();
	});
	const pids = join(temporaryFolder(), 'pids');
	const machine = createRemoteMachine(
		{command: [process.execPath, script, 'hangs', pids]},
		{controlPath: undefined, closing: closing.signal, onUp() {}, onOutage() {}},
	);
	const connecting = machine.link.connect();
	const started = () => readFileSync(pids, {encoding: 'utf8', flag: 'a+'}).trim().split('\n').map(Number);
	while (started().length < 2) await new Promise(setImmediate);
	vi.advanceTimersByTime(30_000);
	vi.useRealTimers();
	await expect(connecting).rejects.toThrow('no end within 30 s');
	await eventually(() => expect(started().filter(isAlive)).toEqual([]));
});
