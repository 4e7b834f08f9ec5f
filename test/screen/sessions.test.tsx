import {afterEach, expect, test} from 'vitest';
import type {KnownSession} from '../../src/domain/known.ts';
import {
	type AttentionMark,
	episodeOf,
	type Subject,
	subjectKey,
} from '../../src/domain/sessions/attention.ts';
import {streamsOnScreen} from '../../src/ui/layout-now.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {type FakeClock, fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession, signal} from '../support/fleet.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen | undefined;
afterEach(() => screen?.close());

const minute = 60_000;
const sizes: readonly (readonly [number, number])[] = [
	[40, 12],
	[80, 24],
	[120, 40],
	[200, 50],
];

type Parts = ReturnType<typeof appParts>;

/** Six sessions, two of which ask, on two computers; the engine's answers about marks and pins come true at once. */
function app(columns: number, rows: number): {parts: Parts; screen: Screen; clock: FakeClock} {
	const clock = fakeClock();
	const parts = appParts(clock);
	const now = clock.now();
	const session = (id: string, title: string, ago: number, more: Partial<KnownSession> = {}) =>
		knownSession(id, {
			addedAt: now - ago * minute,
			computerId: 'box',
			session: {sessionId: id, title, createdAt: now - ago * minute},
			status: {value: 'idle', source: 'activity', at: now - ago * minute},
			...more,
		});
	const tagged = (name: string) => ({
		session: {sessionId: 's-docs', title: 'docs-sync', sessionSettings: {tags: [{name}]}},
	});
	const asks = (id: string, ago: number, message: string) =>
		signal(id, 'needs-permission', {message, since: now - ago * minute, lastEventAt: now - ago * minute});
	parts.stores.fleet.setState(
		fleet(
			[
				session('s-api', 'api-migration', 9),
				session('s-login', 'fix-login', 8),
				session('s-docs', 'docs-sync', 7, tagged('urgent')),
				session('s-shop', 'shop', 6, {computerId: 'gpu'}),
				session('s-cart', 'cart', 5, {status: {value: 'running', source: 'activity', at: now}}),
				session('s-search', 'search-index', 4),
			],
			[knownComputer('box', {name: 'build-box'}), knownComputer('gpu', {name: 'gpu-1'}, now - 1)],
			[asks('s-api', 3, 'May I run the migration?'), asks('s-login', 12, 'May I push?')],
		),
	);
	parts.stores.connection.setState({state: 'polling', okAt: now, nextAt: now + 3000, latency: 84});
	const {engine} = parts.actions;
	const marks = () => new Map(parts.stores.attention.getState().marks);
	engine.attention.put = (mark: AttentionMark) =>
		parts.stores.attention.setState({marks: marks().set(subjectKey(mark.subject), mark)});
	engine.attention.remove = (subject: Subject) => {
		const left = marks();
		left.delete(subjectKey(subject));
		parts.stores.attention.setState({marks: left});
	};
	engine.sessions.mark = (id, change) => {
		const {sessions} = parts.stores.fleet.getState();
		const known = sessions.get(id);
		if (known) parts.stores.fleet.setState({sessions: new Map(sessions).set(id, {...known, ...change})});
	};
	screen = openScreen(parts, columns, rows);
	return {parts, screen, clock};
}

/** A box over the panes: its sides stand under its corners, down to its lower edge. */
function expectBox(rows: readonly string[], title: string): void {
	const top = rows.findIndex(row => row.includes(`╭─ ${title}`));
	const left = rows[top]?.indexOf(`╭─ ${title}`) ?? -1;
	const right = rows[top]?.indexOf('╮', left) ?? -1;
	const bottom = rows.findIndex((row, index) => index > top && row[left] === '╰');
	expect(right).toBeGreaterThan(left);
	expect(bottom).toBeGreaterThan(top);
	for (const row of rows.slice(top + 1, bottom)) expect([row[left], row[right]]).toEqual(['│', '│']);
	expect(rows[bottom]?.[right]).toBe('╯');
}

const order = (rows: readonly string[], ...names: readonly string[]) =>
	names.map(name => rows.findIndex(row => row.slice(0, 44).includes(name)));

test.each(sizes)(
	'%i x %i: what needs the user stands first, longest first, with its wait',
	async (columns, rows) => {
		const {screen} = app(columns, rows);
		const seen = await screen.until(has('fix-login', 'api-migration'));
		expectStraightBorders(screen.cells());
		const [login, api] = order(seen, 'fix-login', 'api-migration');
		expect(login).toBeLessThan(api ?? 0);
		expect(seen.join('\n')).toMatch(/fix-login +(?:\S.* )?12m/);
	},
);

test.each(sizes)(
	'%i x %i: the filter is completed, told when it is wrong, and kept',
	async (columns, rows) => {
		const {screen, parts} = app(columns, rows);
		await screen.until(has('fix-login'));
		await screen.press('/');
		const kinds = await screen.until(has('Filter by', 's:'));
		expectBox(kinds, 'Filter by');
		expect(kinds.join('\n')).toMatch(/c: +computer/);
		await screen.press('s:w', '\t');
		await screen.until(has('/ s:waiting'));
		expect(parts.view.getState().filter).toBe('s:waiting ');
		await screen.press('c', ':', '\x1b[B', '\t');
		await screen.until(() => parts.view.getState().filter.startsWith('s:waiting c:'));
		await screen.press('\x15', 's:sleeping');
		await screen.until(has('no state begins with'));
		await screen.press('\x15', '!s:waiting #urg');
		await screen.until(lines => has('docs-sync')(lines) && !has('fix-login')(lines.slice(0, -1)));
		await screen.press('\r');
		await screen.until(lines => !has('hidden')([lines.at(-1) ?? '']));
		expect(parts.view.getState()).toMatchObject({filter: '!s:waiting #urg', isFiltering: false});
	},
);

test('the order goes through attention, activity and name, and the pane says which', async () => {
	const {screen} = app(120, 40);
	await screen.until(has('search-index'));
	await screen.press('o', 'o');
	const byName = await screen.until(has('by name · 4'));
	const names = order(byName, 'cart', 'docs-sync', 'search-index', 'shop');
	expect(names).toEqual(names.toSorted((a, b) => a - b));
	await screen.press('o');
	await screen.until(rows => !has('by name ·')(rows));
});

test('a pinned session stands first in its group, tags are shown', async () => {
	const {screen, parts} = app(120, 40);
	await screen.until(has('docs-sync #urgent'));
	// Down to the third row of Sessions: docs-sync.
	for (let i = 0; i < 12 && parts.view.getState().cursor?.id !== 's-docs'; i++) await screen.press('j');
	await screen.press('p');
	const seen = await screen.until(has('◆ docs-sync'));
	expect(Math.min(...order(seen, 'search-index', 'shop'))).toBeGreaterThan(
		order(seen, '◆ docs-sync')[0] ?? 99,
	);
	expect(parts.view.getState().cursor).toEqual({section: 'sessions', id: 's-docs'});
	await screen.press('p');
	await screen.until(rows => !has('◆')(rows));
});

test('acknowledging goes on to the next that asks, counts down, and is undone', async () => {
	const {screen, parts} = app(120, 40);
	await screen.until(has('2 need you'));
	await screen.press('m');
	const one = await screen.until(has('1 needs you'));
	expect(one.join('\n')).toMatch(/fix-login +acknowledged/);
	expect(parts.view.getState().cursor).toEqual({section: 'needs', id: 's-api'});
	await screen.press('m');
	await screen.until(has('nothing needs you'));
	await screen.press('u');
	await screen.until(has('1 needs you'));
	const footer = (await screen.until(has('Undone'))).at(-1);
	expect(footer).not.toContain('undoes this');
	await screen.press('u');
	await screen.until(has('2 need you'));
});

test('a session that was acknowledged asks again when its state changes anew', async () => {
	const {screen, parts, clock} = app(120, 40);
	await screen.until(has('2 need you'));
	await screen.press('m');
	await screen.until(has('1 needs you'));
	const {signals} = parts.stores.fleet.getState();
	const [key, old] = [...signals].find(([, one]) => one.sessionId === 's-login') ?? [];
	if (!key || !old) throw new Error('no signal');
	const at = clock.now();
	parts.stores.fleet.setState({
		signals: new Map(signals).set(key, {...old, state: 'needs-input', since: at, lastEventAt: at}),
	});
	await screen.until(has('2 need you'));
});

test.each(sizes)(
	'%i x %i: the inbox tells waits, snoozes, jumps, and keeps its row',
	async (columns, rows) => {
		const {screen, parts} = app(columns, rows);
		await screen.until(has('fix-login'));
		await screen.press('I');
		const open = await screen.until(has('Inbox', '2 waiting'));
		expectBox(open, 'Inbox');
		expect(open.join('\n')).toMatch(/fix-login.*waiting 12m/);
		await screen.press('z');
		expectBox(await screen.until(has('Snooze', '15 minutes', 'tomorrow')), 'Snooze');
		await screen.press('2');
		const snoozed = await screen.until(has('1 waiting', '1 acknowledged'));
		expect(snoozed.join('\n')).toMatch(/fix-login.*until \d\d:\d\d|fix-login.*tomorrow \d\d:\d\d/);
		expect(parts.view.getState().dialogs).toEqual([{kind: 'inbox', id: 's-api'}]);
		await screen.press('u');
		await screen.until(has('2 waiting'));
		expect(parts.view.getState().dialogs).toEqual([{kind: 'inbox', id: 's-api'}]);
		await screen.press('\r');
		await screen.until(lines => !has('Inbox')(lines));
		expect(parts.view.getState()).toMatchObject({shown: {kind: 'session', id: 's-api'}, focus: 'main'});
	},
);

test.each(sizes)(
	'%i x %i: a failed computer stands in Needs you and the inbox, is acknowledged, snoozed and opened',
	async (columns, rows) => {
		const {screen, parts, clock} = app(columns, rows);
		await screen.until(has('fix-login'));
		const {computers} = parts.stores.fleet.getState();
		const failedAt = clock.now() - 20 * minute;
		const steps = [{name: 'install', status: 'failed', error: 'no disk', completedAt: failedAt}];
		const gpu = knownComputer('gpu', {name: 'gpu-1', provisioningSteps: steps});
		parts.stores.fleet.setState({computers: new Map(computers).set('gpu', gpu)});
		const isWaiting = (line: string) => /✗ gpu-1 .* 20m/.test(line);
		const seen = await screen.until(lines => lines.some(isWaiting));
		expectStraightBorders(screen.cells());
		const [computer, login] = order(seen, 'gpu-1', 'fix-login');
		expect(computer).toBeLessThan(login ?? 0);
		// It has waited the longest.
		await screen.press('g');
		await screen.until(() => parts.view.getState().cursor?.isComputer === true);
		expect(parts.view.getState().shown).toEqual({kind: 'computer', id: 'gpu'});
		await screen.press('m');
		await screen.until(lines => has('Acknowledged until')(lines) && !lines.some(isWaiting));
		expect(parts.view.getState().cursor).toEqual({section: 'needs', id: 's-login'});
		await screen.press('u');
		await screen.until(lines => lines.some(isWaiting));
		await screen.press('I');
		const open = await screen.until(has('Inbox', '3 waiting'));
		expect(open.join('\n')).toMatch(/✗ failed +gpu-1.*waiting 20m/);
		expect(parts.view.getState().dialogs).toEqual([{kind: 'inbox', id: 'gpu', isComputer: true}]);
		await screen.press('z');
		await screen.until(has('Snooze', '15 minutes'));
		await screen.press('1');
		await screen.until(has('2 waiting', '1 acknowledged'));
		expect(parts.view.getState().dialogs).toEqual([{kind: 'inbox', id: 's-login'}]);
		await screen.press('u');
		await screen.until(has('3 waiting'));
		await screen.press('\x1b[A', '\r');
		await screen.until(has('step failed', 'retries the dependency install'));
		expect(parts.view.getState()).toMatchObject({shown: {kind: 'computer', id: 'gpu'}, focus: 'main'});
		await screen.press(']');
		await screen.until(() => parts.view.getState().shown?.id === 's-login');
		await screen.press('[');
		await screen.until(() => parts.view.getState().shown?.id === 'gpu');
	},
);

test.each(sizes)('%i x %i: a quick reply leaves what is open, and keeps its draft', async (columns, rows) => {
	const {screen, parts} = app(columns, rows);
	await screen.until(has('fix-login'));
	openSession(parts, 's-shop', 'lists');
	await screen.press('g', ' ');
	expectBox(await screen.until(has('Reply to fix-login', 'May I push?')), 'Reply to fix-login');
	await screen.press('yes, push');
	await screen.until(has('> yes, push'));
	await screen.press('\x1b');
	await screen.until(lines => !has('Reply to')(lines));
	expect(parts.view.getState()).toMatchObject({shown: {id: 's-shop'}, focus: 'lists'});
	await screen.press(' ');
	await screen.until(has('> yes, push'));
	await screen.press('\r');
	await screen.until(lines => !has('Reply to')(lines));
	expect(parts.calls).toContain('enqueue s-login yes, push');
	expect(parts.view.getState()).toMatchObject({shown: {id: 's-shop'}, focus: 'lists'});
	expect(parts.calls.filter(call => call === 'open s-login').length).toBe(
		parts.calls.filter(call => call === 'close s-login').length,
	);
});

test('without a pane of its own, what needs the user has a heading where all rows fit', async () => {
	const {screen, parts, clock} = app(80, 24);
	const at = clock.now();
	const asks = {state: 'asks', evidence: 'question', newestId: 'm', at, changedAt: at, unread: 1} as const;
	const idle = {...asks, state: 'your-turn', evidence: 'answer', unread: 0} as const;
	const show = (count: number) => {
		const others = Array.from({length: count}, (_, index) => knownSession(`s-${index}`, {activity: idle}));
		parts.stores.fleet.setState(fleet([knownSession('s-asks', {activity: asks}), ...others], []));
	};
	show(2);
	const rows = await screen.until(has('Needs you 1', 'Idle 2'));
	expect(rows.findIndex(row => row.includes('Needs you 1'))).toBe(2);
	expect(rows[3]).toContain('s-asks');
	await screen.press('g');
	await screen.until(lines => lines[3]?.includes('▌') === true);
	await screen.press('k', 'j');
	await screen.until(lines => lines.some(line => /▌.*s-0/.test(line)));
	show(20);
	await screen.until(lines => has('Idle 20')(lines) && !has('Needs you 1')(lines));
});

test('a quick reply to a long answer says how many lines it leaves out', async () => {
	const {screen, parts} = app(80, 24);
	const show = (text: string) => {
		const message = {id: 'm-1', role: 'assistant', content: [{type: 'text', text}]} as const;
		const entry = {kind: 'message', id: 'm-1', version: 1, message, role: 'assistant'} as const;
		const stream = {sessionId: 's-login', entries: [entry], hasOlder: false, phase: {name: 'ready'}} as const;
		parts.stores.streams.setState({open: new Map([['s-login', stream]])});
	};
	const numbers = (count: number) =>
		Array.from({length: count}, (_, index) => `file ${index + 1}`).join('\n');
	const box = (rows: readonly string[]) => {
		const top = rows.findIndex(row => row.startsWith('╭─ fix-login'));
		return rows.slice(top + 1, top + 7).map(row => row.replace(/│/g, '').trim());
	};
	show(numbers(5));
	await screen.press('g', ' ');
	expect(box(await screen.until(has('file 5')))).toEqual(['May I push?', ...numbers(5).split('\n')]);
	show(numbers(20));
	expect(box(await screen.until(has('file 20')))).toEqual([
		'May I push?',
		'+ 16 lines',
		...numbers(20).split('\n').slice(-4),
	]);
	// What stands above it isn't left out.
	show(`May I push?\n${numbers(19)}`);
	expect(box(await screen.until(has('file 16')))[1]).toBe('+ 15 lines');
	show(numbers(1_000));
	expect(box(await screen.until(has('file 1000')))).toEqual([
		'May I push?',
		'+ the rest of 8.9 kB',
		...numbers(1_000).split('\n').slice(-4),
	]);
});

test('a quick reply shows a question once that is in the last message', async () => {
	const {screen, parts} = app(80, 24);
	const content = [{type: 'text', text: 'All is committed.\n\n**May I push?**'}];
	const message = {id: 'm-1', role: 'assistant', content} as const;
	const entry = {kind: 'message', id: 'm-1', version: 1, message, role: 'assistant'} as const;
	const stream = {sessionId: 's-login', entries: [entry], hasOlder: false, phase: {name: 'ready'}} as const;
	parts.stores.streams.setState({open: new Map([['s-login', stream]])});
	await screen.press('g', ' ');
	const rows = await screen.until(has('Reply to fix-login', 'All is committed.'));
	const box = rows.slice(rows.findIndex(row => row.startsWith('╭─ fix-login')));
	expect(box.filter(row => row.includes('May I push?'))).toHaveLength(1);
});

test.each([
	['your-turn', 'Acknowledged until there is news'],
	['failed', 'Acknowledged until there is news'],
	['asks', 'Acknowledged until it asks again'],
] as const)('a session whose turn says %s: %s', async (state, words) => {
	const {screen, parts, clock} = app(120, 40);
	const at = clock.now();
	const activity = {state, evidence: 'answer', newestId: 'm', at, changedAt: at, unread: 1} as const;
	parts.stores.fleet.setState(fleet([knownSession('s-end', {addedAt: at, activity})], []));
	await screen.press('g', 'm');
	await screen.until(has(words));
});

test('where one pane fits, the open session is followed while the lists are on the screen', async () => {
	const {screen, parts} = app(50, 20);
	await screen.until(has('fix-login'));
	openSession(parts, 's-shop', 'main');
	await screen.until(has('Message'));
	await screen.press('\x1b');
	await screen.until(has('api-migration'));
	expect(parts.calls).toContain('open s-shop');
	expect(parts.calls).not.toContain('close s-shop');
	expect(streamsOnScreen(parts)).toEqual([]);
});

test('streams side by side: as many as have room, one with the focus; they move, close and come back', async () => {
	const {screen, parts} = app(200, 50);
	await screen.until(has('fix-login'));
	await screen.press('\r', '\x1b', 'j', '|');
	await screen.until(rows =>
		rows.some(row => row.includes('fix-login ·') && row.includes('api-migration ·')),
	);
	expectStraightBorders(screen.cells());
	await screen.press('j', '|');
	await screen.until(has('Message to'));
	expect(parts.view.getState().split).toHaveLength(3);
	expect(parts.calls.filter(call => call.startsWith('open '))).toHaveLength(3);
	const before = parts.view.getState();
	const third = before.split[2];
	openSession(parts, third ?? '', 'main');
	await screen.press('h');
	expect(parts.view.getState().shown?.id).toBe(before.split[1]);
	await screen.press('<');
	expect(parts.view.getState().split).toEqual([before.split[1], before.split[0], third]);
	await screen.press('|');
	expect(parts.view.getState().split).toEqual([before.split[0], third]);
	expect(parts.calls).toContain(`close ${before.split[1]}`);
	// Two have room at 120 columns, one at 80: the one with the focus stays.
	const shown = parts.view.getState().shown?.id;
	await screen.resize(80, 24);
	expectStraightBorders(screen.cells());
	expect(streamsOnScreen(parts)).toContain(shown);
	await screen.resize(60, 20);
	expect(streamsOnScreen(parts)).toEqual([shown]);
	await screen.resize(200, 50);
	expect(streamsOnScreen(parts)).toEqual([before.split[0], third]);
});

test('a screen without room for two streams says how many columns they need', async () => {
	const {screen, parts} = app(100, 30);
	await screen.until(has('fix-login'));
	await screen.press('\r', '\x1b', 'j', '|');
	await screen.until(has('2 side by side need 75 columns; there are 71'));
	expect(parts.view.getState().split).toEqual([]);
});

test('a new session begins with all of its settings; a tool in both lists is told as it is typed', async () => {
	const asked: unknown[] = [];
	const {screen, parts} = app(120, 40);
	Object.assign(parts.actions.service, {
		sessions: {
			create: async (draft: unknown) => {
				asked.push(draft);
				return {sessionId: 's-new', status: 'idle'};
			},
		},
	});
	await screen.until(has('fix-login'));
	await screen.press('S');
	await screen.until(has('New session', 'Plan model'));
	await screen.press('/srv', '\t', 'model-x\t', 'planner\t', 'one, two\t', 'Read, Edit\t', 'Edit');
	await screen.until(has('Edit is both allowed and denied: remove it from one'));
	await screen.press('\x7f\x7f\x7f\x7f', 'Web', '\x13');
	await screen.until(() => asked.length > 0);
	expect(asked).toEqual([
		{
			computerId: 'box',
			cwd: '/srv',
			sessionSettings: {
				model: 'model-x',
				specModeModel: 'planner',
				tags: [{name: 'one'}, {name: 'two'}],
				enabledToolIds: ['Read', 'Edit'],
				disabledToolIds: ['Web'],
			},
		},
	]);
});

test('a letter goes to the next computer that begins with it', async () => {
	const {screen, parts} = app(120, 40);
	await screen.until(has('fix-login'));
	await screen.press('S');
	await screen.until(has('New session', '(●) build-box'));
	await screen.press('\x1b[Z', 'g');
	await screen.until(has('(●) gpu-1'));
	expect(parts.forms.getState().form?.values.computerId).toBe('gpu');
	await screen.press('b');
	await screen.until(has('(●) build-box'));
	await screen.press('z');
	await screen.until(has('(●) build-box'));
});

test('every datum has its age in the details', async () => {
	const {screen, clock} = app(120, 40);
	await screen.until(has('fix-login'));
	await screen.press('i');
	const seen = (await screen.until(has('last response'))).join('\n');
	expect(seen).toMatch(/computer +build-box \(as of \d+\w ago\)/);
	expect(seen).toMatch(/last response +0s ago, next in 3s/);
	expect(episodeOf({state: 'permission', since: clock.now()})).toContain('permission');
});

test('what an open session asks for stands under its messages, while their end is in sight', async () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	fillWithWork(parts.stores, clock.now());
	const {open} = parts.stores.streams.getState();
	const stream = open.get('s-api');
	if (stream)
		parts.stores.streams.setState({open: new Map([...open, ['s-login', {...stream, sessionId: 's-login'}]])});
	openSession(parts, 's-login', 'main');
	screen = openScreen(parts, 120, 24);
	await screen.until(lines => lines.some(line => /! Claude needs your permission to use Bash ─┤/.test(line)));
	await screen.press('k', 'k', 'k', 'k', 'k', 'k', 'k', 'k');
	await screen.until(lines => lines.some(line => /↓ End ─┤/.test(line)));
	await screen.press('G');
	await screen.until(lines => lines.some(line => /! Claude needs your permission/.test(line)));
});

test('until a key is pressed, the cursor is on the first row; then data never moves it', async () => {
	const {screen, parts, clock} = app(80, 24);
	await screen.until(has('2 need you'));
	const ask = (sessionId: string, since: number) =>
		parts.stores.fleet.setState(({signals}) => ({
			signals: new Map(signals).set(`claude:${sessionId}`, signal(sessionId, 'needs-input', {since})),
		}));
	const first = parts.view.getState().cursor;
	ask('new-one', 1);
	await screen.until(has('3 need you'));
	expect(parts.view.getState().cursor).toEqual({section: 'needs', id: 'new-one'});
	expect(parts.view.getState().cursor).not.toEqual(first);
	await screen.press('j');
	await screen.until(() => parts.view.getState().cursor?.id !== 'new-one');
	const chosen = parts.view.getState().cursor;
	ask('newer', 0);
	await screen.until(has('4 need you'));
	await clock.advance(1000);
	expect(parts.view.getState().cursor).toEqual(chosen);
});

test.each([
	[120, 40, 'H hooks · 2'],
	[200, 50, 'H installs hooks · ] next · 2'],
])('%i x %i: that hooks are missing is said beside those who need the user', async (columns, rows, said) => {
	const {parts, screen} = app(columns, rows);
	await screen.until(lines => lines.join('').includes('Needs you'));
	parts.hooks.hint.setState({isShown: true});
	await screen.until(lines => lines.join('').includes(said));
	parts.hooks.hint.setState({isShown: false});
	await screen.until(lines => !lines.join('').includes(said));
});
