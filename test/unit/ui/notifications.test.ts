import {describe, expect, test} from 'vitest';
import type {NotificationFacts} from '../../../src/actions/user-programs.ts';
import type {ProvisioningStep} from '../../../src/domain/computers/computer.ts';
import type {KnownComputer} from '../../../src/domain/known.ts';
import type {SessionActivity} from '../../../src/domain/sessions/activity.ts';
import type {Alert, HookEvent} from '../../../src/domain/sessions/signal.ts';
import {createListBuilder} from '../../../src/state/lists/lists.ts';
import {createStores} from '../../../src/state/stores.ts';
import {createViewStore} from '../../../src/state/view/view.ts';
import {createNotifications} from '../../../src/ui/notifications.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {activity, fleet, knownComputer, knownSession, noon, outboxItem, signal} from '../../support/fleet.ts';

type SetupOptions = {
	seen?: readonly string[];
	quiet?: {from: number; to: number};
	notifiesWhenDone?: boolean;
};

function setup({seen = [], quiet, notifiesWhenDone = false}: SetupOptions = {}) {
	const stores = createStores();
	const sent: string[] = [];
	const titles: string[] = [];
	const told: NotificationFacts[] = [];
	const clock = fakeClock(new Date(2026, 10, 21, 23, 0).getTime());
	const notifications = createNotifications({
		stores,
		listBuilder: createListBuilder(),
		view: createViewStore(),
		terminal: {
			notify: (title, body) => sent.push(`${title}: ${body}`),
			setTitle: title => titles.push(title),
		},
		isSeen: ({id}) => seen.includes(id),
		quietHours: quiet,
		notifiesWhenDone,
		runCommand: facts => told.push(facts),
		clock,
	});
	stores.fleet.setState(
		fleet(
			[knownSession('s', {session: {sessionId: 's', title: 'fix-login'}})],
			[],
			[signal('s', 'needs-permission', {message: 'May I push?'})],
		),
	);
	const hook = (alert: Alert | undefined, sessionId = 's', message: string | undefined = 'May I push?') =>
		notifications.hookUpdate({
			sessionId,
			event: {
				event: message ? 'Notification' : 'PermissionRequest',
				ts: noon,
				receivedAt: noon,
				data: {message: message || undefined, cwd: '/srv'},
			} as unknown as HookEvent,
			...(alert && {alert}),
		});
	return {stores, clock, sent, told, titles, notifications, hook};
}

test('an alert names the session and its question, and an event without an alert calls nobody', async () => {
	const {sent, hook, clock} = setup();
	hook(undefined);
	hook('done');
	hook('needs-you');
	expect(sent).toEqual(['fix-login needs you: May I push?']);
	await clock.advance(5_000);
	hook('error');
	await clock.advance(5_000);
	hook('needs-you', 'nobody-knows-it');
	expect(sent.slice(1)).toEqual(['fix-login failed: May I push?', 'An agent needs you: May I push?']);
	await clock.advance(5_000);
	hook('needs-you', 's', '');
	await clock.advance(5_000);
	expect(sent.slice(3)).toEqual(['fix-login needs you: a permission']);
	expect(clock.pending).toBe(0);
});

describe('a flood of questions', () => {
	/** Agents that all ask; the first of them is called for. */
	function flood(names: readonly string[], options: SetupOptions = {}) {
		const one = setup(options);
		const asking = (asked: readonly string[], others: 'working' | 'done' = 'working') =>
			one.stores.fleet.setState(
				fleet(
					names.map(name => knownSession(name, {session: {sessionId: name, title: name}})),
					[],
					names.map(name => signal(name, asked.includes(name) ? 'needs-input' : others)),
				),
			);
		asking(names);
		for (const name of names) one.hook('needs-you', name);
		expect(one.sent).toEqual([`${names[0]} needs you: May I push?`]);
		one.sent.length = 0;
		return {...one, asking};
	}

	test('calls the user at once, and once more for all the others', async () => {
		const {sent, clock} = flood(['a', 'b', 'c']);
		await clock.advance(4_999);
		expect(sent).toEqual([]);
		await clock.advance(1);
		expect(sent).toEqual(['3 agents need you: b, c']);
		await clock.advance(60_000);
		expect([sent.length, clock.pending]).toEqual([1, 0]);
	});

	test('tells the own command of each', async () => {
		const {told, clock} = flood(['a', 'b', 'c']);
		await clock.advance(5_000);
		expect(told).toEqual(
			['a', 'b', 'c'].map(name => ({
				sessionId: name,
				title: name,
				reason: 'needs you: May I push?',
				computer: '',
			})),
		);
	});

	test("calls the user in the agent's own words if there is only one more", async () => {
		const {sent, clock} = flood(['a', 'b']);
		await clock.advance(5_000);
		expect(sent).toEqual(['b needs you: May I push?']);
	});

	test('names some of many', async () => {
		const {sent, clock} = flood(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
		await clock.advance(5_000);
		expect(sent).toEqual(['8 agents need you: b, c, d, e, f and 2 more']);
	});

	test('calls nobody about what was answered or looked at in the meantime', async () => {
		const seen: string[] = [];
		const {sent, clock, asking} = flood(['a', 'b', 'c', 'd'], {seen});
		asking(['a', 'b', 'd']);
		seen.push('d');
		await clock.advance(5_000);
		expect(sent).toEqual(['b needs you: May I push?']);
	});

	test('lets the next question call at once after it was answered', async () => {
		const {sent, clock, asking, hook} = flood(['a', 'b']);
		asking([]);
		await clock.advance(5_000);
		expect([sent, clock.pending]).toEqual([[], 0]);
		asking(['b']);
		hook('needs-you', 'b');
		expect(sent).toEqual(['b needs you: May I push?']);
	});

	test('calls no more often if it never ends', async () => {
		const {sent, clock, hook} = flood(['a', 'b']);
		for (let second = 1; second <= 20; second++) {
			await clock.advance(1_000);
			hook('needs-you', 'a');
			hook('needs-you', 'b');
		}
		expect(sent).toEqual(Array(4).fill('2 agents need you: a, b'));
	});

	test('counts agents that are done separately, for a user who wants to know', async () => {
		const {sent, clock, asking, hook} = flood(['a', 'b', 'c', 'd'], {notifiesWhenDone: true});
		asking(['a', 'b'], 'done');
		hook('done', 'c');
		hook('done', 'd');
		await clock.advance(5_000);
		expect(sent).toEqual(['2 agents need you, 2 done: b, c, d']);
	});
});

describe('an agent that is done', () => {
	const state = (name: 'done' | 'working') =>
		fleet(
			[knownSession('a'), knownSession('b'), knownSession('c')],
			[],
			[signal('a', 'done'), signal('b', name), signal('c', 'done')],
		);

	test('calls a user who wants to know, and groups several', async () => {
		const {sent, stores, clock, hook} = setup({notifiesWhenDone: true});
		stores.fleet.setState(state('done'));
		for (const id of ['a', 'b', 'c']) hook('done', id);
		expect(sent).toHaveLength(1);
		expect(sent[0]).toMatch(/ is done: May I push\?$/);
		await clock.advance(5_000);
		expect(sent).toHaveLength(2);
		expect(sent[1]).toMatch(/^2 agents are done: /);
	});

	test('calls nobody if it has gone on since', async () => {
		const {sent, stores, clock, hook} = setup({notifiesWhenDone: true});
		stores.fleet.setState(state('working'));
		for (const id of ['a', 'b', 'c']) hook('done', id);
		await clock.advance(5_000);
		expect(sent.slice(1)).toEqual([expect.stringMatching(/ is done: /)]);
	});
});

test('notifies neither about what is on screen nor in quiet hours, but still counts in the title', () => {
	const before = setup({seen: ['s']});
	before.hook('needs-you');
	const asleep = setup({quiet: {from: 22 * 60, to: 7 * 60}});
	asleep.hook('needs-you');
	expect([before.sent, asleep.sent]).toEqual([[], []]);
	expect(asleep.titles).toEqual(['(1) quarterdeck']);
});

test("the title counts requests that aren't acknowledged or snoozed, and changes with their number", () => {
	const {stores, titles, notifications} = setup();
	const mark = {
		subject: {kind: 'session', id: 's'},
		episode: `permission|${noon}|May I push?`,
		kind: 'acknowledged',
		at: noon,
	} as const;
	stores.attention.setState({marks: new Map([['s', mark]])});
	stores.fleet.setState({problems: new Map()});
	stores.attention.setState({marks: new Map()});
	expect(titles).toEqual(['(1) quarterdeck', 'quarterdeck', '(1) quarterdeck']);
	notifications.stop();
	stores.fleet.setState(fleet());
	expect(titles).toHaveLength(3);
});

const fixTests = (turn: Partial<SessionActivity>) =>
	knownSession('t', {session: {sessionId: 't', title: 'fix-tests'}, activity: activity(turn)});

test('a question calls the user even if a hook has just reported the agent as done', () => {
	const {stores, sent, hook} = setup();
	const tell = (turn: Partial<SessionActivity>) => stores.fleet.setState(fleet([fixTests(turn)]));
	tell({state: 'working', evidence: 'growing'});
	hook('done', 't');
	tell({state: 'asks', evidence: 'question', words: 'Which one?'});
	expect(sent).toEqual(['fix-tests asks you: Which one?']);
});

describe('what sessions contain when they are first read', () => {
	const named = (id: string, state?: SessionActivity['state'], unread = 1) =>
		knownSession(id, {
			session: {sessionId: id, title: id},
			...(state && {activity: activity({state, newestId: `${id}-1`, words: 'Which one?', unread})}),
		});

	test('calls the user once for a question', async () => {
		const {stores, sent, clock} = setup();
		stores.fleet.setState(fleet([named('a')]));
		stores.fleet.setState(fleet([named('a', 'asks')]));
		await clock.advance(1);
		expect(sent).toEqual(['a asks you: Which one?']);
		stores.fleet.setState(fleet([named('a', 'asks', 2)]));
		await clock.advance(60_000);
		expect([sent.length, clock.pending]).toEqual([1, 0]);
	});

	test('calls the user once for many questions, when all are found', async () => {
		const {stores, sent, clock} = setup();
		const ids = Array.from({length: 40}, (_, index) => `s${index}`);
		stores.fleet.setState(fleet(ids.map(id => named(id))));
		for (let read = 1; read <= ids.length; read++) {
			const readOne = (id: string, index: number) => (index % 2 ? named(id, 'asks') : named(id, 'done', 0));
			stores.fleet.setState(fleet(ids.map((id, index) => (index < read ? readOne(id, index) : named(id)))));
			await clock.advance(3_000);
		}
		await clock.advance(60_000);
		expect(sent).toEqual(['20 agents need you: s1, s3, s5, s7, s9 and 15 more']);
		expect(clock.pending).toBe(0);
	});

	test('a question that was answered before it was told silences no later one', async () => {
		const {stores, sent, clock} = setup();
		stores.fleet.setState(fleet([named('a'), named('b')]));
		stores.fleet.setState(fleet([named('a', 'asks'), named('b')]));
		stores.fleet.setState(fleet([named('a', 'done', 0), named('b')]));
		await clock.advance(60_000);
		const asks = activity({state: 'asks', newestId: 'a-2', words: 'And now?', unread: 1});
		stores.fleet.setState(fleet([{...named('a'), activity: asks}, named('b')]));
		expect(sent).toEqual(['a asks you: And now?']);
	});

	test('calls nobody about what was read in an earlier run', async () => {
		const {stores, sent, clock} = setup();
		stores.fleet.setState(fleet([named('a', 'asks')]));
		await clock.advance(60_000);
		expect(sent).toEqual([]);
	});
});

test.each([true, false])("an answer, known to be the agent's, calls the user if wanted: %s", isWanted => {
	const {stores, sent} = setup({notifiesWhenDone: isWanted});
	const tell = (state: 'working' | 'done', unread: number) =>
		stores.fleet.setState(fleet([fixTests({state, words: 'All pass.', unread})]));
	tell('working', 0);
	tell('done', 0);
	expect(sent).toEqual([]);
	tell('done', 1);
	tell('done', 1);
	expect(sent).toEqual(isWanted ? ['fix-tests is done: All pass.'] : []);
});

describe('a computer that failed', () => {
	const tell = ({stores}: ReturnType<typeof setup>, ...steps: readonly Partial<ProvisioningStep>[]) =>
		stores.fleet.setState(
			fleet(
				[],
				[knownComputer('gpu', steps.length > 0 ? {provisioningSteps: [...steps]} : {status: 'error'})],
			),
		);
	const running = {name: 'install', status: 'running'};
	const failed = {name: 'install', status: 'failed', error: 'no disk', completedAt: noon};

	test('calls the user once for each failure, but not for one from before the start', async () => {
		const one = setup();
		tell(one, failed);
		expect([one.sent, one.titles.at(-1)]).toEqual([[], '(1) quarterdeck']);
		for (const step of [running, failed, failed, {...failed, completedAt: noon + 1}]) {
			tell(one, step);
			await one.clock.advance(5_000);
		}
		tell(one, running);
		tell(one);
		expect(one.sent).toEqual([
			'gpu failed: install: no disk',
			'gpu failed: install: no disk',
			'gpu failed: Its provisioning failed',
		]);
	});

	test('calls the user without the secrets of its error, and of what a session says', async () => {
		const one = setup();
		tell(one, running);
		tell(one, {...failed, error: 'git https://me:hunter22@host, relay wss://relay.example/hunter22'});
		await one.clock.advance(5_000);
		const reason = 'install: git https://***@host, relay wss://relay.example/***';
		expect(one.sent).toEqual([`gpu failed: ${reason}`]);
		one.notifications.hookUpdate({
			sessionId: 's',
			event: {
				event: 'Notification',
				ts: noon,
				receivedAt: noon,
				data: {message: 'May I dial wss://relay.example/hunter22?'},
			} as unknown as HookEvent,
			alert: 'needs-you',
		});
		await one.clock.advance(5_000);
		expect(one.sent[1]).toMatch(/needs you: May I dial wss:\/\/relay\.example\/\*\*\*$/);
	});

	test('calls the user if its first read says so, grouped with other first reads', async () => {
		const one = setup();
		const unread = (id: string): KnownComputer => ({id, origin: 'added', addedAt: noon});
		const read = (id: string) => knownComputer(id, {provisioningSteps: [failed]});
		one.stores.fleet.setState(fleet([], [unread('gpu'), unread('tpu')]));
		one.stores.fleet.setState(fleet([], [read('gpu'), read('tpu')]));
		await one.clock.advance(30_000);
		expect(one.sent).toEqual(['2 computers need you: gpu, tpu']);
	});

	test('calls nobody who looks at it, and shares a notification with agents', async () => {
		const seen = setup({seen: ['gpu']});
		tell(seen, running);
		tell(seen, failed);
		expect(seen.sent).toEqual([]);
		const one = setup();
		const {sessions, signals} = one.stores.fleet.getState();
		tell(one, running);
		one.stores.fleet.setState({sessions, signals});
		one.hook('needs-you', 's');
		one.stores.fleet.setState({
			computers: new Map([['gpu', knownComputer('gpu', {provisioningSteps: [failed]})]]),
		});
		one.hook('needs-you', 's');
		await one.clock.advance(5_000);
		expect(one.sent.slice(1)).toEqual(['1 agent and 1 computer need you: gpu, fix-login']);
	});
});

test('the end of a snooze calls the user once, if something is still asked', () => {
	const {stores, sent, notifications} = setup();
	notifications.snoozeEnded({kind: 'session', id: 's'});
	stores.fleet.setState(fleet([knownSession('s')]));
	notifications.snoozeEnded({kind: 'session', id: 's'});
	expect(sent).toEqual(['fix-login still needs you: May I push?']);
});

test('a message that gets stuck while it is sent calls the user once', () => {
	const {stores, sent} = setup();
	const item = (state: 'sending' | 'unconfirmed', problem?: string) => ({
		bySession: new Map([['s', [outboxItem({text: 'x', state, ...(problem && {problem})})]]]),
	});
	// What was stuck already when the program began is in the inbox, and no news.
	stores.outbox.setState(item('unconfirmed'));
	expect(sent).toEqual([]);
	stores.outbox.setState(item('sending'));
	stores.outbox.setState(item('unconfirmed', 'The answer was lost'));
	stores.outbox.setState(item('unconfirmed', 'The answer was lost'));
	expect(sent).toEqual(['fix-login has an undelivered message: The answer was lost']);
});
