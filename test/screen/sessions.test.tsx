import {expect, test} from 'vitest';
import {streamsOnScreen} from '../../src/ui/layout-now.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {expectBox, expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownSession, signal} from '../support/fleet.ts';
import {has, openScreen} from '../support/screen.tsx';
import {openSessions as app, order, sizes} from '../support/sessions-screen.ts';
import {workParts} from '../support/work-sample.ts';

test.each(sizes)(
	'%i x %i: the filter is completed, reported when it is wrong, and kept',
	async (columns, rows) => {
		const {screen, parts} = await app(columns, rows);
		await screen.press('/');
		const kinds = await screen.until(has('Filter by', 's:'));
		expectBox(kinds, 'Filter by');
		expect(kinds.join('\n')).toMatch(/c: +computer/);
		await screen.press('s:a', '\t');
		await screen.until(has('/ s:asks'));
		expect(parts.view.getState().filters.work).toBe('s:asks ');
		await screen.press('c', ':', '\x1b[B', '\t');
		await screen.until(() => parts.view.getState().filters.work?.startsWith('s:asks c:') === true);
		await screen.press('\x15', 's:sleeping');
		await screen.until(has('no state begins with'));
		await screen.press('\x15', '!s:waiting #urg');
		await screen.until(lines => has('docs-sync')(lines) && !has('fix-login')(lines.slice(0, -1)));
		await screen.press('\r');
		await screen.until(lines => !has('hidden')([lines.at(-1) ?? '']));
		expect(parts.view.getState()).toMatchObject({filters: {work: '!s:waiting #urg'}, isFiltering: false});
	},
);

test('the next one that needs the user opens even if a kept filter hides it, and clears the filter', async () => {
	const {screen, parts} = await app(120, 40);
	await screen.until(has('2 need you'));
	await screen.press('/', 'migration', '\r');
	await screen.until(rows => !has('fix-login')(rows));
	await screen.press(']');
	await screen.until(() => parts.view.getState().shown?.id === 's-login');
	expect(parts.view.getState().filters.work).toBe('');
	await screen.press('\x1b', '/', 'zzls', '\r');
	await screen.until(has('No matches. F searches messages.'));
	// Each pane says that it is filtered.
	await screen.until(has(/Needs you · \/zzls/, /Sessions · \/zzls/, /Computers · \/zzls/));
	await screen.press(']');
	await screen.until(() => parts.view.getState().focus === 'main');
	expect(parts.view.getState()).toMatchObject({filters: {work: ''}, shown: {id: 's-login'}});
	await screen.press('\x1b', '/', 'migration', '\r', '[');
	await screen.until(() => parts.view.getState().focus === 'main');
});

test('a key changes the order, and the pane says which one it is', async () => {
	const {screen} = await app(120, 40);
	await screen.until(has('search-index'));
	await screen.press('o', 'o');
	const byName = await screen.until(has('by name · 4'));
	const names = order(byName, 'cart', 'docs-sync', 'search-index', 'shop');
	expect(names).toEqual(names.toSorted((a, b) => a - b));
	await screen.press('o');
	await screen.until(rows => !has('by name ·')(rows));
});

test('a pinned session comes first in its group, and tags are shown', async () => {
	const {screen, parts} = await app(120, 40);
	await screen.until(has('docs-sync #urge'));
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

test('where one pane fits, the open session is still followed while the lists are on the screen', async () => {
	const {screen, parts} = await app(50, 20);
	openSession(parts, 's-shop', 'main');
	await screen.until(has('Message'));
	await screen.press('\x1b');
	await screen.until(has('api-migration'));
	expect(parts.calls).toContain('open s-shop');
	expect(parts.calls).not.toContain('close s-shop');
	expect(streamsOnScreen(parts)).toEqual([]);
});

test('streams stand side by side as far as there is room; they move, close and come back', async () => {
	const {screen, parts} = await app(200, 50);
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
	await screen.until(has('l next column'));
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
	const {screen, parts} = await app(100, 30);
	await screen.press('\r', '\x1b', 'j', '|');
	await screen.until(has('2 side by side need 75 columns; there are 71'));
	expect(parts.view.getState().split).toEqual([]);
});

test('a new session is created with all of its settings; a tool in both lists is reported at once', async () => {
	const asked: unknown[] = [];
	const {screen, parts} = await app(120, 40);
	Object.assign(parts.actions.service, {
		sessions: {
			create: async (draft: unknown) => {
				asked.push(draft);
				return {sessionId: 's-new', status: 'idle'};
			},
		},
	});
	await screen.until(has('fix-login'));
	await screen.press('n', 'Go', '\x1b[Z', '\r');
	await screen.until(has('Settings of the new session', 'Plan model'));
	await screen.press('\t', '\t', 'model-x\t', 'planner\t', 'one, two\t', 'Read, Edit\t', 'Edit');
	await screen.until(has('Edit is both allowed and denied: remove it from one'));
	await screen.press('\x7f\x7f\x7f\x7f', 'Web', '\x13');
	await screen.until(has('settings ask · model-x · plans with planner · #one #two · 3 tools'));
	await screen.press('\r');
	await screen.until(() => asked.length > 0);
	expect(asked).toEqual([
		{
			computerId: 'box',
			mode: 'ask',
			worktree: false,
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

test.each([
	[80, 24],
	[120, 40],
])(
	'%i x %i: a session with an unsent draft is marked in the lists, the table and its details',
	async (columns, rows) => {
		const {screen, parts} = await app(columns, rows);
		await screen.until(lines => has('cart')(lines) && !has('✎')(lines));
		openSession(parts, 's-docs', 'composer');
		await screen.press('half a thought', '\x1b', '\x1b');
		await screen.until(lines => lines.some(line => /docs-sync .* ✎ /.test(line)));
		await screen.press('i');
		await screen.until(has('✎ unsent; Space shows it'));
		await screen.press('\x1b', '2');
		await screen.until(lines => lines.some(line => /docs-sync ✎ /.test(line)));
		expectStraightBorders(screen.cells());
	},
);

test('an open session shows what it asks for below its messages while their end is in sight', async () => {
	const {parts} = workParts();
	const {open} = parts.stores.streams.getState();
	const stream = open.get('s-api');
	if (stream)
		parts.stores.streams.setState({open: new Map([...open, ['s-login', {...stream, sessionId: 's-login'}]])});
	openSession(parts, 's-login', 'main');
	const screen = openScreen(parts, 120, 24);
	await screen.until(lines =>
		lines.some(line => /asks: Claude needs your permission to use Bash ─┤/.test(line)),
	);
	await screen.press('k', 'k', 'k', 'k', 'k', 'k', 'k', 'k');
	await screen.until(lines => lines.some(line => /↓ End ─┤/.test(line)));
	await screen.press('G');
	await screen.until(lines => lines.some(line => /asks: Claude needs your permission/.test(line)));
});

test('the cursor is on the first row until a request is or a key is pressed; after that, data never moves it', async () => {
	const parts = appParts(fakeClock());
	const status = {value: 'idle', source: 'updated', at: parts.actions.clock.now()} as const;
	parts.stores.fleet.setState(fleet([knownSession('quiet', {status, wasEmpty: true})]));
	const screen = openScreen(parts, 80, 24);
	await screen.until(has('quiet'));
	const tell = (sessionId: string, since: number) =>
		parts.stores.fleet.setState(({signals}) => ({
			signals: new Map(signals).set(`claude:${sessionId}`, signal(sessionId, 'needs-input', {since})),
		}));
	const cursor = () => parts.view.getState().cursor;
	expect(cursor()).toEqual({section: 'sessions', id: 'quiet'});
	tell('asking', 2);
	await screen.until(has('1 needs you'));
	expect(cursor()).toEqual({section: 'needs', id: 'asking'});
	tell('asked-before', 1);
	await screen.until(has('2 need you'));
	expect(cursor()).toEqual({section: 'needs', id: 'asking'});
	await screen.press('j');
	await screen.until(() => cursor()?.id !== 'asking');
	const chosen = cursor();
	tell('asked-first', 0);
	await screen.until(has('3 need you'));
	expect(cursor()).toEqual(chosen);
});

test('a filter that Escape clears leaves the cursor on the row that it was on; without matches, on the one before', async () => {
	const {screen, parts} = await app(80, 24);
	await screen.until(has('2 need you'));
	const cursorId = () => parts.view.getState().cursor?.id;
	const first = cursorId();
	await screen.press('/', 's:working');
	await screen.until(() => cursorId() !== first);
	const selected = cursorId();
	await screen.press('\x1b');
	await screen.until(() => !parts.view.getState().isFiltering);
	await screen.rows();
	expect(cursorId()).toBe(selected);
	await screen.press('/', 'nowhere');
	await screen.until(() => cursorId() === undefined);
	await screen.press('\x1b');
	await screen.until(() => cursorId() === selected);
});

test('Needs you says that hooks are missing', async () => {
	const {parts, screen} = await app(120, 40);
	const said = 'H hooks · 2';
	await screen.until(lines => lines.join('').includes('Needs you'));
	parts.hooks.hint.setState({isShown: true});
	await screen.until(lines => lines.join('').includes(said));
	parts.hooks.hint.setState({isShown: false});
	await screen.until(lines => !lines.join('').includes(said));
});

test('a list whose only session is archived says so', async () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	const archivedAt = new Date(clock.now()).toISOString();
	const session = {sessionId: 's1', sessionSettings: {archivedAt}};
	parts.stores.fleet.setState(fleet([knownSession('s1', {session})]));
	const screen = openScreen(parts, 120, 40);
	const seen = await screen.until(has('1 hidden (A)', 'All have ended or are archived.'));
	expect(seen.join('\n')).not.toContain('No other sessions.');
});
