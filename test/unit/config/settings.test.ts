import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {settingShapes} from '../../../src/config/config-file.ts';
import {readDisplay, readSettings, type SettingsInput} from '../../../src/config/settings.ts';
import {temporaryFolder} from '../../support/local-service.ts';

let home: string;

beforeEach(() => {
	home = temporaryFolder();
});

function configure(value: unknown): string {
	const file = join(home, '.config/quarterdeck/config.json');
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
	return file;
}

const read = (env: SettingsInput['env'] = {}, flags: SettingsInput['flags'] = {}) =>
	readSettings({env, flags, home});

const profiles = {
	work: {baseUrl: 'https://work.example/', keyFile: '~/key'},
	home: {local: true, agent: 'claude', statusProbe: 'auto'},
};

test("marks an address from the environment, with the profile's own if that differs", async () => {
	configure({profile: 'work', profiles});
	const addressOf = async (url: string) =>
		(await read({QUARTERDECK_BASE_URL: url, QUARTERDECK_API_KEY: 'k'})).remote?.environmentAddress;
	expect(await addressOf('https://other.example')).toEqual({own: 'https://work.example'});
	expect(await addressOf('https://work.example')).toEqual({});
	expect((await read()).remote?.environmentAddress).toBeUndefined();
});

test('what the descriptions of the settings call the default is the default', async () => {
	const unset = await read();
	const {file, profile} = settingShapes;
	const described = (shape: Readonly<Record<string, {readonly description?: string | undefined}>>) =>
		Object.fromEntries(
			Object.entries(shape).flatMap(([name, {description}]) => {
				const [, value] = /\(default: `(.+)`\)$/.exec(description ?? '') ?? [];
				return value === undefined ? [] : [[name, JSON.parse(value)]];
			}),
		);
	const defaults = described(file);
	expect(Object.keys(defaults)).toContain('awaySummary');
	configure({...defaults, profiles: {default: described(profile)}});
	expect(await read()).toEqual(unset);
	const ofProfile = Object.entries(defaults).filter(([name]) => name in profile);
	configure({profiles: {default: Object.fromEntries(ofProfile)}});
	expect(await read()).toEqual(unset);
});

test('commands for worktrees are by folder; with a value that is none, there are none', async () => {
	configure({worktreeSetup: {'~/shop': 'npm ci', '/srv/api': 'make'}});
	expect((await read()).worktreeSetup).toEqual({[join(home, 'shop')]: 'npm ci', '/srv/api': 'make'});
	configure({worktreeSetup: {'~/shop': ['npm', 'ci']}});
	const {worktreeSetup, mistakes} = await read();
	expect([worktreeSetup, mistakes]).toEqual([{}, [expect.stringMatching(/worktreeSetup: not an object of/)]]);
});

describe('precedence', () => {
	test('without any setup, the mode is none, in the default profile', async () => {
		expect(await read()).toMatchObject({
			mode: 'none',
			profile: 'default',
			agent: 'shell',
			statusProbe: 'auto',
			stateFolder: join(home, '.local/state/quarterdeck'),
		});
	});

	test.each([
		['the file alone', {}, {}, 'work', 'https://work.example'],
		['environment over file', {QUARTERDECK_PROFILE: 'home'}, {}, 'home', undefined],
		[
			'flag over environment',
			{QUARTERDECK_PROFILE: 'home'},
			{profile: 'work'},
			'work',
			'https://work.example',
		],
		['a profile named default needs no file', {QUARTERDECK_PROFILE: 'default'}, {}, 'default', 'none'],
		['--local over all', {QUARTERDECK_PROFILE: 'work'}, {local: true}, 'local', undefined],
		[
			'address and key of the environment',
			{QUARTERDECK_BASE_URL: 'https://other.example', QUARTERDECK_API_KEY: 'k'},
			{},
			'work',
			'https://other.example',
		],
	])('%s', async (_, env, flags, profile, baseUrl) => {
		configure({profile: 'work', profiles});
		const settings = await read(env, flags);
		expect(settings.profile).toBe(profile);
		const isNone = baseUrl === 'none';
		expect(settings.remote?.baseUrl).toBe(isNone ? undefined : baseUrl);
		expect(settings.mode).toBe(isNone ? 'none' : baseUrl ? 'remote' : 'local');
	});

	test('an address from the environment wins over a local profile that only the file asks for', async () => {
		configure({profile: 'home', profiles});
		const env = {QUARTERDECK_BASE_URL: 'https://other.example', QUARTERDECK_API_KEY: 'k'};
		expect(await read(env)).toMatchObject({
			profile: 'default',
			mode: 'remote',
			remote: {baseUrl: 'https://other.example'},
		});
		expect(await read({...env, QUARTERDECK_PROFILE: 'home'})).toMatchObject({profile: 'home', mode: 'local'});
		expect(await read(env, {profile: 'home'})).toMatchObject({profile: 'home', mode: 'local'});
		expect(await read({QUARTERDECK_API_KEY: 'k'})).toMatchObject({profile: 'home', mode: 'local'});
	});

	test('a local profile has its own agent, status probe and budget', async () => {
		configure({profiles});
		expect((await read({}, {profile: 'work'})).pollBudget).toBe(2);
		expect(await read({}, {profile: 'home'})).toMatchObject({
			mode: 'local',
			pollBudget: 20,
			agent: 'claude',
			statusProbe: 'auto',
		});
	});

	test('--local uses the agent of its profile, or else of the default or only local one', async () => {
		const agentOf = async (file: object, env = {}) => {
			configure(file);
			return (await read(env, {local: true})).agent;
		};
		expect(await agentOf({profiles})).toBe('claude');
		expect(await agentOf({profiles: {...profiles, local: {local: true, agent: 'codex'}}})).toBe('codex');
		const two = {...profiles, mine: {local: true, agent: 'gemini'}};
		expect(await agentOf({profiles: two})).toBe('shell');
		expect(await agentOf({profiles: two, profile: 'mine'})).toBe('gemini');
		expect(await agentOf({profiles: two}, {QUARTERDECK_PROFILE: 'home'})).toBe('claude');
	});

	test('asks a service for the states of silent turns by itself, unless that is off', async () => {
		configure({profiles: {...profiles, still: {local: true, statusProbe: 'off'}}});
		expect(await read({}, {local: true})).toMatchObject({mode: 'local', statusProbe: 'auto'});
		expect(await read({}, {profile: 'still'})).toMatchObject({mode: 'local', statusProbe: 'off'});
		expect(await read({}, {profile: 'work'})).toMatchObject({mode: 'remote', statusProbe: 'auto'});
	});

	test('the app address is the base address unless it is set', async () => {
		const env = {QUARTERDECK_BASE_URL: 'https://a.example', QUARTERDECK_API_KEY: 'k'};
		expect((await read(env)).remote?.appUrl).toBe('https://a.example');
		const both = {...env, QUARTERDECK_APP_URL: 'https://b.example'};
		expect((await read(both)).remote?.appUrl).toBe('https://b.example');
	});

	test('XDG folders count only if they are absolute', async () => {
		const absolute = await read({XDG_STATE_HOME: join(home, 's')});
		expect(absolute.stateFolder).toBe(join(home, 's/quarterdeck'));
		const relative = await read({XDG_STATE_HOME: 's'});
		expect(relative.stateFolder).toBe(join(home, '.local/state/quarterdeck'));
	});

	test("the key from the environment wins over the profile's", async () => {
		configure({profile: 'work', profiles});
		expect((await read()).remote?.keySource).toEqual({kind: 'file', file: join(home, 'key')});
		expect((await read({QUARTERDECK_API_KEY: 'k'})).remote?.keySource?.kind).toBe('environment');
	});
});

describe('validation', () => {
	test('refuses an unknown profile, and names the known ones', async () => {
		configure({profiles});
		await expect(read({}, {profile: 'wrok'})).rejects.toThrow(/no profile wrok .*work, home/);
	});

	test('refuses a profile named local if there is none, and names the flag to use', async () => {
		configure({profiles});
		await expect(read({}, {profile: 'local'})).rejects.toThrow(/no profile local: use --local/);
	});

	test('refuses --local with a profile of a hosted service', async () => {
		configure({profiles});
		await expect(read({}, {local: true, profile: 'work'})).rejects.toThrow(
			/--local and --profile work can't be used together/,
		);
	});

	test("refuses a profile's key without an address, but not a key from the environment alone", async () => {
		expect((await read({QUARTERDECK_API_KEY: 'k'})).mode).toBe('none');
		configure({profile: 'work', profiles: {work: {keyFile: '~/key'}}});
		await expect(read()).rejects.toThrow(/QUARTERDECK_BASE_URL/);
	});

	test("refuses a profile's key for an address from the environment", async () => {
		configure({profile: 'work', profiles});
		await expect(read({QUARTERDECK_BASE_URL: 'https://other.example'})).rejects.toThrow(
			/QUARTERDECK_API_KEY/,
		);
	});

	test.each([
		['{\n  "profile": work\n}', ':2:14'],
		['{"profiles": {', ':1:15'],
		['', ':1:1'],
	])("refuses %j, which isn't JSON, and says where", async (text, position) => {
		const file = configure(text);
		await expect(read()).rejects.toMatchObject({
			name: 'ConfigSourceError',
			message: expect.stringContaining(`${file}${position}`),
		});
	});

	test.each([
		[{profiles: {work: {baseUrl: 7}}}, 'profiles.work.baseUrl'],
		[{profiles: {work: {statusProbe: 'often'}}}, 'profiles.work.statusProbe'],
		[{profiles: {'../up': {}}}, 'profiles.../up'],
		[{profiles: {work: {keyFile: 'a', keyCommand: 'b'}}}, 'are both set: remove one'],
		[[], 'the file'],
	])('refuses %j, and names the path of what is wrong', async (value, where) => {
		const file = configure(value);
		await expect(read()).rejects.toThrow(expect.objectContaining({message: expect.stringContaining(file)}));
		await expect(read()).rejects.toThrow(where);
	});

	test('says in plain words what a value must be', async () => {
		configure({
			screenReader: 'yes',
			theme: 'blue',
			awaySummary: 1.5,
			pollBudget: 'x',
			serviceIdle: -1,
			notifyCommand: 'my-notify',
			colors: [],
		});
		const {mistakes = []} = await read();
		expect(mistakes.map(mistake => mistake.replace(/^.*?:\d+:\d+: /, '')).sort()).toEqual([
			'awaySummary: must be a whole number',
			'colors: must be an object',
			'notifyCommand: must be a list',
			'pollBudget: must be a number',
			'screenReader: must be true or false',
			'serviceIdle: must be 0 or more',
			expect.stringMatching(/^theme: must be one of .*light/),
		]);
		configure({profiles: {work: {keyCommand: 7}}});
		await expect(read()).rejects.toThrow('profiles.work.keyCommand: must be text or a list');
		configure({profiles: {'../up': {}}});
		await expect(read()).rejects.toThrow('is not a valid profile name');
	});

	test('names the line and column of a wrong value', async () => {
		const file = configure(
			'{\n  "profiles": {\n    "work": {\n      "local": true,\n      "theme": "solarized"\n    }\n  }\n}',
		);
		expect((await read({}, {profile: 'work'})).mistakes).toEqual([
			expect.stringContaining(`${file}:5:7: profiles.work.theme: `),
		]);
	});

	test('a wrong color is told, and the others are used', async () => {
		const file = configure(
			'{"colors": {\n"accent": "#FF8700", "good": "bright-green", "bad": "crimson",\n"god": "red"}}',
		);
		const {display, mistakes} = await read();
		expect(display.ownColors).toEqual({accent: [255, 135, 0], good: [0, 255, 0]});
		expect(mistakes).toEqual([
			`${file}:2:46: colors.bad: not #rrggbb or a name such as bright-blue`,
			expect.stringContaining(`${file}:3:1: colors.god: not one of strong, dim, `),
		]);
	});

	test('unknown settings are mistakes, like wrong values', async () => {
		const file = configure(
			'{\n\t"theme": "blue",\n\t"mouze": 1,\n\t"xyzzy": {},\n\t"profiles": {"a": {"local": true, "keyfile": "x"}}\n}',
		);
		expect((await read({}, {profile: 'a'})).mistakes).toEqual([
			expect.stringContaining(`${file}:2:2: theme: `),
			`${file}:3:2: mouze: there is no such setting; did you mean mouse?`,
			`${file}:4:2: xyzzy: there is no such setting`,
			`${file}:5:36: profiles.a.keyfile: there is no such setting; did you mean keyFile?`,
		]);
	});

	test('ignores unknown keys, which another release may know', async () => {
		configure({theme: 'dark', keys: {}, profiles: {default: {local: true, color: 'red'}}});
		expect((await read()).mode).toBe('local');
	});
});

describe('keys and mouse', () => {
	test('without choices, the table of keys applies and the mouse is used', async () => {
		expect(await read()).toMatchObject({keys: {problems: []}, mouse: true});
		configure({});
		expect((await read()).keys.byAction.size).toBe(0);
	});

	test('reads one key, several or none for an action, and no mouse', async () => {
		configure({keys: {archive: 'ctrl+x', palette: [':', 'f2'], quit: null}, mouse: false});
		const {keys, mouse} = await read();
		expect([...keys.byAction]).toEqual([
			['archive', ['ctrl+x']],
			['palette', [':', 'f2']],
			['quit', []],
		]);
		expect(keys.problems).toEqual([]);
		expect(mouse).toBe(false);
	});

	test.each([
		[
			{archive: 7, quit: 'x'},
			['archive: use a string for one key, a list for several, or null for none'],
			['quit'],
		],
		[['archive'], ['keys must be an object of actions, such as {"archive": "ctrl+x"}'], []],
		['archive', ['keys must be an object of actions, such as {"archive": "ctrl+x"}'], []],
		[null, ['keys must be an object of actions, such as {"archive": "ctrl+x"}'], []],
	])('reports keys of another form, but still starts: %j', async (keys, problems, kept) => {
		configure({keys});
		const choices = (await read()).keys;
		expect(choices.problems).toEqual(problems);
		expect([...choices.byAction.keys()]).toEqual(kept);
	});
});

const settingsOf = (file: object, profile?: string) => {
	configure(file);
	return read({}, profile === undefined ? {} : {profile});
};

test('the storage limit is 2 GB, or what the file says', async () => {
	expect((await settingsOf({})).storageLimit).toBe(2e9);
	expect((await settingsOf({storageLimit: '500 MB'})).storageLimit).toBe(5e8);
});

test.each(['lots', '1 kB'])("%s isn't a storage limit", async storageLimit => {
	expect((await settingsOf({storageLimit})).storageLimit).toBe(2e9);
});

const none = {theme: 'auto', screenReader: false, reducedMotion: false} as const;

test('follows the terminal if nothing is set', () => {
	expect(readDisplay({}, {}, {}, {})).toEqual(none);
});

test.each([
	['the file', {}, {}, {}, {theme: 'light'}, 'light'],
	['the profile over the file', {}, {}, {theme: 'dark'}, {theme: 'light'}, 'dark'],
	['the environment over both', {}, {QUARTERDECK_THEME: 'none'}, {theme: 'dark'}, {theme: 'light'}, 'none'],
	['the flag over all', {theme: 'ansi'}, {QUARTERDECK_THEME: 'none'}, {theme: 'dark'}, {}, 'ansi'],
	['NO_COLOR where nothing is chosen', {}, {NO_COLOR: '1'}, {}, {}, 'none'],
	['an empty NO_COLOR is none', {}, {NO_COLOR: ''}, {}, {}, 'auto'],
	['what is chosen over NO_COLOR', {}, {NO_COLOR: '1'}, {theme: 'dark'}, {}, 'dark'],
	['FORCE_COLOR over NO_COLOR', {}, {NO_COLOR: '1', FORCE_COLOR: '3'}, {}, {}, 'auto'],
] as const)('theme: %s', (_, flags, env, profile, file, theme) => {
	expect(readDisplay(flags, env, profile, file).theme).toBe(theme);
});

test.each([
	[{INK_SCREEN_READER: 'true'}, {}, true],
	[{INK_SCREEN_READER: 'false'}, {screenReader: true}, false],
	[{}, {screenReader: true}, true],
])('screen reader: %j over %j', (env, profile, expected) => {
	expect(readDisplay({}, env, profile, {}).screenReader).toBe(expected);
});

test('reads switches from the flags, the profile and the file', () => {
	const flags = {screenReader: true, reducedMotion: true, ascii: true};
	expect(readDisplay(flags, {}, {}, {})).toEqual({...flags, theme: 'auto'});
	expect(readDisplay({}, {}, {ascii: false}, {ascii: true, reducedMotion: true})).toMatchObject({
		ascii: false,
		reducedMotion: true,
	});
});

test('refuses an unknown theme, and names the known ones and where it was set', () => {
	expect(() => readDisplay({theme: 'solarized'}, {}, {}, {})).toThrow(/--theme is solarized: .*dark, light/);
	expect(() => readDisplay({}, {QUARTERDECK_THEME: 'x'}, {}, {})).toThrow(/QUARTERDECK_THEME/);
});

test('takes quiet hours from the profile, or else from the whole file, and has none otherwise', async () => {
	const file = {
		quietHours: '22:00-07:30',
		profiles: {a: {local: true, quietHours: '12:00-13:00'}, b: {local: true}},
	};
	expect((await settingsOf(file, 'a')).quietHours).toEqual({from: 720, to: 780});
	expect((await settingsOf(file, 'b')).quietHours).toEqual({from: 1320, to: 450});
	expect((await settingsOf({})).quietHours).toBeUndefined();
});

test('an invalid time range is told with its place, and the rest works', async () => {
	const {
		quietHours: none,
		callWhenDone,
		mistakes,
	} = await settingsOf({quietHours: '22-7', callWhenDone: true});
	expect([none, callWhenDone]).toEqual([undefined, true]);
	expect(mistakes).toEqual([expect.stringMatching(/quietHours: not a time range such as 22:00-07:30/)]);
	const ofProfile = await settingsOf({profiles: {a: {local: true, quietHours: 'night'}}}, 'a');
	expect(ofProfile).toMatchObject({
		mode: 'local',
		mistakes: [expect.stringMatching(/profiles\.a\.quietHours/)],
	});
});

test('a credit costs what the profile says, or else the general price; an invalid price counts as none', async () => {
	const file = {
		creditPrice: '0.002 USD',
		profiles: {a: {local: true, creditPrice: '1.5€'}, b: {local: true}},
	};
	expect((await settingsOf(file, 'a')).creditPrice).toEqual({amount: 1.5, currency: '€'});
	expect((await settingsOf(file, 'b')).creditPrice).toEqual({amount: 0.002, currency: 'USD'});
	expect((await settingsOf({})).creditPrice).toBeUndefined();
	for (const creditPrice of ['USD', '0 USD', '-1 USD', '1', 'NaN USD', '1 US\u001bD'])
		expect(await settingsOf({creditPrice})).toMatchObject({
			creditPrice: undefined,
			mistakes: [expect.stringMatching(/creditPrice: not a price such as 0.002 USD/)],
		});
});

test("doesn't call for finished work unless the profile, or else the file, says so", async () => {
	const file = {callWhenDone: true, profiles: {a: {local: true, callWhenDone: false}, b: {local: true}}};
	expect((await settingsOf(file, 'a')).callWhenDone).toBe(false);
	expect((await settingsOf(file, 'b')).callWhenDone).toBe(true);
	expect((await settingsOf({})).callWhenDone).toBe(false);
});
