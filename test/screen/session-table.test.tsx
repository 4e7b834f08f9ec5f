import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {UnreachableError} from '../../src/api/errors.ts';
import type {Service} from '../../src/api/service.ts';
import type {KnownSession} from '../../src/domain/known.ts';
import type {DeliveryState, OutboxItem} from '../../src/domain/messages/delivery.ts';
import {sessionColumns} from '../../src/state/sessions/session-columns.ts';
import {setView, withFilter} from '../../src/state/view/view.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession, signal} from '../support/fleet.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {openScreen} from '../support/screen.tsx';

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

/** Five sessions, the newest first, and one of an agent on this machine. */
async function table(
	columns = 120,
	rows = 40,
	{
		fill = () => names.map((name, index) => named(name, index)),
		...more
	}: Partial<AppParts> & {service?: Service; fill?: () => readonly KnownSession[]} = {},
) {
	const clock = fakeClock();
	const parts = appParts(clock, more);
	const hooked =
		fill().length > 0 ? [signal('hooked', 'idle', {cwd: '/srv/shop', since: 1, lastEventAt: 1})] : [];
	parts.stores.fleet.setState(fleet(fill(), [knownComputer('box')], hooked));
	parts.view.setState({page: 'sessions'});
	const screen = openScreen(parts, columns, rows);
	const see = async (what: RegExp | string) => {
		const isShown = (line: string) => (typeof what === 'string' ? line.includes(what) : what.test(line));
		return (await screen?.until(lines => lines.some(isShown))) ?? [];
	};
	const marked = () => [...parts.view.getState().sessions.marked].sort();
	await see('─ Sessions');
	return {parts, clock, screen, see, marked};
}

function named(name: string, index: number): KnownSession {
	return knownSession(`s-${name}`, {
		computerId: 'box',
		addedAt: 1000 - index,
		status: {value: 'idle', source: 'updated', at: 1},
		wasEmpty: true,
		session: {
			sessionId: `s-${name}`,
			title: name,
			messageCount: 10 * index,
			sessionSettings: {tags: [{name: index % 2 === 0 ? 'even' : 'odd'}]},
		},
	});
}

function sent(sessionId: string, state: DeliveryState, id: string): OutboxItem {
	return {
		id,
		sessionId,
		text: 'go',
		images: [],
		files: [],
		state,
		createdAt: 0,
		tries: 1,
		problem: 'refused',
	};
}

test.each([
	[40, 12],
	[120, 40],
])('%i x %i: borders are straight, with marks and while writing', async (columns, rows) => {
	const {screen, see} = await table(columns, rows);
	expectStraightBorders(screen.cells());
	await screen.press('v', 'v');
	await see('2 marked');
	expectStraightBorders(screen.cells());
	await screen.press(' ', 'hello');
	await see('Message to 2 sessions');
	await see('> hello');
	expectStraightBorders(screen.cells());
});

describe('marks', () => {
	test('v marks and moves on; marks survive ordering and filtering, and hidden ones are counted', async () => {
		const {parts, screen, see, marked} = await table();
		await screen.press('v', 'v', 'j', 'v');
		await see(/Sessions · 3 marked /);
		expect(marked()).toEqual(['s-alpha', 's-beta', 's-delta']);
		await screen.press('r');
		await screen.until(() => parts.calls.filter(call => call.startsWith('refresh')).length === 3);
		await screen.press('o', '\r', '/', '#odd', '\r');
		await see(/Sessions · 3 marked, 1 hidden · \/#odd/);
		expect(marked()).toEqual(['s-alpha', 's-beta', 's-delta']);
		await see(/\* .*beta/);
		await see(/Space message {2}t tag {2}m acknowledge {2}X archive {2}Esc unmark/);
	});

	test('Esc first clears the marks, then the filter, then leaves', async () => {
		const {screen, see, parts, marked} = await table();
		await screen.press('/', '#odd', '\r', 'V');
		await see('2 marked');
		await screen.press('\x1b');
		await screen.until(lines => !lines.join('').includes('marked'));
		expect(marked()).toEqual([]);
		await see('/#odd');
		await screen.press('\x1b');
		await see('alpha');
		expect(parts.view.getState()).toMatchObject({page: 'sessions', filters: {sessions: ''}});
		await screen.press('\x1b');
		await screen.until(() => parts.view.getState().page === 'work');
	});
});

test('o orders the table by a chosen column, and reverses the order of the current one', async () => {
	const {screen, see} = await table(200, 50);
	const first = async () => (await see(/TITLE/))[3];
	await screen.press('o');
	await see(/▌ STATE ▲/);
	await screen.press('j', '\r');
	await see(/TITLE▲/);
	expect(await first()).toContain('alpha');
	await screen.press('o', '\r');
	await see(/TITLE▼/);
	await see(/^│.*│$/);
	expect(await first()).toContain('gamma');
	// No session has a branch or a model.
	await screen.press('o', 'j', 'j', '\r');
	await see(/MESSAGES▲/);
	expect(await first()).toContain('epsilon');
});

test('in its list of columns, Space hides one and shows it again', async () => {
	const {screen, see} = await table(200, 50);
	await screen.press('o', 'jjj', ' ');
	await see(/▌ MESSAGES {2}hidden/);
	await screen.press('\x1b');
	expect((await see(/TITLE/)).join()).not.toContain('MESSAGES');
	await screen.press('o', 'jjj', ' ');
	await see(/▌ MESSAGES {3}/);
	await screen.press('\x1b');
	await see(/STATE▲.*MESSAGES/);
});

describe('a message to several', () => {
	test("goes to each session separately, and names beforehand which ones can't take it", async () => {
		const {screen, see, parts, marked} = await table();
		await screen.press('V', ' ');
		await see('Message to 5 sessions, not to claude shop (in another terminal)');
		await screen.press('line one', '\n', 'line two');
		await see('line two');
		await screen.press('\r');
		await see('Sending the message to 5 sessions');
		const enqueued = parts.calls.filter(call => call.startsWith('enqueue'));
		expect(enqueued).toEqual(names.map(name => `enqueue s-${name} line one\nline two`));
		// The one that got nothing stays marked.
		expect(marked()).toEqual(['hooked']);
	});

	test('shows each delivery until dismissed; a failed one is sent again, an unconfirmed one taken back', async () => {
		const {screen, see, parts} = await table();
		await screen.press('v', 'v', 'v', ' ', 'go', '\r');
		await see('DELIVERY');
		await see('· Sending the message to 3 sessions');
		const [alpha = '', beta = '', gamma = ''] = parts.view.getState().sessions.deliveries.values();
		parts.stores.outbox.setState({
			bySession: new Map([
				['s-alpha', [sent('s-alpha', 'accepted', alpha)]],
				['s-beta', [sent('s-beta', 'failed', beta)]],
				['s-gamma', [sent('s-gamma', 'unconfirmed', gamma)]],
			]),
		});
		await see(/alpha +✓ accepted/);
		await see(/! unsent +beta +✗ failed/);
		await see(/! unconfirmed +gamma +! unconfirmed/);
		await see('message accepted by 1 of 3  R sends again  Esc dismisses');
		await screen.until(lines => !lines.join('').includes('Sending the message'));
		// What failed needs the user, and is first now.
		await screen.press('g', 'R');
		await screen.until(() => parts.calls.includes(`resend ${beta}`));
		await screen.press('j', 'x');
		await screen.until(() => parts.calls.includes(`discard ${gamma}`));
		await screen.press('\x1b');
		await screen.until(lines => !lines.join('').includes('DELIVERY'));
	});

	test('is kept by Esc, even if more sessions are marked then', async () => {
		const {screen, see, parts} = await table();
		await screen.press('v', 'v', ' ', 'stop when you can', '\x1b');
		await screen.until(lines => !lines.join('').includes('Message to'));
		await screen.press('v', ' ');
		await see('Message to 3 sessions');
		await see('> stop when you can');
		expect(parts.calls.some(call => call.startsWith('enqueue'))).toBe(false);
	});

	test("goes back to the composer for only those sessions where it couldn't be saved", async () => {
		const {screen, see, parts, marked} = await table();
		const {outbox} = parts.actions.engine;
		const {enqueue} = outbox;
		let isFull = true;
		outbox.enqueue = (sessionId, draft) => {
			if (isFull && sessionId === 's-beta') throw new Error('the disk is full');
			return enqueue(sessionId, draft);
		};
		await see(/▌.*alpha/);
		await screen.press('v', 'v', 'v', ' ', 'go on', '\r');
		await see('Message to beta');
		await see('> go on');
		expect(marked()).toEqual(['s-beta']);
		isFull = false;
		await screen.press('\r');
		await see('Sending the message to 1 session');
		expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([
			'enqueue s-alpha go on',
			'enqueue s-gamma go on',
			'enqueue s-beta go on',
		]);
		expect([...parts.view.getState().sessions.deliveries.keys()]).toEqual(['s-alpha', 's-gamma', 's-beta']);
	});

	test('is the same draft as in Work if it goes to a single session', async () => {
		const {screen, see, parts} = await table();
		await screen.press(' ', 'only you', '\x1b', '\r', '\r');
		await screen.until(() => parts.view.getState().focus === 'composer');
		await see('> only you');
	});
});

describe('archiving', () => {
	/** A service that refuses to change beta. */
	const service = {
		sessions: {
			update: async (id: string, patch: object) => {
				if (id === 's-beta') throw new UnreachableError('The service is down.', {hint: 'Try again.'});
				return {sessionId: id, ...patch};
			},
		},
	} as unknown as Service;

	test('reports what was refused or is outside the service, which stays marked', async () => {
		const {screen, see, parts, marked} = await table(200, 40, {service});
		const {sessions} = parts.stores.fleet.getState();
		const status = {value: 'running', source: 'updated', at: 1} as const;
		const working = knownSession('s-gamma', {...sessions.get('s-gamma'), status});
		parts.stores.fleet.setState({sessions: new Map(sessions).set('s-gamma', working)});
		await screen.press('V', 'X');
		await see(
			/Archived 4 of 5; beta: The service is down; u shows them here again \(the service keeps them archived\); 1 agent goes on; left out: 1 in another terminal/,
		);
		expect(marked()).toEqual(['hooked', 's-beta']);
		await screen.press('u');
		await see('Listed again: 4 sessions');
	});
});

test('one form adds and removes tags; undo sets them back, says why it failed, and can be tried again', async () => {
	const tags = new Map([
		['s-alpha', ['even']],
		['s-gamma', ['release', 'even']],
	]);
	let isFailing = false;
	const service = {
		sessions: {
			update: async (id: string, {sessionSettings}: {sessionSettings?: {tags: {name: string}[]}}) => {
				if (sessionSettings) {
					if (isFailing && id === 's-gamma') throw new UnreachableError('It is away.', {hint: ''});
					tags.set(
						id,
						sessionSettings.tags.map(({name}) => name),
					);
				}
				return {sessionId: id, sessionSettings: {tags: (tags.get(id) ?? []).map(name => ({name}))}};
			},
		},
	} as unknown as Service;
	const {screen, see, marked} = await table(120, 40, {service});
	await screen.press('v', 'j', 'v', 't');
	await see('Tag 2 sessions');
	await screen.press('\x13');
	await see('Name a tag to add or to remove');
	await screen.press('release', '\t', 'even', '\x13');
	await see('Changed the tags of 2 sessions; u undoes this');
	expect([...tags.values()]).toEqual([['release'], ['release']]);
	expect(marked()).toEqual([]);
	// Someone else adds a tag.
	tags.set('s-alpha', ['release', 'theirs']);
	isFailing = true;
	await screen.press('u');
	await see('Changed the tags of 1 of 2; gamma: It is away');
	expect([...tags.values()]).toEqual([['even', 'theirs'], ['release']]);
	isFailing = false;
	await screen.press('u');
	await see('Undone: changing the tags of 2 sessions: +release -even');
	expect([...tags.values()]).toEqual([
		['even', 'theirs'],
		['release', 'even'],
	]);
	await screen.press('u');
	await see('There is nothing to undo');
});

test('all marked sessions are acknowledged at once, and undone at once', async () => {
	const {screen, see, parts} = await table();
	parts.stores.fleet.setState(state => ({
		...state,
		signals: new Map(
			['s-alpha', 's-beta'].map(id => [id, signal(id, 'needs-input', {since: 1, lastEventAt: 1})]),
		),
	}));
	await see('2 need you');
	await screen.press('V', 'm');
	await see('Acknowledged 2 sessions: out of Needs you until they ask again');
	expect(parts.calls.filter(call => call.startsWith('setAttentionMark'))).toHaveLength(2);
	await screen.press('u');
	await screen.until(() => parts.calls.filter(call => call.startsWith('clearAttentionMark')).length === 2);
	await see('Undone: acknowledging 2 sessions');
});

test('without sessions, or without matches, the table says what to do', async () => {
	const {see} = await table(80, 24, {fill: () => []});
	await see('No sessions yet.');
	await see(/n opens one, a adds an existing one by its id\./);
	const filtered = await table(80, 24);
	await filtered.screen.press('/', 'nowhere', '\r');
	await filtered.see('No matches. Esc shows all, F searches messages.');
	await filtered.see(/0 of 6/);
});

test("a refused key isn't reported as a service without a list of sessions, and a filter is named", async () => {
	const {see, parts, screen} = await table(80, 24, {
		fill: () => [],
		profile: {...appParts(fakeClock()).profile, host: 'acme.example'},
	});
	await see("Sessions that you start or add appear here. This service can't list others.");
	const problem = {what: 'Refused', at: 0};
	parts.stores.connection.setState({state: 'unauthorized', problem});
	await see('No sessions known.');
	expect((await screen.rows()).join('\n')).not.toContain('has no list');
	parts.view.setState(view => withFilter(view, 'nowhere'));
	await see('No matches. Esc shows all, F searches messages.');
});

test('when none of the marked sessions is left, no action applies to the one at the cursor instead', async () => {
	const {screen, see, parts, marked} = await table();
	await screen.press('v', 'v');
	await see('2 marked');
	const {sessions} = parts.stores.fleet.getState();
	const left = [...sessions].filter(([id]) => id !== 's-alpha' && id !== 's-beta');
	parts.stores.fleet.setState({sessions: new Map(left)});
	await screen.until(lines => !lines.join('').includes('alpha'));
	for (const key of [' ', 't', 'm', 'X']) {
		parts.stores.notices.setState({list: []});
		await screen.press(key);
		await see('None of the marked sessions exists any more: Esc clears the marks');
	}
	expect(parts.view.getState().dialogs).toEqual([]);
	expect(parts.view.getState().sessions.writing).toBeUndefined();
	await screen.press('\x1b');
	expect(marked()).toEqual([]);
});

test('what is shown is exported with the columns of `sessions list`', async () => {
	const {parts, screen, see} = await table();
	setView(parts.view, view => withFilter(view, 'delta'));
	await see('1 of 6');
	await screen.press('w');
	await see('Export this page');
	const file = join(temporaryFolder(), 'sessions.csv');
	await screen.press('\x15', file, '\r');
	await see('1 row');
	const [heading, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
	expect(heading?.split(',')).toEqual(sessionColumns.map(({name}) => name));
	expect(rows).toEqual([expect.stringMatching(/^s-delta,idle,[^,]+,delta,box,/)]);
});
