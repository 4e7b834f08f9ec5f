import {expect, test} from 'vitest';
import {answerRequest} from '../../../src/actions/agent-requests.ts';
import {createComputer, retryInstall, updateComputer} from '../../../src/actions/computers.ts';
import {refresh} from '../../../src/actions/context.ts';
import {copyText} from '../../../src/actions/copy-text.ts';
import {requestComputer} from '../../../src/actions/fleet.ts';
import {connectMachine, forgetMachine, forgottenWith} from '../../../src/actions/machines.ts';
import {discardMessage, resendMessage, saveDraft, sendMessage} from '../../../src/actions/messages.ts';
import {addSession, createSession} from '../../../src/actions/sessions.ts';
import {continueNow} from '../../../src/actions/several-sessions.ts';
import {LostResponseError, RejectedError} from '../../../src/api/errors.ts';
import type {Service} from '../../../src/api/service.ts';
import {deliver, newOutboxItem, type OutboxItem} from '../../../src/domain/messages/delivery.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownComputer, knownSession} from '../../support/fleet.ts';

const draft = {name: 'gpu', remoteUser: 'dev'};

function setup(
	service: {computers?: Partial<Service['computers']>; sessions?: Partial<Service['sessions']>} = {},
) {
	const parts = appParts(fakeClock(), {service: service as Service});
	const notices = () => parts.stores.notices.getState().list.map(notice => `${notice.tone}: ${notice.text}`);
	return {...parts, notices};
}

test('remembers a created computer and says that it is being provisioned', async () => {
	const {actions, calls, notices} = setup({computers: {create: async sent => ({id: 'c1', name: sent.name})}});
	expect(await createComputer(actions, draft)).toEqual({isDone: true, value: {id: 'c1', name: 'gpu'}});
	expect(calls).toEqual(['rememberComputer {"id":"c1","name":"gpu"} created']);
	expect(notices()).toEqual(['good: gpu is being provisioned']);
});

test('says that a computer may exist if the response to its creation was lost', async () => {
	const lost = new LostResponseError('No answer came.', {hint: 'Try again.'});
	const {actions, notices} = setup({computers: {create: () => Promise.reject(lost)}});
	expect(await createComputer(actions, draft)).toMatchObject({
		isDone: false,
		hint: expect.stringContaining('may exist'),
	});
	expect(notices()[0]).toMatch(/^bad: No answer came. The computer may exist anyway/);
});

test('a refused creation says what to do, and not that the session may exist', async () => {
	const refused = new RejectedError('The name is taken.', {hint: 'Choose another.', status: 409});
	const {actions, notices} = setup({sessions: {create: () => Promise.reject(refused)}});
	expect((await createSession(actions, {computerId: 'c'}, 'Started')).isDone).toBe(false);
	expect(notices()).toEqual(['bad: The name is taken. Choose another.']);
});

test('rethrows a bug instead of showing it as a notice', async () => {
	const {actions} = setup({computers: {create: () => Promise.reject(new TypeError('x is undefined'))}});
	await expect(createComputer(actions, draft)).rejects.toThrow(TypeError);
});

test.each([
	['/srv', undefined, '/srv'],
	// The service says where `~` is.
	['~/shop', '/home/me/shop', '/home/me/shop'],
])('a session created in %s, in the response %s, is in %s', async (asked, cwd, kept) => {
	const {actions, calls} = setup({sessions: {create: async () => ({sessionId: 's1', status: 'idle', cwd})}});
	await createSession(actions, {computerId: 'c1', cwd: asked}, 'Started');
	expect(calls).toContain(`addSession s1 created {"computerId":"c1","cwd":"${kept}"}`);
});

test.each([
	['it is there', 'active', undefined],
	['it fails anew', 'error', 'refused; the next try is at 12:00:08.'],
])('says that a machine is being connected until %s', async (_, status, error) => {
	const step = {name: 'connect', status: 'failed', error: 'refused; trying again now.'};
	const tried = {id: 'c', status: 'error', provisioningSteps: [step]};
	const {actions, stores} = setup({computers: {connect: async () => tried}});
	stores.fleet.setState(fleet([], [knownComputer('c', tried)]));
	await connectMachine(actions, 'c');
	const [notice] = stores.notices.getState().list;
	expect(notice).toMatchObject({text: 'Connecting again'});
	expect(notice?.isCurrent?.()).toBe(true);
	const provisioningSteps = error === undefined ? [] : [{...step, error}];
	stores.fleet.setState(fleet([], [knownComputer('c', {status, provisioningSteps})]));
	expect(notice?.isCurrent?.()).toBe(false);
});

test("doesn't request the install while it runs", async () => {
	const {actions, stores, notices} = setup();
	const steps = [{name: 'install dependencies', status: 'running', startedAt: 1}];
	stores.fleet.setState(fleet([], [knownComputer('c', {provisioningSteps: steps})]));
	expect((await retryInstall(actions, 'c')).isDone).toBe(false);
	expect(notices()).toEqual(['info: The dependency install is running.']);
});

test('forgetting another machine takes its sessions and their unsent messages along, and says so before', async () => {
	const {actions, stores, calls} = setup({computers: {forget: async () => {}}});
	const sessions = [knownSession('s', {computerId: 'c'}), knownSession('other')];
	stores.fleet.setState(fleet(sessions, [knownComputer('c')]));
	const item = (id: string) => newOutboxItem(id, {text: 'hi'}, {accountId: undefined, createdAt: 1});
	const unsent = item('s');
	stores.outbox.setState({
		bySession: new Map([
			['s', [unsent, deliver(item('s'), {type: 'accepted', messageId: 'm'})]],
			['other', [item('other')]],
		]),
	});
	expect(forgottenWith(actions, 'c').words).toBe(
		' Its session leaves your lists. 1 unsent message is deleted.',
	);
	await forgetMachine(actions, 'c');
	expect(calls).toEqual([`discard ${unsent.id}`, 'forgetSession s', 'forgetComputer c']);
});

test('neither resends nor discards a message that was delivered in the meantime', () => {
	const {actions, stores, calls, notices} = setup();
	const item = newOutboxItem('s', {text: 'hi'}, {accountId: undefined, createdAt: 1});
	const delivered = deliver(item, {type: 'accepted', messageId: 'm'});
	stores.outbox.setState({bySession: new Map([['s', [delivered]]])});
	resendMessage(actions, delivered);
	expect(discardMessage(actions, item.id)).toBeUndefined();
	expect(discardMessage(actions, 'gone')).toBeUndefined();
	expect(calls).toEqual([]);
	expect(notices()).toEqual([
		'info: The message was already delivered',
		'info: The message was already delivered',
		'info: The message is no longer in the outbox',
	]);
});

test('keeps the draft of a message that the outbox has not taken', () => {
	const {actions, kept, notices} = setup();
	const text = {text: 'hi', images: [], files: []};
	saveDraft(actions, 's', text, undefined);
	const {outbox} = actions.engine;
	const {enqueue} = outbox;
	outbox.enqueue = () => expect.fail('disk full');
	expect(sendMessage(actions, 's', text)).toBeUndefined();
	outbox.enqueue = enqueue;
	expect(notices()).toEqual([expect.stringContaining('disk full')]);
	expect(kept.get('s')?.text).toBe('hi');
	expect(sendMessage(actions, 's', text)).toMatchObject({text: 'hi'});
});

test("removes an empty draft, and reports one that can't be saved", () => {
	const {actions, kept, notices} = setup();
	const text = {text: 'hi', images: [], files: []};
	const saved = saveDraft(actions, 's', text, undefined);
	expect(saveDraft(actions, 's', {...text, text: ''}, saved?.revision)).toEqual({});
	expect(kept.size).toBe(0);
	const full = {...actions.drafts, put: () => expect.fail('disk full')};
	expect(saveDraft({...actions, drafts: full}, 's', text, undefined)).toBeUndefined();
	expect(notices()[0]).toMatch(/^bad: The draft could not be saved/);
});

test('refresh resumes requests after a refused key', () => {
	const {actions, stores, calls} = setup();
	refresh(actions, 's');
	stores.connection.setState({state: 'unauthorized'});
	refresh(actions);
	expect(calls).toEqual(['refresh s', 'resume', 'refresh']);
});

test('copying says what it copied, how much and how; adding a session needs an id', async () => {
	const {actions, calls, notices} = setup();
	await copyText(actions, 'words', 'the message');
	await copyText(actions, '');
	expect(calls).toEqual(['copy words']);
	expect(notices()).toEqual([
		'good: Copied the message, 5 characters, with the terminal (OSC 52)',
		'info: There is no text to copy',
	]);
	expect(await addSession(actions, '  ')).toMatchObject({isDone: false, field: 'id'});
});

test('a known computer keeps its id and its single row, whatever id the service returns', async () => {
	const answered = {id: 'canonical', name: 'box'};
	const {actions, stores, calls} = setup({
		computers: {update: async () => answered, installDeps: async () => answered},
	});
	stores.fleet.setState(fleet([], [knownComputer('c', {status: 'active'})]));
	await updateComputer(actions, 'c', {name: 'box'});
	await requestComputer(actions, computers => computers.installDeps('c'), 'c');
	expect(calls).toEqual(Array(2).fill('rememberComputer {"id":"c","name":"box"} added'));
});

test.each([
	[true, 'Plan approved'],
	[false, 'Allowed once'],
])('an allowed request (plan: %s) is told as %j', async (isPlan, told) => {
	const {actions, notices} = setup();
	actions.engine.hooks.answerRequest = async () => true;
	const options = [{word: 'once', label: 'allow once', allows: true}];
	const request = {id: 'r', sessionId: 's', kind: 'permission', isFromHook: true, isPlan, options};
	await answerRequest(actions, request, {option: 'once'});
	expect(notices()).toEqual([`good: ${told}`]);
});

test('the notice that a session continues ends once its message is delivered', () => {
	const {actions, stores} = setup();
	continueNow(actions, [{id: 's', words: 'continue'}], []);
	const [notice] = stores.notices.getState().list;
	const put = (state: OutboxItem['state']) => {
		const item = {
			...newOutboxItem('s', {text: 'continue'}, {accountId: undefined, createdAt: 0}),
			id: 'out-1',
			state,
		};
		stores.outbox.setState({bySession: new Map([['s', [item]]])});
		return notice?.isCurrent?.();
	};
	expect([put('queued'), put('sending'), put('accepted'), put('seen')]).toEqual([true, true, false, false]);
});
