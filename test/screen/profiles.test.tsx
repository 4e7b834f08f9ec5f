import {expect, test} from 'vitest';
import {done} from '../../src/actions/notify.ts';
import {composerOf} from '../../src/ui/composer/composers.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openApp as app, withProfiles, withTwo} from '../support/profiles-screen.ts';
import {has, openScreen} from '../support/screen.tsx';

/** Fails unless the frame with this title is closed, and its sides stand under its corners. */
function expectClosed(cells: readonly (readonly string[])[], title: string): void {
	const rows = cells.map(row => row.map(cell => cell || ' ').join(''));
	const top = rows.findIndex(row => row.includes(`╭─ ${title}`));
	// A character of the row may be several units of its string: columns are those of the cells.
	const edge = cells[top] ?? [];
	const left = edge.findIndex((_, column) => edge.slice(column).join('').startsWith(`╭─ ${title}`));
	const right = edge.indexOf('╮', left);
	let bottom = top + 1;
	while (cells[bottom]?.[left] === '│' && cells[bottom]?.[right] === '│') bottom++;
	expect([cells[bottom]?.[left], cells[bottom]?.[right]], rows.join('\n')).toEqual(['╰', '╯']);
}

test.each([
	[40, 12],
	[120, 40],
])(
	'profiles and themes lie over the panes at %i x %i, and Esc leaves everything as it was',
	async (columns, rows) => {
		const {screen, parts} = app(columns, rows);
		await screen.press('P');
		await screen.until(has('open'));
		expectClosed(screen.cells(), 'Profiles');
		await screen.press('\x1b');
		await screen.press('T');
		await screen.until(has('on its own light'));
		expectClosed(screen.cells(), 'Theme');
		await screen.press('j', 'j');
		expect(parts.display.getState().theme).toBe('light');
		await screen.press('\x1b');
		expect(parts.display.getState().theme).toBe('auto');
		expect(parts.calls.filter(call => /saveTheme|switchTo/.test(call))).toEqual([]);
	},
);

test('the chosen profile is opened, unless it is open already', async () => {
	const {screen, parts} = app();
	await screen.press('P');
	await screen.until(has('open'));
	await screen.press('\r');
	await screen.press('P');
	await screen.until(has('open'));
	await screen.press('jj', '\r');
	expect(parts.calls.filter(call => call.startsWith('switchTo'))).toEqual(['switchTo local']);
});

test('a chosen theme is saved', async () => {
	const {screen, parts} = app();
	await screen.press('T');
	await screen.until(has('16 colors'));
	await screen.press('jj');
	await screen.until(has('▌ light'));
	await screen.press('j', '\r');
	await screen.until(has('Theme saved: high-contrast'));
	expect(parts.calls).toContain('saveTheme high-contrast');
});

test('an invalid profiles file is reported with its place', async () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	const list = async () => ({isDone: false, what: 'config.json:3:5: not valid JSON'}) as const;
	const screen = openScreen(withProfiles(parts, {list}), 100, 30);
	await screen.press('P');
	await screen.until(has('config.json:3:5: not valid JSON'));
});

test("text that can't be saved is asked about before switching profiles", async () => {
	const {screen, parts} = app();
	parts.stores.connection.setState({storage: {what: 'The disk is full.', at: 0}});
	parts.composers.setState({
		bySession: new Map([['s-api', composerOf({text: 'half a thought', images: [], files: []}, [])]]),
	});
	await screen.press('P');
	await screen.until(has('open'));
	await screen.press('j', '\r');
	await screen.until(has('Leave and lose unsent text?'));
	expect(parts.calls.filter(call => call.startsWith('switchTo'))).toEqual([]);
	await screen.press('y');
	expect(parts.calls).toContain('switchTo local');
});

test("the key of a saved profile is replaced without showing the old one; one kept elsewhere isn't", async () => {
	const {screen, parts} = app();
	await screen.press('K');
	await screen.until(has('Only a key stored in a file can be replaced here'));
	await screen.press('P', 'K');
	await screen.until(has('Replace the key of acme > prod', '▌ Key '));
	await screen.press('two words');
	await screen.until(has('*********', '✗ Not a key: a key is one word. Paste it again'));
	await screen.press('\r', '\x15', 'sec-ret');
	await screen.until(rows => has('*******')(rows) && !has('Not a key')(rows));
	expect(parts.calls.filter(call => call.startsWith('replaceKey'))).toEqual([]);
	await screen.press('\r');
	await screen.until(() => parts.calls.includes('replaceKey acme > prod'));
	expect(screen.written.join('')).not.toContain('sec-ret');
});

test.each([
	[80, 24],
	[120, 40],
])('an address from the environment is named: %i x %i', async (columns, rows) => {
	const {screen: opened, parts} = app(columns, rows, {
		profile: {keyFrom: 'environment', environmentAddress: {own: 'https://acme.example'}},
	});
	await opened.until(has('! Address from QUARTERDECK_BASE_URL; the profile has https://acme.example.'));
	parts.stores.connection.setState({state: 'unauthorized', problem: {what: 'The service refused it', at: 0}});
	await opened.until(has('✗ The service refused it. Address from QUARTERDECK_BASE_URL'));
	opened.close();
	const only = app(columns, rows, {profile: {keyFrom: 'environment', environmentAddress: {}}});
	await only.screen.until(lines => !has('QUARTERDECK_BASE_URL')(lines));
	const problem = {what: "The service can't be reached", at: 0};
	only.parts.stores.connection.setState({state: 'offline', hooks: 'off', problem}, true);
	await only.screen.until(has("✗ The service can't be reached. Address from QUARTERDECK_BASE_URL."));
});

test('while the key is refused, the footer first names what helps, and n says why it does nothing', async () => {
	const {screen, parts} = app(80, 24, {profile: {keyFrom: 'file'}});
	parts.stores.connection.setState({
		state: 'unauthorized',
		problem: {what: 'The service refused the key', at: 0},
	});
	await screen.until(has('✗ key refused', 'K replaces', 'r try again   P profiles   K replace key'));
	await screen.press('n');
	await screen.until(has("The service can't be used now: the line at the top says"));
	expect(parts.view.getState().dialogs).toEqual([]);
	await screen.press('K');
	await screen.until(has('Replace the key of acme > prod'));
});

test('a key that only the user knows shows nothing until they say which account it opens', async () => {
	const clock = fakeClock();
	const newKey = {id: '0a1b2c3d', kind: 'remote', file: 'a.db', createdAt: 0, usedAt: 0} as const;
	const parts = appParts(clock, {profile: {isConnected: false, newKey}});
	const opened = openScreen(parts, 100, 30);
	const chosen = () => parts.calls.filter(call => call.startsWith('openAccount'));
	const ask = async () => {
		await opened.press('r');
		await opened.until(has('Same organization?', 'account 0a1b2c3d'));
		await clock.advance(500);
		await opened.until(has('y yes'));
	};
	await ask();
	await opened.press('y');
	await ask();
	await opened.press('n');
	expect(chosen()).toEqual(['openAccount 0a1b2c3d', 'openAccount new']);
	await ask();
	await opened.press('\x1b');
	await opened.until(has('The key in QUARTERDECK_API_KEY is new here.', '◌ new key'));
	expect(chosen()).toHaveLength(2);
});

test('a profile is removed after a question, unless it is open', async () => {
	const {screen, parts} = withTwo();
	await screen.press('P');
	await screen.until(has('● acme > prod'));
	await screen.press('x');
	await screen.until(has('This profile is open: open another one first'));
	await screen.press('j', 'x');
	await screen.until(has('Remove the profile beta?', 'Its data stays'));
	await screen.press('y');
	await screen.until(
		rows =>
			has('Removed; to delete its data: quarterdeck accounts forget a1b2c3d4 ', '● acme > prod')(rows) &&
			!has('key: file')(rows),
	);
	expect(parts.calls).toContain('remove beta');
	await screen.press('x');
	await screen.until(has('The embedded service is always here'));
});

test('the selected profile becomes the default, and its row says so in full at 80 columns', async () => {
	const {screen, parts} = withTwo();
	await screen.press('P');
	await screen.until(has('● acme > prod'));
	await screen.press('j', 'd');
	await screen.until(has('From now on, every start opens beta', /beta .* key: file · default +│/));
	expect(parts.calls).toContain('makeDefault beta');
	await screen.press('d');
	await screen.until(
		has('From now on, a start opens the profile that was open last', /beta .* key: file +│/),
	);
	expect(parts.calls.at(-1)).toBe('makeDefault undefined');
	await screen.press('j');
	await screen.press('d');
	const rows = await screen.until(has(/local .* embedded service +needs no key · default +│/));
	expect(rows.filter(row => row.includes('· default'))).toHaveLength(1);
	await screen.press('kkd');
	await screen.until(has(/acme > prod .* open · default +│/));
});

test('before a key is replaced, the form says where the new one goes and which file stays as it is', async () => {
	const ours = 'A pasted key is saved in a private file in /config/keys.';
	const theirs = '/own/key stays as it is.';
	const listed = [
		{name: 'acme > prod', isLocal: false, address: 'https://acme.example', keyFrom: 'file'},
		{name: 'own', isLocal: false, address: 'https://own.example', keyFrom: 'file', keyFile: '/own/key'},
	] as const;
	const {screen} = withTwo(120, 34, {list: async () => done(listed)});
	await screen.press('P', 'K');
	const rows = await screen.until(has('Replace the key of acme > prod', ours));
	expect(has(theirs)(rows)).toBe(false);
	await screen.press('\x1b', 'P', 'j', 'K');
	await screen.until(has('Replace the key of own', ours, theirs));
	const {screen: open} = app(120, 34, {profile: {keyFrom: 'file', keyFile: '/own/key'}});
	await open.press('K');
	await open.until(has('Replace the key of acme > prod', ours, theirs));
});

test("a profile that exists only in the environment says so, and can't be edited", async () => {
	const {parts, screen: first} = app();
	first.close();
	const {name} = parts.profile;
	const address = 'https://acme.example';
	const entry = {name, isLocal: false, address, keyFrom: 'environment', isUnsaved: true} as const;
	const opened = openScreen(withProfiles(parts, {list: async () => done([entry])}), 120, 30);
	await opened.press('P');
	const rows = await opened.until(has('open, from environment'));
	expect(rows.join()).not.toContain('e edit');
	await opened.press('e');
	await opened.until(has('comes from environment variables'));
	await opened.press('K');
	await opened.until(has('The key comes from QUARTERDECK_API_KEY'));
});
