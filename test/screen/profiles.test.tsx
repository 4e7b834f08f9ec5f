import {afterEach, expect, test} from 'vitest';
import {done} from '../../src/actions/result.ts';
import type {ProfileDraft} from '../../src/domain/accounts/profile.ts';
import {composerOf} from '../../src/ui/composer/composers.ts';
import type {Profiles} from '../../src/ui/profiles.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen | undefined;
afterEach(() => screen?.close());

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

function app(columns = 100, rows = 30, more: Parameters<typeof appParts>[1] = {}) {
	const clock = fakeClock();
	const parts = appParts(clock, more);
	if (more.profile?.isConnected !== false) fillWithWork(parts.stores, clock.now());
	screen = openScreen(parts, columns, rows);
	return {parts, screen};
}

function withProfiles(parts: AppParts, changed: Partial<Profiles>): AppParts {
	const {program} = parts;
	return {...parts, program: {...program, profiles: {...program.profiles, ...changed}}};
}

test.each([
	[40, 12],
	[80, 24],
	[120, 40],
	[200, 50],
])(
	'profiles and themes lie over the panes on %i x %i, and Esc leaves all as it was',
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

test('the chosen profile is opened, the open one is not opened again', async () => {
	const {screen, parts} = app();
	await screen.press('P');
	await screen.until(has('open'));
	await screen.press('\r');
	await screen.press('P');
	await screen.until(has('open'));
	await screen.press('jj', '\r');
	expect(parts.calls.filter(call => call.startsWith('switchTo'))).toEqual(['switchTo local']);
});

test('a theme that is kept stays, and is written', async () => {
	const {screen, parts} = app();
	await screen.press('T');
	await screen.until(has('16 colors'));
	await screen.press('jjj', '\r');
	await screen.until(has('Theme saved: high-contrast'));
	expect(parts.calls).toContain('saveTheme high-contrast');
});

test('a profiles file that is wrong is told, with its place', async () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	const list = async () => ({isDone: false, what: 'config.json:3:5: not valid JSON'}) as const;
	screen = openScreen(withProfiles(parts, {list}), 100, 30);
	await screen.press('P');
	await screen.until(has('config.json:3:5: not valid JSON'));
});

test('what was typed as the key is never drawn, and goes to whoever connects', async () => {
	let asked: ProfileDraft | undefined;
	const clock = fakeClock();
	const parts = appParts(clock, {profile: {isConnected: false}});
	const connect = async (draft: ProfileDraft) => {
		asked = draft;
		return done(undefined);
	};
	screen = openScreen(withProfiles(parts, {connect}), 100, 30);
	await screen.press('c');
	await screen.until(has('Connect to a service'));
	await screen.press('https://acme.example', '\t', 't', '\t', 'sec-ret');
	await screen.until(has('*******'));
	await screen.press('\x13');
	await screen.until(() => asked !== undefined);
	expect(asked).toEqual({
		name: 'default',
		baseUrl: 'https://acme.example',
		appUrl: '',
		keyFrom: 'typed',
		value: 'sec-ret',
	});
	expect(screen.written.join('')).not.toContain('sec-ret');
});

test('without a service, no key waits for its computer', async () => {
	const {screen, parts} = app(100, 30, {profile: {isConnected: false}});
	await screen.until(has('Welcome', 'key settings', 'serve --port 4311` prints the path of its key file.'));
	await screen.until(has("the service's web app.", 'Scripts can set'));
	await screen.press('s', 'S', 'l', '?');
	await screen.until(has('Keys'));
	expect(parts.stores.notices.getState().list).toEqual([]);
	await screen.press('\x1b', 'c');
	await screen.until(has('Connect to a service'));
});

test('each source of the key has its own field, and none is asked for where the environment has it', async () => {
	const {screen} = app(100, 30, {profile: {isConnected: false}});
	await screen.press('c');
	await screen.until(has('Connect to a service'));
	await screen.press('\t', 'f');
	await screen.until(has('Key file'));
	await screen.press('c');
	await screen.until(has('Command'));
	await screen.press('e');
	await screen.until(
		rows => has('QUARTERDECK_API_KEY has the key; nothing is saved')(rows) && !has('Command')(rows),
	);
});

test('what can not be kept is asked about before it is left', async () => {
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

test('addresses and the name of a profile are checked as they are typed', async () => {
	const {screen} = app(100, 30, {profile: {isConnected: false}});
	await screen.press('c');
	await screen.until(has('Connect to a service'));
	await screen.press('http://host.example');
	await screen.until(has('The address is http to another machine'));
	await screen.press('\x15', 'https://host.example');
	await screen.until(rows => !has('another machine')(rows));
	await screen.press('\t', '\t', '\t', ' staging');
	await screen.until(has('Only letters, digits, dots and dashes'));
	await screen.press('\x15', 'staging');
	await screen.until(rows => !has('Only letters, digits')(rows));
	await screen.press('\t', 'https://app.example/api');
	await screen.until(has('The address holds the /api part of the path', 'try https://service.example'));
});

test('an address without its scheme is completed; Enter goes to the key, and the name follows the address', async () => {
	const {screen, parts} = app();
	await screen.press('P');
	await screen.until(has('connect another'));
	await screen.press('n', 'acme.example');
	await screen.until(has('as https://acme.example', 'Profile       acme.example'));
	await screen.press('\r');
	await screen.until(has('▌ Key '));
	// Nor can a key be pasted in plain sight right before its field.
	await screen.press('\x1b[Z', '\x1b[200~sec-ret\x1b[201~');
	await screen.until(has('▌ Key ', '*******'));
	await screen.press('\r');
	await screen.until(() => parts.calls.some(call => call.startsWith('connect')));
	expect(parts.calls).toContain('connect acme.example acme.example typed');
	expect(screen.written.join('')).not.toContain('sec-ret');
});

test('the key of a saved profile is replaced without showing the old one; one kept elsewhere is not', async () => {
	const {screen, parts} = app();
	await screen.press('K');
	await screen.until(has('Only a key stored in a file can be replaced here'));
	await screen.press('P', 'K');
	await screen.until(has('Replace the key of acme > prod', '▌ Key '));
	await screen.press('two words');
	await screen.until(has('*********', '✗ Not a key, which is one word: paste it again'));
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
])('an address of the environment is named: %i x %i', async (columns, rows) => {
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

test('only for a key in a file does the list of profiles offer to replace it', async () => {
	const {parts} = app();
	screen?.close();
	const profiles = [
		{name: 'saved', isLocal: false, address: 'https://acme.example', keyFrom: 'file'},
		{name: 'scripted', isLocal: false, address: 'https://acme.example', keyFrom: 'environment'},
		{name: 'local', isLocal: true},
	] as const;
	const opened = openScreen(withProfiles(parts, {list: async () => done(profiles)}), 100, 30);
	screen = opened;
	await opened.press('P');
	await opened.until(has('e edit · K replace key · c connect another · Esc close', 'needs no key'));
	await opened.press('j');
	await opened.until(
		has('e edit · x remove · c connect another', 'e edit   x remove   c connect another   Esc close'),
	);
	await opened.press('k');
	await opened.until(
		has('K replace key · c', 'e edit   K replace key   x remove   c connect another   Esc close'),
	);
	await opened.press('jj');
	await opened.until(has('── Enter open · c connect another · Esc close', 'c connect another   Esc close'));
});

test('a service that takes no requests: the footer says what helps first, and n why not', async () => {
	const {screen, parts} = app(80, 24, {profile: {keyFrom: 'file'}});
	parts.stores.connection.setState({
		state: 'unauthorized',
		problem: {what: 'The service refused the key', at: 0},
	});
	await screen.until(has('✗ key refused', 'K replaces', 'r try again   P profiles   K replace key'));
	await screen.press('n');
	await screen.until(has("The service can't be used now: the line at the top says why, and what helps"));
	expect(parts.view.getState().dialogs).toEqual([]);
	await screen.press('K');
	await screen.until(has('Replace the key of acme > prod'));
});

const saved = {name: 'beta', isLocal: false, address: 'https://beta.example', keyFrom: 'file'} as const;
const open = {name: 'acme > prod', isLocal: false, address: 'https://acme.example', keyFrom: 'file'} as const;

/** A screen with these two profiles, and the embedded service. */
function withTwo(columns = 80, rows = 24) {
	const clock = fakeClock();
	const parts = appParts(clock);
	const list = async () => done([open, saved, {name: 'local', isLocal: true}]);
	const opened = openScreen(withProfiles(parts, {list}), columns, rows);
	screen = opened;
	return {parts, clock, screen: opened};
}

test('connecting as a profile that exists asks whether to change it', async () => {
	const {screen, parts, clock} = withTwo();
	await screen.press('P');
	await screen.until(has('c connect another'));
	await screen.press('c', 'new.example', '\t', '\t', 'sec-ret', '\t', '\x15', 'beta');
	await screen.until(has('exists: connecting asks whether to change it'));
	await screen.press('\r');
	await screen.until(
		has('Change the profile beta?', 'https://beta.example, becomes', 'https://new.example.', 'stays with'),
	);
	// The second of two presses is no yes.
	await screen.press('\r');
	await clock.advance(500);
	await screen.press('\r', 'n');
	await screen.until(has('▌ Profile ', 'The profile beta exists: choose another name, or change it.'));
	await screen.press('\r');
	await screen.until(has('Change the profile beta?'));
	await clock.advance(500);
	await screen.press('y');
	await screen.until(() => parts.calls.some(call => call.startsWith('connect')));
	expect(parts.calls).toContain('connect beta new.example typed instead of beta');
	await screen.until(rows => !has('Connect to a service')(rows));
	expect(parts.view.getState().dialogs).toEqual([]);
});

test('what is typed while the profiles are read stays in the form', async () => {
	let isRead = Promise.resolve();
	const list = () => isRead.then(() => done([open, saved]));
	screen = openScreen(withProfiles(appParts(fakeClock()), {list}), 80, 24);
	await screen.press('P');
	await screen.until(has('c connect another'));
	await screen.press('c', 'new.example', '\t', '\t', 'sec-ret', '\t', '\x15', 'beta', '\t');
	await screen.until(has('Profile       beta', '▌ App address'));
	const reading = Promise.withResolvers<void>();
	isRead = reading.promise;
	await screen.press('\r', 'app.example');
	await screen.until(has('waiting for the service', 'App address   app.example'));
	reading.resolve();
	await screen.until(has('Change the profile beta?'));
	await screen.press('\x1b');
	await screen.until(has('▌ Profile ', 'App address   app.example'));
});

test('a profile is changed in place: the form has what is saved, and the name is free or its own', async () => {
	const {screen, parts} = withTwo();
	await screen.press('P');
	await screen.until(has('e edit'));
	await screen.press('j', 'e');
	await screen.until(
		has('Profile beta', 'Address       https://acme.example', '(●) file', 'Key file      /keys/acme'),
	);
	await screen.until(has('What is stored belongs to an address'));
	await screen.press('\x15', 'new.example', '\t', '\t', '\t', '\x15', 'local');
	await screen.until(has('local is the name of the embedded service'));
	await screen.press('\x15', 'acme2', '\r');
	await screen.until(() => parts.calls.some(call => call.startsWith('change')));
	expect(parts.calls).toContain('change beta to acme2 new.example file /keys/acme');
	await screen.until(rows => !has('Profile beta')(rows));
	// Canceled: what was typed is there again, but what was only looked at is read anew.
	await screen.press('P');
	await screen.until(has('e edit'));
	await screen.press('j', 'e');
	await screen.until(has('Profile beta', '▌ Address'));
	await screen.press('/v2', '\x1b', 'P');
	await screen.until(has('e edit'));
	await screen.press('j', 'e');
	await screen.until(has('Address       https://acme.example/v2'));
	await screen.press('\x7f', '\x7f', '\x7f', '\x1b');
	expect(parts.forms.kept.size).toBe(0);
});

const typedDraft: ProfileDraft = {
	name: 'beta',
	replaces: 'beta',
	baseUrl: 'http://127.0.0.1:8091',
	appUrl: '',
	keyFrom: 'typed',
	value: '',
};

/** Opens the form of the profile beta, whose key was typed; `change` saves it. */
async function editTyped(change: Profiles['change']) {
	const clock = fakeClock();
	const parts = withProfiles(appParts(clock), {
		list: async () => done([open, saved]),
		draftOf: async () => done(typedDraft),
		change,
	});
	const opened = openScreen(parts, 80, 24);
	screen = opened;
	await opened.press('P');
	await opened.until(has('e edit'));
	await opened.press('j', 'e');
	await opened.until(has('Profile beta', '(●) typed'));
	return {screen: opened, clock};
}

test('a typed key that another address refuses is asked for in its own field, with the reason', async () => {
	const drafts: ProfileDraft[] = [];
	const {screen} = await editTyped(async draft => {
		drafts.push(draft);
		return drafts.length === 1
			? {isDone: false, what: 'The service refused the key (401).', field: 'key'}
			: done(undefined);
	});
	await screen.press('\x15', '127.0.0.1:8591', '\r');
	await screen.until(
		has('▌ Key  ', 'The service refused the key (401).', 'paste another one here; empty keeps the saved one'),
	);
	expect((await screen.rows()).join('\n')).not.toMatch(/Key file|is missing/);
	await screen.press('new-key', '\r');
	await screen.until(rows => !has('Profile beta')(rows));
	expect(drafts.map(({keyFrom, value}) => `${keyFrom} ${value}`)).toEqual(['typed ', 'typed new-key']);
});

test('what is unsent at another address is counted where nothing is yet, with the way back', async () => {
	const keptElsewhere = {unsent: 1, drafts: 2, host: '127.0.0.1:8091'};
	const parts = appParts(fakeClock(), {profile: {host: '127.0.0.1:8591', keptElsewhere}});
	screen = openScreen(parts, 120, 40);
	await screen.until(
		has('1 unsent message and 2 drafts stay with 127.0.0.1:8091: P, then e, changes', 'Nothing here yet.'),
	);
});

test('a field that appears after a refused submit shows no problem before anything is typed', async () => {
	const {screen} = app(80, 24, {profile: {isConnected: false}});
	await screen.press('c');
	await screen.until(has('Connect to a service'));
	await screen.press('acme.example', '\t', 'f', '\t', '\r');
	await screen.until(has('✗ The file is missing'));
	await screen.press('\x1b[Z', 't');
	await screen.until(has('(●) typed', 'Key  '));
	expect((await screen.rows()).join('\n')).not.toContain('is missing');
});

test('an address where nothing answers is saved all the same, once the user says so', async () => {
	const calls: (boolean | undefined)[] = [];
	const {screen, clock} = await editTyped(async (_, __, isUnchecked) => {
		calls.push(isUnchecked);
		const what = "The service can't be reached at http://127.0.0.1:8091: connection refused.";
		return isUnchecked ? done(undefined) : {isDone: false, what, field: 'baseUrl', isUnreachable: true};
	});
	await screen.press('\r');
	await screen.until(has('Save anyway?', 'The key ', 'if the key was used'));
	await clock.advance(500);
	await screen.press('n');
	await screen.until(rows => has('▌ Address', ' refused.')(rows) && !has('Save anyway?')(rows));
	await screen.press('\r');
	await screen.until(has('Save anyway?'));
	await clock.advance(500);
	await screen.press('y');
	await screen.until(rows => !has('Profile beta')(rows));
	expect(calls).toEqual([undefined, undefined, true]);
});

test('a profile is removed after a question, but not the open one', async () => {
	const {screen, parts} = withTwo();
	await screen.press('P');
	await screen.until(has('● acme > prod'));
	await screen.press('x');
	await screen.until(has('This profile is open: open another one first'));
	await screen.press('j', 'x');
	await screen.until(has('Remove the profile beta?', 'What is stored for https://beta.example'));
	await screen.press('y');
	await screen.until(rows => has('Profile beta removed', '● acme > prod')(rows) && !has('key: file')(rows));
	expect(parts.calls).toContain('remove beta');
	await screen.press('x');
	await screen.until(has('The embedded service is always here'));
});

test('what was typed into the form is there again after Esc; connected, it is gone', async () => {
	const {screen} = app(80, 24, {profile: {isConnected: false}});
	await screen.press('c');
	await screen.until(has('Connect to a service'));
	await screen.press('acme.example', '\t', '\t', 'sec-ret');
	await screen.until(has('*******'));
	await screen.press('\x1b');
	await screen.until(rows => !has('Connect to a service')(rows));
	await screen.press('c');
	await screen.until(has('Address       acme.example', '▌ Key ', '*******'));
	await screen.press('\r');
	await screen.until(rows => !has('Connect to a service')(rows));
	await screen.press('c');
	await screen.until(rows => has('▌ Address')(rows) && !has('acme.example')(rows) && !has('***')(rows));
	expect(screen.written.join('')).not.toContain('sec-ret');
});

test('the form names the keys that choose, where there is a choice; the footer names the others', async () => {
	const {screen} = app(80, 24, {profile: {isConnected: false}});
	await screen.press('c');
	const rows = await screen.until(has('Connect to a service'));
	expect(rows.at(-1)).toMatch(/^ Tab next field {3}Shift\+Tab back {3}Enter connect {3}Esc cancel *$/);
	expect(rows.slice(0, -1).join()).not.toMatch(/Enter|Esc/);
	await screen.press('\t');
	await screen.until(has('─ ← → select ─'));
	await screen.press('\x1b[C');
	await screen.until(has('(●) file'));
});

test('the footer says where Enter goes while another field is missing', async () => {
	const {screen} = app(80, 24, {profile: {isConnected: false}});
	await screen.press('c');
	await screen.until(has('▌ Address', 'Enter connect'));
	await screen.press('acme.example');
	await screen.until(has('▌ Address', 'Enter go to Key'));
	await screen.press('\r');
	await screen.until(has('▌ Key ', 'Enter connect'));
	await screen.press('sec-ret', '\x1b[Z');
	await screen.until(has('▌ Key source', 'Enter connect'));
});

test.each([
	['typed', '/keys/acme', '/keys/acme'],
	['pasted', '\x1b[200~~/keys/acme\r\n\x1b[201~', '~/keys/acme'],
])('a path that is %s as the key becomes the key file, and is never sent', async (_, keys, path) => {
	let asked: ProfileDraft | undefined;
	const parts = appParts(fakeClock(), {profile: {isConnected: false}});
	const connect = async (draft: ProfileDraft) => {
		asked = draft;
		return done(undefined);
	};
	screen = openScreen(withProfiles(parts, {connect}), 80, 24);
	await screen.press('c', 'acme.example', '\t', '\t');
	await screen.until(has('▌ Key ', 'paste it, or the path of its file'));
	await screen.press(keys);
	await screen.until(has('a path: the key will be read from this file', '(●) typed'));
	await screen.press('\t');
	await screen.until(has('(●) file', `Key file      ${path}`, '▌ Profile '));
	// The same on Enter in its field.
	await screen.press('\x1b[Z', '\x1b[Z', 't', '\t', keys);
	await screen.until(has('▌ Key ', 'a path: the key will be read from this file'));
	await screen.press('\r');
	await screen.until(() => asked !== undefined);
	expect(asked).toMatchObject({keyFrom: 'file', value: path});
});

test('a path is no new key', async () => {
	const {screen, parts} = app();
	await screen.press('K', 'P', 'K', '~/keys/acme');
	await screen.until(has('✗ A path, not a key: paste the key itself'));
	await screen.press('\r');
	expect(parts.calls.filter(call => call.startsWith('replaceKey'))).toEqual([]);
});

test('while the key is refused, the list of profiles says so and what helps', async () => {
	const {screen, parts} = withTwo();
	parts.stores.connection.setState({state: 'unauthorized', problem: {what: 'Refused', at: 0}});
	await screen.press('P');
	await screen.until(
		has(
			'Profiles · the service refuses the key',
			'▌ ● acme',
			'─ e edit · K replace key · c connect another',
			' e edit   K replace key   c connect another   Esc close',
		),
	);
});

test('the key pressed twice opens the profiles once', async () => {
	const {screen, parts} = app();
	await screen.press('PP');
	await screen.until(has('open'));
	await screen.rows();
	expect(parts.view.getState().dialogs.map(({kind}) => kind)).toEqual(['profiles']);
});
