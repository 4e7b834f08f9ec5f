import {expect, test} from 'vitest';
import {done} from '../../src/actions/notify.ts';
import type {ProfileDraft} from '../../src/domain/accounts/profile.ts';
import type {Profiles} from '../../src/ui/profiles.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openApp as app, twoProfiles, withProfiles, withTwo} from '../support/profiles-screen.ts';
import {has, openScreen} from '../support/screen.tsx';

test('without a service, no key waits for a computer', async () => {
	const {screen, parts} = app(100, 30, {profile: {isConnected: false}});
	await screen.until(has('Welcome', 'key settings', 'serve --port 4311`'));
	await screen.until(has("the service's web app.", 'Scripts can set'));
	await screen.press('n', 'l', '?');
	await screen.until(has('Keys'));
	expect(parts.stores.notices.getState().list.map(({text}) => text)).toEqual([
		'n does nothing here; in Sessions in Work: New session: what it should do, where it runs, and how',
	]);
	await screen.press('\x1b', 'c');
	await screen.until(has('Connect to a service'));
});

test('an empty key is the one in the environment, if that has one', async () => {
	const clock = fakeClock();
	const parts = appParts(clock, {profile: {isConnected: false}});
	const screen = openScreen(withProfiles(parts, {hasEnvironmentKey: true}), 100, 30);
	await screen.press('c', 'acme.example', '\t');
	await screen.until(has('▌ Key ', 'empty: QUARTERDECK_API_KEY'));
	await screen.press('\r');
	await screen.until(() => parts.calls.some(call => call.startsWith('connect')));
	expect(parts.calls).toContain('connect default acme.example environment');
});

test('addresses and the name of a profile are checked as they are typed', async () => {
	const {screen} = app(100, 30, {profile: {isConnected: false}});
	await screen.press('c');
	await screen.until(has('Connect to a service'));
	await screen.press('http://host.example');
	await screen.until(has('The address is http to another machine'));
	await screen.press('\x15', 'https://host.example');
	await screen.until(rows => !has('another machine')(rows));
	await screen.press('\t', '\t', 'my staging');
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
	await screen.press('\x1b[200~sec-ret\x1b[201~');
	await screen.until(has('▌ Key ', '*******'));
	await screen.press('\r');
	await screen.until(() => parts.calls.some(call => call.startsWith('connect')));
	expect(parts.calls).toContain('connect acme.example acme.example typed');
	expect(screen.written.join('')).not.toContain('sec-ret');
});

test('a profile is edited in place: the form has what is saved, and a new name must be free', async () => {
	const {screen, parts} = withTwo();
	await screen.press('P');
	await screen.until(has('e edit'));
	await screen.press('j', 'e');
	await screen.until(has('Profile beta', 'Address       https://acme.example', 'Key           /keys/acme'));
	await screen.until(has('Stored data belongs to an address'));
	await screen.press('\x15', 'new.example', '\t', '\t', '\x15', 'local');
	await screen.until(has('local is the name of the embedded service'));
	await screen.press('\x15', 'acme2', '\r');
	await screen.until(() => parts.calls.some(call => call.startsWith('change')));
	expect(parts.calls).toContain('change beta to acme2 new.example file /keys/acme');
	await screen.until(rows => !has('Profile beta')(rows));
	// Canceled: it starts from what is saved again.
	await screen.press('P');
	await screen.until(has('e edit'));
	await screen.press('j', 'e');
	await screen.until(has('Profile beta', '▌ Address'));
	await screen.until(has('typing replaces it; of the service'));
	await screen.press('\x05', '/v2');
	await screen.until(has('Address       https://acme.example/v2'));
	await screen.press('\x1b', 'P');
	await screen.until(has('e edit'));
	await screen.press('j', 'e');
	await screen.until(rows => has('Address       https://acme.example')(rows) && !has('/v2')(rows));
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
		list: async () => done(twoProfiles),
		draftOf: async () => done(typedDraft),
		change,
	});
	const opened = openScreen(parts, 80, 24);
	await opened.press('P');
	await opened.until(has('e edit'));
	await opened.press('j', 'e');
	await opened.until(has('Profile beta', 'Key  '));
	return {screen: opened, clock};
}

test('a typed key that another address refuses is asked for again in the Key field, with the reason', async () => {
	const drafts: ProfileDraft[] = [];
	const {screen} = await editTyped(async draft => {
		drafts.push(draft);
		return drafts.length === 1
			? {isDone: false, what: 'The service refused the key (401).', field: 'key'}
			: done(undefined);
	});
	await screen.press('\x15', '127.0.0.1:8591', '\r');
	await screen.until(
		has('▌ Key  ', 'The service refused the key (401).', 'its file; empty keeps the saved one'),
	);
	expect((await screen.rows()).join('\n')).not.toMatch(/Key file|is missing/);
	await screen.press('new-key', '\r');
	await screen.until(rows => !has('Profile beta')(rows));
	expect(drafts.map(({keyFrom, value}) => `${keyFrom} ${value}`)).toEqual(['typed ', 'typed new-key']);
});

test('the form has its text again after Esc; once connected, it is empty', async () => {
	const {screen} = app(80, 24, {profile: {isConnected: false}});
	await screen.press('c');
	await screen.until(has('Connect to a service'));
	await screen.press('acme.example', '\t', 'sec-ret');
	await screen.until(has('*******', 'Esc close, keep text'));
	await screen.press('\x1b');
	await screen.until(rows => !has('Connect to a service')(rows));
	await screen.press('c');
	await screen.until(has('last time is filled in', '▌ Address       acme.example', 'Key ', '*******'));
	await screen.press('\r');
	await screen.until(rows => !has('Connect to a service')(rows));
	await screen.press('c');
	await screen.until(rows => has('▌ Address')(rows) && !has('acme.example')(rows) && !has('***')(rows));
	expect(screen.written.join('')).not.toContain('sec-ret');
});

/** The form at its key, for an address. */
async function atKey() {
	const asked: ProfileDraft[] = [];
	const parts = appParts(fakeClock(), {profile: {isConnected: false}});
	const connect = async (draft: ProfileDraft) => {
		asked.push(draft);
		return done(undefined);
	};
	const opened = openScreen(withProfiles(parts, {connect}), 80, 24);
	await opened.press('c', 'acme.example', '\t');
	await opened.until(has('▌ Key ', 'paste the key, or the path of a key file'));
	return {screen: opened, asked};
}

test.each([
	['~/keys/acme\r\n', '~/keys/acme'],
	['file:///my%20keys/acme', '/my keys/acme'],
])('the path %j, given as the key, is shown, and never sent as a key', async (given, path) => {
	const {screen, asked} = await atKey();
	await screen.press(`\x1b[200~${given}\x1b[201~`);
	await screen.until(has('a path: the key is read from this file', `Key           ${given.trim()}`));
	await screen.press('\r');
	await screen.until(() => asked.length > 0);
	expect(asked[0]).toMatchObject({keyFrom: 'file', value: path});
});

test('a path pasted as the replacement key becomes the path of its file', async () => {
	let key: string | undefined;
	const parts = appParts(fakeClock(), {profile: {keyFrom: 'file'}});
	const replaceKey = async (_: string, typed: string) => {
		key = typed;
		return done(undefined);
	};
	const screen = openScreen(withProfiles(parts, {replaceKey}), 80, 24);
	await screen.press('K');
	await screen.until(has('Replace the key of'));
	await screen.press("\x1b[200~'/my keys/acme'\x1b[201~");
	await screen.until(has('/my keys/acme', 'a path: the key is read from this file'));
	await screen.press('\r');
	await screen.until(() => key !== undefined);
	expect(key).toBe('/my keys/acme');
});
