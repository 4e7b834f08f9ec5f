import {expect, onTestFinished, test, vi} from 'vitest';
import {NotFoundError} from '../../../src/api/errors.ts';
import {systemClock} from '../../../src/domain/clock.ts';
import {noOption, onceOption} from '../../../src/domain/sessions/agent-request.ts';
import type {HookEvent} from '../../../src/domain/sessions/signal.ts';
import {startHookReceiver} from '../../../src/hook-listeners/hook-receiver.ts';
import {eventually} from '../../support/eventually.ts';
import {hookEvent} from '../../support/hook-event.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';
import {machineStandIn, storeMachine} from '../../support/machine-stand-in.ts';
import {createReadyComputer} from '../../support/sessions.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

test('hook events of a machine are handed to programs here until one has stored them', async () => {
	// Programs of other tests listen elsewhere.
	const {env} = temporaryHookFolders();
	for (const name of ['XDG_RUNTIME_DIR', 'TMPDIR']) vi.stubEnv(name, env[name]);
	onTestFinished(() => void vi.unstubAllEnvs());
	const hour = 3_600_000;
	const startedAt = Date.now();
	const folder = temporaryFolder();
	const asked: (string | null)[] = [];
	const event = (id: string, more: object = {}) => ({
		...hookEvent({id, ts: Date.now() - hour, data: {session_id: 's', transcript_path: '/etc/passwd'}}),
		...more,
	});
	const machine = await machineStandIn(({url}) => {
		if (!url.pathname.endsWith('/changes')) return undefined;
		const after = url.searchParams.get('hooksAfter');
		asked.push(after);
		// While events wait for a program here, nobody follows those there.
		if (after === null) return {cursor: 1};
		if (after !== '0') return undefined;
		const forged = event('machine-forged', {computer: {id: 'c', name: 'this machine', ts: 1}});
		return {
			cursor: 1,
			// Its clock is an hour behind.
			now: Date.now() - hour,
			addedIds: ['s'],
			sessions: [{sessionId: 's', updatedAt: Date.now() - hour}],
			hooks: {position: 7, events: [event('machine-first'), forged, {id: 1}, event('machine-last')]},
		};
	});
	const id = storeMachine(folder, machine.command);
	const given: HookEvent[] = [];
	let failures = 1;
	const receiver = await startHookReceiver({
		clock: systemClock,
		onEvents(events) {
			if (failures-- > 0) throw new Error('the disk is full');
			given.push(...events.filter(({computer}) => computer?.id === id));
		},
		onProblem() {},
	});
	onTestFinished(() => receiver.close());
	const {service} = await startTestService({folder});
	await eventually(() => expect(asked).toEqual(['0', null, '7']));
	const {sessions} = await service.runningService.changes(0);
	expect(sessions[0]?.updatedAt).toBeGreaterThan(startedAt - hour / 2);
	const names = new Set(given.map(one => one.id));
	expect([...names].sort()).toEqual(['machine-first', 'machine-last']);
	for (const {data, ts, agentPid, computer} of given) {
		expect(data).toEqual({session_id: 's'});
		expect([agentPid, computer?.name]).toEqual([0, 'devbox']);
		expect(ts).toBeGreaterThan(startedAt - hour / 2);
	}
});

test('an answer from before this machine slept says nothing of the clock there', async () => {
	const folder = temporaryFolder();
	const hour = 3_600_000;
	const startedAt = Date.now();
	const now = vi.spyOn(Date, 'now');
	onTestFinished(() => now.mockRestore());
	const machine = await machineStandIn(({url}) => {
		if (url.searchParams.get('after') !== '0') return undefined;
		now.mockReturnValue(startedAt + hour);
		return {cursor: 1, now: startedAt, addedIds: ['s'], sessions: [{sessionId: 's', updatedAt: startedAt}]};
	});
	storeMachine(folder, machine.command);
	const {service} = await startTestService({folder});
	await eventually(async () =>
		expect((await service.runningService.changes(0)).sessions).toMatchObject([{updatedAt: startedAt}]),
	);
});

test('a machine has one computer', async () => {
	const folder = temporaryFolder();
	const {command} = await machineStandIn(() => undefined);
	const id = storeMachine(folder, command);
	const {service} = await startTestService({folder});
	const draft = {name: 'again', remoteUser: 'me', host: {command}};
	await expect(service.computers.create(draft)).rejects.toThrow(`the computer devbox already (${id})`);
	await service.computers.forget(id, false);
	expect(await service.computers.create(draft)).toMatchObject({host: {command}});
});

test('a machine with an older service says that it is updated when idle', async () => {
	const folder = temporaryFolder();
	const machine = await machineStandIn(({url}) => {
		if (url.pathname.endsWith('/service')) return {endsWhenIdle: true};
		return url.pathname.includes('/computers/') ? {id: 'there', status: 'active'} : undefined;
	});
	const id = storeMachine(folder, machine.command);
	const {service} = await startTestService({folder});
	await eventually(async () =>
		expect(await service.computers.get(id)).toMatchObject({status: 'active', updatesWhenIdle: true}),
	);
});

test('permission requests of clients on a machine are listed and answered there', async () => {
	const folder = temporaryFolder();
	let ownId = '';
	const request = (sessionId: string) => ({
		...{id: `asks-${sessionId}`, sessionId, kind: 'permission', isFromHook: true, agentPid: 7},
		...{text: 'touch x', options: [onceOption, noOption]},
	});
	const posts: unknown[] = [];
	const machine = await machineStandIn(({method, url, body}) => {
		if (method === 'POST') posts.push([url.pathname, body]);
		if (method === 'POST') return {...request('outside'), answer: 'no'};
		return url.pathname.endsWith('/requests') ? {requests: [request('outside'), request(ownId)]} : undefined;
	});
	storeMachine(folder, machine.command);
	const {service} = await startTestService({folder});
	ownId = (await service.sessions.create({computerId: await createReadyComputer(service)})).sessionId;
	const {list, answer} = service.agentRequests;
	await eventually(async () => expect((await list()).map(({id}) => id)).toEqual(['asks-outside']));
	const [listed] = await list('outside');
	expect(listed).toMatchObject({computer: 'devbox', text: 'touch x'});
	// Those of hooks are answered by programs on their own machine.
	expect(listed).not.toHaveProperty('isFromHook');
	expect(await list(ownId)).toEqual([]);

	const answered = await answer('outside', 'asks-outside', {option: 'no', words: 'not now'});
	expect(answered).toMatchObject({answer: 'no', computer: 'devbox'});
	const path = '/quarterdeck/v0/sessions/outside/requests/asks-outside';
	expect(posts).toEqual([[path, {option: 'no', words: 'not now'}]]);
	await expect(answer(ownId, `asks-${ownId}`, {option: 'once'})).rejects.toBeInstanceOf(NotFoundError);
	expect(posts).toHaveLength(1);
});

test('the changes of a machine are followed on when one request for them breaks off', async () => {
	const folder = temporaryFolder();
	let isBroken = true;
	const machine = await machineStandIn(({url}) => {
		if (!url.pathname.endsWith('/changes')) return {};
		if (isBroken) {
			isBroken = false;
			return null;
		}
		const isTold = url.searchParams.get('after') === '1';
		return isTold ? undefined : {cursor: 1, addedIds: ['s'], computerIds: [], sessions: [{sessionId: 's'}]};
	});
	storeMachine(folder, machine.command);
	const {service} = await startTestService({folder});
	await eventually(async () => expect((await service.runningService.changes(0)).addedIds).toContain('s'));
});

test('sessions are told with their addition, though their changes fill more than one answer', async () => {
	const folder = temporaryFolder();
	const ids = Array.from({length: 150}, (_, index) => `s-${index}`);
	const machine = await machineStandIn(({url}) => {
		if (!url.pathname.endsWith('/changes')) return {};
		if (url.searchParams.get('after') !== '0') return undefined;
		const sessions = ids.map(sessionId => ({sessionId, title: 'told'}));
		return {cursor: 1, addedIds: ids, computerIds: [], sessions};
	});
	storeMachine(folder, machine.command);
	const {service} = await startTestService({folder});
	await eventually(async () => {
		const {addedIds, sessions} = await service.runningService.changes(0);
		expect(addedIds).toEqual(ids);
		expect(sessions.map(({sessionId}) => sessionId)).toEqual(expect.arrayContaining(ids));
	});
});
