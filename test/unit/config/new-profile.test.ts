import {chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {prepareNewKey, prepareProfile, saveProfile} from '../../../src/config/new-profile.ts';
import {inputFor, listProfiles, saveLastProfile, withLastProfile} from '../../../src/config/profiles.ts';
import {draftOf, removeProfile, renameProfile} from '../../../src/config/saved-profiles.ts';
import {readSettings, type SettingsInput} from '../../../src/config/settings.ts';
import type {ProfileDraft} from '../../../src/domain/accounts/profile.ts';
import {temporaryFolder} from '../../support/local-service.ts';

let home: string;
let configFile: string;

beforeEach(() => {
	home = temporaryFolder();
	configFile = join(home, '.config/quarterdeck/config.json');
});

const draft: ProfileDraft = {
	name: 'acme',
	baseUrl: 'https://acme.example/',
	appUrl: '',
	keyFrom: 'typed',
	value: 'k-123',
};
const input = (env = {}) => ({env, home, flags: {}});
const prepare = (change: Partial<ProfileDraft> = {}, env = {}) =>
	prepareProfile({...draft, ...change}, input(env), {configFile});
const modeOf = (file: string) => statSync(file).mode & 0o777;
const configuration = () => JSON.parse(readFileSync(configFile, 'utf8'));

describe('checks before anything is written', () => {
	test.each([
		[{name: '../up'}, /"\.\.\/up" is not a valid profile name/],
		[{name: ''}, /"" is not a valid profile name/],
		[{baseUrl: 'ftp://acme.example'}, /the address is not an http address/],
		[{baseUrl: 'http://acme.example'}, /http to another machine/],
		[{appUrl: 'ftp://x'}, /the app address/],
		[{value: 'two words'}, /the field is not a key/],
		[{value: ''}, /the field is empty/],
		[{keyFrom: 'file', value: 'key'}, /a full path/],
		[{keyFrom: 'file', value: '/nowhere/key'}, /does not exist/],
		[{keyFrom: 'environment'}, /QUARTERDECK_API_KEY is empty/],
	] as const)('refuse %j', async (change, words) => {
		await expect(prepare(change)).rejects.toThrow(words);
		expect(() => statSync(configFile)).toThrow('ENOENT');
	});

	test('refuse a key file that others can read', async () => {
		const file = join(home, 'key');
		writeFileSync(file, 'k\n');
		chmodSync(file, 0o644);
		await expect(prepare({keyFrom: 'file', value: file})).rejects.toThrow(/chmod 600/);
	});

	test.each([
		['acme.example', 'https://acme.example'],
		['acme.example:8443/base/', 'https://acme.example:8443/base'],
		['localhost:8080', 'http://localhost:8080'],
		['127.0.0.1', 'http://127.0.0.1'],
		['[::1]:80', 'http://[::1]'],
	])('give the address %s its scheme', async (baseUrl, expected) => {
		expect((await prepare({baseUrl})).address.baseUrl).toBe(expected);
	});

	test('read the key from each source', async () => {
		const file = join(home, 'key');
		writeFileSync(file, 'from-file\n', {mode: 0o600});
		const found = await Promise.all([
			prepare(),
			prepare({keyFrom: 'file', value: '~/key'}),
			prepare({keyFrom: 'environment'}, {QUARTERDECK_API_KEY: 'from-environment'}),
		]);
		expect(found.map(({address}) => address.key.reveal())).toEqual([
			'k-123',
			'from-file',
			'from-environment',
		]);
	});
});

describe('saving a profile', () => {
	test('writes its key to a separate file, both closed to others; starts that name none use it', async () => {
		saveProfile(await prepare(), draft, configFile);
		const keyFile = join(home, '.config/quarterdeck/keys/acme');
		expect(configuration()).toEqual({
			profiles: {acme: {baseUrl: 'https://acme.example', keyFile}},
		});
		expect(readFileSync(configFile, 'utf8')).not.toContain('k-123');
		expect([modeOf(configFile), modeOf(keyFile)]).toEqual([0o600, 0o600]);
		const settings = await readSettings(input());
		expect(settings).toMatchObject({profile: 'acme', mode: 'remote'});
	});

	test('keeps the rest of the file, its order and indentation, and the link to it', async () => {
		mkdirSync(join(home, '.config/quarterdeck'), {recursive: true});
		const real = join(home, 'dotfiles.json');
		writeFileSync(
			real,
			'{\n    "later": [1],\n    "profile": "mine",\n    "profiles": {\n        "mine": {"local": true, "x": 1}\n    }\n}\n',
		);
		symlinkSync(real, configFile);
		const keyFrom = 'environment';
		saveProfile(await prepare({keyFrom}, {QUARTERDECK_API_KEY: 'k'}), {keyFrom}, configFile);
		expect(readFileSync(real, 'utf8')).toMatch(/^\{\n {4}"later": \[\n/);
		expect(Object.keys(configuration())).toEqual(['later', 'profile', 'profiles']);
		expect(configuration()).toEqual({
			later: [1],
			profile: 'mine',
			profiles: {
				mine: {local: true, x: 1},
				acme: {baseUrl: 'https://acme.example'},
			},
		});
	});

	test("leaves a file that isn't JSON as it is, and refuses a name that is taken", async () => {
		saveProfile(await prepare(), draft, configFile);
		await expect(prepare()).rejects.toThrow(/profile acme already exists/);
		const other = await prepare({name: 'other'});
		writeFileSync(configFile, '{"profiles": ');
		expect(() => saveProfile(other, draft, configFile)).toThrow(/:1:14: not valid JSON/);
		expect(readFileSync(configFile, 'utf8')).toBe('{"profiles": ');
	});
});

describe('changing or removing a profile', () => {
	test('writes a new key to the key file; a path replaces that file, and the typed key is removed', async () => {
		saveProfile(await prepare(), draft, configFile);
		const typed = join(home, '.config/quarterdeck/keys/acme');
		const replace = async (text: string) => {
			const {address, save} = await prepareNewKey('acme', text, input(), {configFile});
			save();
			return address.key.reveal();
		};
		expect(await replace('k-456')).toBe('k-456');
		expect(readFileSync(typed, 'utf8')).toBe('k-456\n');
		await expect(replace('~/nowhere')).rejects.toThrow(/does not exist/);
		expect(configuration().profiles.acme.keyFile).toBe(typed);
		const file = join(home, 'key-of-acme');
		writeFileSync(file, 'k-789\n', {mode: 0o600});
		expect(await replace(' ~/key-of-acme\n')).toBe('k-789');
		expect(configuration().profiles.acme).toEqual({
			baseUrl: 'https://acme.example',
			keyFile: '~/key-of-acme',
		});
		expect(existsSync(typed)).toBe(false);
		expect(readFileSync(file, 'utf8')).toBe('k-789\n');
	});

	test("never writes a pasted key to the user's file, but to one of ours", async () => {
		const own = join(home, 'key-of-acme');
		writeFileSync(own, 'k-own\n', {mode: 0o600});
		const ofFile = {...draft, keyFrom: 'file', value: own} as const;
		saveProfile(await prepare(ofFile), ofFile, configFile);
		const {keyFile, save} = await prepareNewKey('acme', 'k-456', input(), {configFile});
		save();
		const ours = join(home, '.config/quarterdeck/keys/acme');
		expect(keyFile).toBe(ours);
		expect(readFileSync(own, 'utf8')).toBe('k-own\n');
		expect([readFileSync(ours, 'utf8'), modeOf(ours)]).toEqual(['k-456\n', 0o600]);
		expect(configuration().profiles.acme).toEqual({baseUrl: 'https://acme.example', keyFile: ours});
		// In the form, too.
		saveProfile(await prepare({...ofFile, replaces: 'acme'}), ofFile, configFile);
		const typed = {...draft, replaces: 'acme', value: 'k-789'};
		saveProfile(await prepare(typed), typed, configFile);
		expect([readFileSync(own, 'utf8'), readFileSync(ours, 'utf8')]).toEqual(['k-own\n', 'k-789\n']);
	});

	test("doesn't remove the file of the typed key when it is named in another way", async () => {
		saveProfile(await prepare(), draft, configFile);
		for (const path of ['~/.config//quarterdeck/keys/acme', '~/.config/quarterdeck/keys/../keys/acme']) {
			const {save} = await prepareNewKey('acme', path, input(), {configFile});
			save();
			expect(readFileSync(join(home, '.config/quarterdeck/keys/acme'), 'utf8')).toBe('k-123\n');
		}
	});

	const change = {...draft, replaces: 'acme', baseUrl: 'https://new.example'};

	/** Three profiles: acme, with a typed key and a theme, is the default. */
	async function saveThree() {
		saveProfile(await prepare(), draft, configFile);
		const {profiles} = configuration();
		const mine = {local: true};
		const beta = {baseUrl: 'https://beta.example', keyCommand: ['pass', "it's acme/key"]};
		const acme = {...profiles.acme, theme: 'dark', later: 1};
		writeFileSync(configFile, JSON.stringify({profile: 'acme', profiles: {mine, acme, beta}}));
	}

	test('changes the address and the key source, and keeps other settings and its position', async () => {
		await saveThree();
		const file = join(home, 'key');
		writeFileSync(file, 'k\n', {mode: 0o600});
		const toFile = {...change, keyFrom: 'file', value: file} as const;
		saveProfile(await prepare(toFile), toFile, configFile);
		expect(Object.keys(configuration().profiles)).toEqual(['mine', 'acme', 'beta']);
		expect(configuration()).toMatchObject({
			profile: 'acme',
			profiles: {acme: {baseUrl: 'https://new.example', keyFile: file, theme: 'dark', later: 1}},
		});
		// The key that was typed is used no more.
		expect(existsSync(join(home, '.config/quarterdeck/keys/acme'))).toBe(false);
	});

	test('changes the name; the default follows, and another profile gets its own key file', async () => {
		await saveThree();
		saveProfile(await prepare({...change, name: 'acme2', baseUrl: draft.baseUrl}), change, configFile);
		expect(configuration().profile).toBe('acme2');
		const keyFile = join(home, '.config/quarterdeck/keys/acme2');
		expect(configuration().profiles.acme2).toMatchObject({keyFile});
		renameProfile('acme2', 'acme3', configFile);
		expect(configuration().profiles.acme3).toEqual({
			baseUrl: 'https://acme.example',
			keyFile,
			theme: 'dark',
			later: 1,
		});
		const next = {name: 'acme2', value: 'other'};
		saveProfile(await prepare(next), draft, configFile);
		expect(readFileSync(keyFile, 'utf8')).toBe('k-123\n');
		expect(configuration().profiles.acme2.keyFile).toBe(`${keyFile}-2`);
		expect(Object.keys(configuration().profiles)).toEqual(['mine', 'acme3', 'beta', 'acme2']);
	});

	test('keeps the typed key while no other is typed, also under a new name; shows the path of a file', async () => {
		await saveThree();
		const keys = join(home, '.config/quarterdeck/keys');
		const acme = draftOf('acme', configFile);
		expect(acme).toMatchObject({keyFrom: 'typed', value: ''});
		const moved = {...acme, name: 'acme2', baseUrl: 'https://new.example'};
		const prepared = await prepare(moved);
		expect(prepared.address.key.reveal()).toBe('k-123');
		saveProfile(prepared, moved, configFile);
		expect(configuration().profiles.acme2).toMatchObject({
			baseUrl: 'https://new.example',
			keyFile: join(keys, 'acme2'),
		});
		expect(readFileSync(join(keys, 'acme2'), 'utf8')).toBe('k-123\n');
		expect(existsSync(join(keys, 'acme'))).toBe(false);
		const file = join(home, 'own-key');
		writeFileSync(file, 'k-4', {mode: 0o600});
		const own = {...draftOf('acme2', configFile), keyFrom: 'file', value: file} as const;
		saveProfile(await prepare(own), own, configFile);
		expect(draftOf('acme2', configFile)).toMatchObject({keyFrom: 'file', value: file});
		await expect(prepare({...own, keyFrom: 'typed', value: ''})).rejects.toThrow('the field is empty');
	});

	test('drafts what is saved, and keeps a command', async () => {
		await saveThree();
		const beta = draftOf('beta', configFile);
		expect(beta).toEqual({
			name: 'beta',
			replaces: 'beta',
			baseUrl: 'https://beta.example',
			appUrl: '',
			keyFrom: 'command',
			value: '',
		});
		expect(() => draftOf('mine', configFile)).toThrow('uses the embedded service');
		expect(() => draftOf('gone', configFile)).toThrow('there is no profile gone');
		const {profiles} = configuration();
		writeFileSync(
			configFile,
			JSON.stringify({profiles: {...profiles, beta: {...profiles.beta, keyCommand: ['echo', 'k']}}}),
		);
		const same = {...draftOf('beta', configFile), baseUrl: 'https://new.example'};
		saveProfile(await prepare(same), same, configFile);
		expect(configuration().profiles.beta).toEqual({
			baseUrl: 'https://new.example',
			keyCommand: ['echo', 'k'],
		});
	});

	test.each([
		[{name: 'beta'}, /profile beta already exists/],
		[{name: 'local'}, /local is the name of the embedded service/],
		[{replaces: 'mine'}, /profile mine is for the embedded service/],
	])('refuses %j', async (more, words) => {
		await saveThree();
		const before = readFileSync(configFile, 'utf8');
		await expect(prepare({...change, ...more})).rejects.toThrow(words);
		expect(readFileSync(configFile, 'utf8')).toBe(before);
	});

	test('removes a typed key with its profile, but not one from elsewhere', async () => {
		await saveThree();
		const keyFile = join(home, '.config/quarterdeck/keys/acme');
		const own = join(home, 'key');
		writeFileSync(own, 'k\n', {mode: 0o600});
		const other = {name: 'other', keyFrom: 'file', value: own} as const;
		saveProfile(await prepare(other), {keyFrom: 'file'}, configFile);
		removeProfile('other', configFile);
		expect(configuration().profile).toBe('acme');
		expect(readFileSync(own, 'utf8')).toBe('k\n');
		removeProfile('acme', configFile);
		expect(configuration()).not.toHaveProperty('profile');
		expect(existsSync(keyFile)).toBe(false);
		removeProfile('beta', configFile);
		expect(configuration()).toEqual({profiles: {mine: {local: true}}});
		expect(() => removeProfile('beta', configFile)).toThrow('there is no profile beta');
	});

	test("doesn't remove a key file that another profile names from the home folder", async () => {
		await saveThree();
		const {profile, profiles} = configuration();
		const beta = {...profiles.beta, keyCommand: undefined, keyFile: '~/.config/quarterdeck/keys/acme'};
		writeFileSync(configFile, JSON.stringify({profile, profiles: {...profiles, beta}}));
		removeProfile('acme', configFile);
		expect(readFileSync(join(home, '.config/quarterdeck/keys/acme'), 'utf8')).toBe('k-123\n');
	});
});

test('the screen opens the profile that was left, unless flags, environment or file name one', async () => {
	const state = join(home, '.local/state/quarterdeck');
	mkdirSync(state, {recursive: true});
	mkdirSync(join(home, '.config/quarterdeck'), {recursive: true});
	const profiles = {mine: {local: true}, acme: {baseUrl: 'https://acme.example'}};
	const opens = async (more: Partial<SettingsInput> = {}) =>
		(await readSettings(await withLastProfile({...input(), ...more}))).profile;
	writeFileSync(configFile, JSON.stringify({profiles}));
	expect(await opens()).toBe('acme');
	saveLastProfile(state, 'mine');
	expect(await opens()).toBe('mine');
	expect((await readSettings(input())).profile).toBe('acme');
	expect(await opens({flags: {profile: 'acme'}})).toBe('acme');
	expect(await opens({env: {HOME: home, QUARTERDECK_API_KEY: 'k'}})).toBe('acme');
	saveLastProfile(state, 'local');
	expect(await opens()).toBe('local');
	saveLastProfile(state, 'removed');
	expect(await opens()).toBe('acme');
	saveLastProfile(state, 'mine');
	writeFileSync(configFile, JSON.stringify({profile: 'acme', profiles}));
	expect(await opens()).toBe('acme');
});

describe('switching profiles', () => {
	const open = {name: 'acme', isLocal: false, address: 'https://acme.example', keyFrom: 'file'} as const;

	test('lists the profiles of the file, the open one and the embedded service', async () => {
		expect(await listProfiles(input(), {...open, name: 'default'})).toEqual([
			{...open, name: 'default', isUnsaved: true},
			{name: 'local', isLocal: true},
		]);
		saveProfile(await prepare(), draft, configFile);
		const {profiles} = configuration();
		const beta = {baseUrl: 'https://acme.example', keyCommand: 'echo k'};
		writeFileSync(configFile, JSON.stringify({profiles: {...profiles, beta}}));
		expect(await listProfiles(input(), open)).toEqual([
			open,
			{name: 'beta', isLocal: false, address: 'https://acme.example', keyFrom: 'command'},
			{name: 'local', isLocal: true},
		]);
	});

	test('leaves the key and address from the environment to the profile they were meant for', async () => {
		saveProfile(await prepare(), draft, configFile);
		const env = {
			HOME: home,
			QUARTERDECK_API_KEY: 'secret',
			QUARTERDECK_BASE_URL: 'https://else.example',
			QUARTERDECK_APP_URL: 'https://else.example',
			QUARTERDECK_PROFILE: 'default',
		};
		const other = await inputFor(input(env), 'acme', 'default');
		expect(other.env).toEqual({HOME: home});
		expect((await readSettings(other)).remote).toMatchObject({
			baseUrl: 'https://acme.example',
			keySource: {kind: 'file'},
		});
		const same = await inputFor(input(env), 'default', 'default');
		expect((await readSettings(same)).remote).toMatchObject({
			baseUrl: 'https://else.example',
			keySource: {kind: 'environment'},
		});
		const local = await inputFor(
			{...input(env), flags: {profile: 'acme', theme: 'dark'}},
			'local',
			'default',
		);
		expect(local.flags).toEqual({theme: 'dark', local: true});
		expect((await readSettings(local)).mode).toBe('local');
	});
});
