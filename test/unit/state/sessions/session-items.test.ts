import {expect, test} from 'vitest';
import type {KnownComputer, KnownSession, StatusSource} from '../../../../src/domain/known.ts';
import type {OutboxItem} from '../../../../src/domain/messages/delivery.ts';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {activityOf, type RoledMessage} from '../../../../src/domain/sessions/activity.ts';
import {noOption, onceOption} from '../../../../src/domain/sessions/agent-request.ts';
import type {AttentionMark} from '../../../../src/domain/sessions/attention.ts';
import type {HookRequest} from '../../../../src/domain/sessions/hook-request.ts';
import {expireSignal, type Signal} from '../../../../src/domain/sessions/signal.ts';
import type {Grouping} from '../../../../src/state/sessions/session-groups.ts';
import {
	computerNames,
	isTurnRunning,
	type SessionItem,
	sessionItems,
} from '../../../../src/state/sessions/session-items.ts';
import {statusSource} from '../../../../src/state/sessions/session-look.ts';
import {
	emptyOutbox,
	fleet,
	knownComputer,
	knownSession,
	listsOf,
	noon,
	outboxItem,
	signal,
} from '../../../support/fleet.ts';

const states = (...args: Parameters<typeof fleet>) =>
	sessionItems(fleet(...args), emptyOutbox).map(item => [item.id, item.group, item.state]);

test.each([
	['running', 'working', 'working'],
	['pending', 'working', 'pending'],
	// Its messages may tell more.
	['idle', 'idle', 'unknown'],
	['hibernating', 'idle', 'raw'],
])('puts the status %s in the group %s as %s', (value, group, state) => {
	const known = knownSession('s', {status: {value, source: 'updated', at: noon}});
	expect(states([known])).toEqual([['s', group, state]]);
});

test.each<[Signal['state'], string, string]>([
	['needs-permission', 'needs', 'permission'],
	['needs-input', 'needs', 'input'],
	['error', 'needs', 'error'],
	['working', 'working', 'working'],
	['done', 'idle', 'idle'],
	['ended', 'ended', 'ended'],
	['unknown', 'idle', 'unknown'],
])('puts the signal %s in the group %s as %s', (state, group, shown) => {
	expect(states([], [], [signal('s', state)])).toEqual([['s', group, shown]]);
});

test('a replaced session is hidden by its successor, and ended without one', () => {
	expect(states([], [], [signal('s', 'replaced'), signal('t', 'idle')])).toEqual([['t', 'idle', 'idle']]);
	expect(states([], [], [signal('s', 'replaced')])).toEqual([['s', 'ended', 'ended']]);
});

test('a session that ended in a terminal is hidden by the one that continues it, until its client runs again', () => {
	const here = knownSession('here', {session: {sessionId: 'here', status: 'idle', conversation: 's'}});
	expect(states([here], [], [signal('s', 'ended')])).toEqual([['here', 'idle', 'unknown']]);
	expect(states([here], [], [signal('s', 'working')])).toHaveLength(2);
	expect(states([here], [], [signal('other', 'ended')])).toHaveLength(2);
});

test.each<[StatusSource, string]>([
	['posted', 'working'],
	['updated', 'permission'],
])('with a newer status that was %s, a permission request is shown as %s', (source, state) => {
	const known = knownSession('s', {status: {value: 'running', source, at: noon + 5000}});
	expect(states([known], [], [signal('s', 'needs-permission')])[0]?.[2]).toBe(state);
});

test('a message that may not have arrived needs the user', () => {
	const item = outboxItem({state: 'unconfirmed'});
	const [session] = sessionItems(fleet([knownSession('s')]), {bySession: new Map([['s', [item]]])});
	expect(session).toMatchObject({group: 'needs', state: 'unsent', word: 'unconfirmed', since: noon});
});

test.each([
	[knownSession('0123456789abcdef', {session: {sessionId: 'x', title: ' Fix login '}}), 'Fix login'],
	[knownSession('0123456789abcdef', {cwd: '/home/me/shop/'}), 'shop'],
	[knownSession('0123456789abcdef', {origin: 'install-step'}), 'Install output'],
	[knownSession('0123456789abcdef'), '01234567'],
])('a session is named after its title, folder or id', (known, name) => {
	expect(sessionItems(fleet([known]), emptyOutbox)[0]?.name).toBe(name);
});

test('the session of an install is named after its computer', () => {
	const session = knownSession('s', {origin: 'install-step', computerId: 'c'});
	const computer = {id: 'c', origin: 'created', addedAt: noon, computer: {id: 'c', name: 'gpu-1'}} as const;
	expect(sessionItems(fleet([session], [computer]), emptyOutbox)[0]?.name).toBe('Install on gpu-1');
});

test('a session known only from hooks is named after its client and folder', () => {
	const [item] = sessionItems(fleet([], [], [signal('s', 'idle', {cwd: '/home/me/shop'})]), emptyOutbox);
	expect(item).toMatchObject({name: 'claude shop', client: 'claude'});
	const titled = signal('s', 'idle', {cwd: '/home/me/shop', title: 'Fix login'});
	expect(sessionItems(fleet([], [], [titled]), emptyOutbox)[0]?.name).toBe('Fix login');
});

test('an outside session that ended is past, unless it was killed', () => {
	const ended = (reason: string) => signal(reason, 'ended', {reason});
	const items = sessionItems(fleet([], [], [ended('exit'), ended('killed')]), emptyOutbox);
	expect(items.map(({id, state, isPast}) => [id, state, isPast ?? false]).toSorted()).toEqual([
		['exit', 'ended', true],
		['killed', 'ended', false],
	]);
});

test.each<[Grouping, readonly string[]]>([
	['folder', ['asks', 'a1', 'b2', 'b1', 's']],
	['computer', ['asks', 's', 'b2', 'a1', 'b1']],
	['state', ['asks', 'b2', 'a1', 'b1', 's']],
	['none', ['asks', 'b2', 'a1', 'b1', 's']],
])('grouped by %s, lists what needs the user first, then group by group', (grouping, ids) => {
	const at = (id: string, cwd: string, state: Signal['state'], ago = 0) =>
		signal(id, state, {cwd, since: noon - ago, lastEventAt: noon - ago});
	const signals = [
		at('b2', '/b', 'working', 5),
		at('a1', '/a', 'idle'),
		at('b1', '/b', 'idle'),
		at('asks', '/b', 'needs-input'),
	];
	const idle = knownSession('s', {computerId: 'c', status: {value: 'idle', source: 'updated', at: noon}});
	const items = sessionItems(fleet([idle], [knownComputer('c')], signals), emptyOutbox, {grouping});
	expect(items.map(item => item.id)).toEqual(ids);
});

test("a session of this machine's clients is on its computer, called as in the embedded service if that is one", () => {
	const local = (...args: Parameters<typeof knownComputer>) =>
		({...knownComputer(...args), origin: 'local'}) as const;
	const own = local('a', {name: 'vm'});
	const devbox = local('b', {name: 'devbox', host: {ssh: 'devbox'}});
	const computerOf = (...computers: KnownComputer[]) =>
		sessionItems(fleet([], computers, [signal('s', 'idle')]), emptyOutbox)[0]?.computerName;
	expect(computerOf(own, devbox)).toBe('vm');
	expect(computerOf(devbox)).toBe('this machine');
	expect(computerOf(own, local('c', {name: 'shop'}))).toBe('this machine');
	expect(computerOf(knownComputer('d', {name: 'hosted'}))).toBe('this machine');
	const both = listsOf(fleet([knownSession('k', {computerId: 'a'})], [own], [signal('s', 'idle')]), {
		grouping: 'computer',
	});
	expect(both.groups.map(({name, count}) => [name, count])).toEqual([['vm', 2]]);
});

test("a session of this machine merges with the service's session that has its id", () => {
	const known = knownSession('s', {origin: 'hook'});
	const joined = {...known, session: {sessionId: 's', title: 'Fix login'}};
	const item = (one: typeof known) => sessionItems(fleet([one], [], [signal('s', 'done')]), emptyOutbox)[0];
	expect(item(known)).toMatchObject({client: 'claude', state: 'idle'});
	expect(item(joined)).toMatchObject({name: 'Fix login', state: 'idle'});
	expect(item(joined)?.client).toBeUndefined();
	expect(item({...known, atService: true})?.client).toBeUndefined();
	expect(item({...known, atService: false})?.client).toBe('claude');
});

test.each<[string, Parameters<typeof knownSession>[1], Signal | undefined, boolean]>([
	['archived', {session: {sessionId: 's', sessionSettings: {archivedAt: 'then'}}}, undefined, true],
	[
		'archived with an empty word',
		{session: {sessionId: 's', sessionSettings: {archivedAt: ''}}},
		undefined,
		false,
	],
	[
		'brought back here',
		{restored: 'then', session: {sessionId: 's', sessionSettings: {archivedAt: 'then'}}},
		undefined,
		false,
	],
	[
		'archived again since',
		{restored: 'then', session: {sessionId: 's', sessionSettings: {archivedAt: 'now'}}},
		undefined,
		true,
	],
	[
		'archived and asking',
		{session: {sessionId: 's', sessionSettings: {archivedAt: 'then'}}},
		signal('s', 'needs-input'),
		false,
	],
	['of this machine, ended', {origin: 'hook'}, signal('s', 'ended', {reason: 'logout'}), true],
	['of this machine, ended by an error', {origin: 'hook'}, signal('s', 'ended', {reason: 'error'}), false],
	['of the service, ended', {session: {sessionId: 's'}}, signal('s', 'ended'), false],
])('a session that is %s is past: %s', (_, known, reported, isPast) => {
	const [item] = sessionItems(fleet([knownSession('s', known)], [], reported ? [reported] : []), emptyOutbox);
	expect(item?.isPast ?? false).toBe(isPast);
});

test('a name given here wins over the title', () => {
	const known = knownSession('s', {name: 'mine', session: {sessionId: 's', title: 'theirs'}});
	expect(sessionItems(fleet([known]), emptyOutbox)[0]?.name).toBe('mine');
});

test('a mark holds while the same message asks, and lapses when another one does', () => {
	const message = (id: string, fields: Partial<Message> = {}): RoledMessage => ({
		message: {id, content: [{id: 'c', text: 'Shall I continue?'}], createdAt: noon, ...fields},
		role: 'assistant',
	});
	const itemOf = (
		messages: readonly RoledMessage[],
		marks: ReadonlyMap<string, AttentionMark> = new Map(),
	) => {
		const input = {messages, isWhole: true, isNew: true, changed: new Set<string>(), now: noon + 600_000};
		const activity = activityOf(input);
		const known = knownSession('s', {...(activity && {activity})});
		return sessionItems(fleet([known]), emptyOutbox, {marks})[0];
	};
	const episode = itemOf([message('m1')])?.episode ?? '';
	const subject = {kind: 'session', id: 's'} as const;
	const marks = new Map([['s', {subject, episode, kind: 'acknowledged', at: noon} as const]]);
	const touched = message('m1', {updatedAt: noon + 60_000});
	const unseen = message('m2', {isUserVisible: false, createdAt: noon + 90_000});
	expect(itemOf([touched, unseen], marks)).toMatchObject({state: 'input', group: 'seen'});
	expect(itemOf([touched, message('m2')], marks)).toMatchObject({state: 'input', group: 'needs'});
});

test("a question that the user has answered doesn't return when the agent continues", () => {
	const question = [signal('s', 'needs-input')];
	const answer: RoledMessage = {
		message: {id: 'm1', content: [{id: 'c', text: 'The second'}], createdAt: noon + 1_000},
		role: 'user',
	};
	const content = [{id: 'c', type: 'tool_use', name: 'Bash'}];
	const call: RoledMessage = {message: {id: 'm2', content, createdAt: noon + 2_000}, role: 'assistant'};
	const stateAfter = (...messages: readonly RoledMessage[]) => {
		const now = noon + 3_000;
		const activity = activityOf({messages, isWhole: true, isNew: true, changed: new Set<string>(), now});
		return states([knownSession('s', {...(activity && {activity})})], [], question)[0]?.[2];
	};
	expect([stateAfter(answer), stateAfter(answer, call)]).toEqual(['working', 'working']);
	expect(stateAfter({...answer, message: {...answer.message, createdAt: noon - 1}}, call)).toBe('input');
});

/** A session whose messages are these, read this long after noon. */
function activeSession(messages: readonly RoledMessage[], after: number, seenIds: readonly string[] = []) {
	const input = {messages, isWhole: true, changed: new Set<string>(), seenIds: new Set(seenIds)};
	const activity = activityOf({...input, now: noon + after});
	return knownSession('s', {...(activity && {activity})});
}

test('a failure or a question needs the user though they have read it', () => {
	const failed: RoledMessage = {
		message: {id: 'm1', content: [{id: 'c', text: 'Overloaded'}], createdAt: noon, isError: true},
		role: 'assistant',
	};
	expect(states([activeSession([failed], 60_000)])).toEqual([['s', 'needs', 'error']]);
	expect(states([activeSession([failed], 60_000, ['m1'])])).toEqual([['s', 'needs', 'error']]);
	const question = {...failed, message: {...failed.message, isError: false, content: [{text: 'Which one?'}]}};
	expect(states([activeSession([question], 60_000)])).toEqual([['s', 'needs', 'input']]);
	expect(states([activeSession([question], 60_000, ['m1'])])).toEqual([['s', 'needs', 'input']]);
});

test("a turn that a hook ended isn't reopened by older messages that a read finds", () => {
	const call: RoledMessage = {
		message: {id: 'm1', content: [{id: 'c', type: 'tool_use', name: 'Bash'}], createdAt: noon + 3_000},
		role: 'assistant',
	};
	const done = signal('s', 'done', {lastEventAt: noon});
	const stateAt = (ms: number) => states([activeSession([call], ms)], [], [done])[0]?.[2];
	expect(stateAt(3_000)).toBe('idle');
	const late = {...call, message: {...call.message, createdAt: noon + 11_000}};
	expect(states([activeSession([late], 11_000)], [], [done])[0]?.[2]).toBe('working');
	const post: RoledMessage = {
		message: {id: 'm2', content: [{text: 'Go on'}], createdAt: noon + 3_500},
		role: 'user',
	};
	expect(states([activeSession([call, post], 4_000)], [], [done])[0]?.[2]).toBe('working');
});

test('a working session never becomes unknown while nothing happens, whatever its source', () => {
	const hours = 20 * 3_600_000;
	const status = {value: 'running', source: 'updated', at: noon} as const;
	const asked: RoledMessage = {
		message: {id: 'm1', content: [{text: 'Go on'}], createdAt: noon},
		role: 'user',
	};
	const known = [knownSession('status', {status}), {...activeSession([asked], hours), id: 'messages'}];
	const hook = expireSignal(signal('hook', 'working', {since: noon, lastEventAt: noon}), noon + hours);
	const items = sessionItems(fleet(known, [], [hook]), emptyOutbox);
	expect(items.map(({state}) => state)).toEqual(['working', 'working', 'working']);
	const sourceAt = (item: SessionItem, ms: number) => {
		const known = item.known && {...item.known, readAt: noon + ms};
		return statusSource({...item, ...(known && {known})}, noon + ms);
	};
	for (const item of items) expect(sourceAt(item, hours)).toBe(' · no activity for 20h');
	for (const item of items) expect(sourceAt(item, 600_000)).toBe(' · no activity for 10m');
	for (const item of items) expect(sourceAt(item, 599_000)).not.toContain('no activity');
});

test('an idle status overrides a tool call, but not text that was still growing when last read', () => {
	const status = {value: 'idle', source: 'updated', at: noon + 5_000} as const;
	const answer: RoledMessage = {
		message: {id: 'm1', content: [{text: 'Done.'}], createdAt: noon},
		role: 'assistant',
	};
	const call = {...answer, message: {...answer.message, content: [{type: 'tool_use', name: 'Bash'}]}};
	expect(states([{...activeSession([answer], 0), status}])[0]?.[2]).toBe('working');
	expect(states([{...activeSession([call], 0), status}])[0]?.[2]).toBe('idle');
	const {activity, ...known} = activeSession([call], 0);
	const unread = {...known, ...(activity && {activity: {...activity, unread: 1}}), status};
	expect(states([unread])[0]?.slice(1)).toEqual(['needs', 'done']);
	// A lost machine changes nothing about that.
	const lost = knownComputer('c', {unreachableSince: noon});
	expect(states([{...unread, computerId: 'c'}], [lost])[0]?.slice(1)).toEqual(['needs', 'done']);
});

test("an agent's open request needs the user while the turn runs, even if it was read", () => {
	const content = [{id: 'c', text: 'Allow it?', request: {id: 'r', title: 'Bash: ls', state: 'open'}}];
	const asking: RoledMessage = {message: {id: 'm1', content, createdAt: noon}, role: 'assistant'};
	const session = activeSession([asking], 0, ['m1']);
	const status = {value: 'running', source: 'updated', at: noon + 5000} as const;
	expect(sessionItems(fleet([{...session, status}]), emptyOutbox)[0]).toMatchObject({
		group: 'needs',
		state: 'permission',
		reason: 'Bash: ls',
	});
	expect(states([{...session, status: {...status, value: 'idle'}}])[0]?.[1]).toBe('idle');
});

test('a failed message needs the user even if nothing else is known of its session', () => {
	const item = {id: 'o', sessionId: 'nosuch', text: 'hi', images: [], files: [], createdAt: 5, tries: 1};
	const failed = {...item, state: 'failed', problem: 'Not found'} as const;
	const queued = {...item, sessionId: 'other', state: 'queued'} as const;
	const outbox = {
		bySession: new Map([
			['nosuch', [failed]],
			['other', [queued]],
		]),
	};
	expect(sessionItems(fleet(), outbox)).toMatchObject([
		{id: 'nosuch', name: 'nosuch', group: 'needs', state: 'unsent', reason: 'Not found', since: 5},
	]);
});

test("a hook's request needs the user and shows its command, which isn't stored with a mark", () => {
	const request: HookRequest = {
		id: 'r1',
		sessionId: 's',
		isFromHook: true,
		client: 'claude',
		agentPid: 1,
		title: 'Bash: secret command',
		text: 'secret command',
		options: [onceOption, noOption],
		createdAt: noon + 5,
	};
	const later = {...request, id: 'r2', title: 'Bash: later', createdAt: noon + 6};
	const known = fleet([], [], [signal('s', 'working', {lastEventAt: noon + 9})]);
	const requests = new Map([
		['r1', request],
		['r2', later],
	]);
	const [item] = sessionItems({...known, requests}, emptyOutbox);
	expect(item).toMatchObject({
		group: 'needs',
		state: 'permission',
		reason: 'Bash: secret command',
		since: noon + 5,
		request,
	});
	expect(item?.episode).toContain('r1');
	expect(item?.episode).not.toContain('secret');
	const subject = {kind: 'session', id: 's'} as const;
	const marks = new Map([
		['s', {subject, episode: item?.episode ?? '', kind: 'acknowledged', at: noon} as const],
	]);
	const groupOf = (open: Map<string, HookRequest>) =>
		sessionItems({...known, requests: open}, emptyOutbox, {marks})[0]?.group;
	expect(groupOf(requests)).toBe('seen');
	expect(groupOf(new Map([['r2', later]]))).toBe('needs');
	expect(groupOf(new Map())).toBe('working');
});

test('tells computers with the same name apart by short ids, or whole ones if those are the same', () => {
	const {computers} = fleet(
		[],
		[
			knownComputer('0a1b2c3d-1', {name: 'vm'}),
			knownComputer('9f8e7d6c-2', {name: 'box'}),
			knownComputer('computer-001', {name: 'box'}),
			knownComputer('machines-001', {name: 'gpu'}),
			knownComputer('machines-002', {name: 'gpu'}),
			knownComputer('unnamed', {name: ''}),
		],
	);
	expect([...computerNames(computers).values()]).toEqual([
		'vm',
		'box 9f8e7d6c-2',
		'box computer',
		'gpu machines-001',
		'gpu machines-002',
	]);
});

test('an unanswered message waits for its computer while that is being provisioned', () => {
	const asked: RoledMessage = {message: {id: 'm', content: [{text: 'Go on'}], createdAt: noon}, role: 'user'};
	const known = {...activeSession([asked], 0), computerId: 'c'};
	const item = (status: string, isUnreadable = false, told: Partial<KnownSession> = {}) => {
		const provisioningSteps = [
			{id: '1', name: 'Create', status: 'completed'},
			{id: '2', name: 'Clone', status: 'in_progress'},
		];
		const computer = knownComputer('c', {status, provisioningSteps});
		const problems = isUnreadable ? new Map([['c', {kind: 'not-found', what: '', at: noon}]]) : new Map();
		const [first] = sessionItems({...fleet([{...known, ...told}], [computer]), problems}, emptyOutbox);
		return [first?.state, first?.reason];
	};
	expect(item('provisioning')).toEqual(['pending', 'waiting for the computer: Clone']);
	expect(item('active')).toEqual(['working', undefined]);
	expect(item('provisioning', true)).toEqual(['working', undefined]);
	const said = (value: string) => ({status: {value, source: 'updated', at: noon + 60_000} as const});
	expect(item('provisioning', false, said('pending'))).toEqual([
		'pending',
		'waiting for the computer: Clone',
	]);
	expect(item('provisioning', false, said('running'))).toEqual(['working', undefined]);
});

test.each([
	['running', true],
	['idle', false],
])('with an undelivered message, an agent that is %s can be interrupted: %s', (value, isRunning) => {
	const known = knownSession('s', {status: {value, source: 'updated', at: noon}});
	const unsent = {id: 'o', sessionId: 's', text: 'Go on', state: 'failed', createdAt: noon} as OutboxItem;
	const [item] = sessionItems(fleet([known]), {bySession: new Map([['s', [unsent]]])});
	expect(item?.state).toBe('unsent');
	expect(item?.word).toBeUndefined();
	expect(item && isTurnRunning(item)).toBe(isRunning);
});
