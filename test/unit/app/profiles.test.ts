import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {beforeEach, expect, onTestFinished, test} from 'vitest';
import {ProgramProfiles} from '../../../src/app/profiles.ts';
import type {Config} from '../../../src/config/config.ts';
import {loadConfig} from '../../../src/config/settings.ts';
import {startFaultServer} from '../../support/fault-server.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {html, json, silence} from '../../support/replies.ts';

let home: string;
let file: string;

beforeEach(() => {
	home = temporaryFolder();
	file = join(home, '.config/quarterdeck/config.json');
	mkdirSync(dirname(file), {recursive: true});
});

/** A service that takes one key. */
async function serviceWith(key: string): Promise<string> {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	const users = json({users: [], pagination: {hasMore: false}});
	server.otherwise((response, request) =>
		(request.headers.authorization === `Bearer ${key}` ? users : json({error: 'no'}, 401))(response, request),
	);
	return server.url;
}

/** The profiles of a program with this configuration, and what it opened and told. */
async function start(configuration?: object) {
	if (configuration) writeFileSync(file, JSON.stringify(configuration));
	const opened: Config[] = [];
	const told: string[] = [];
	const input = {flags: {}, env: {PATH: process.env.PATH}, home};
	const profiles = new ProgramProfiles({
		input,
		config: await loadConfig(input),
		open: async config => void opened.push(config),
		handOver: run => run(),
		notify: (tone, text) => void told.push(`${tone}: ${text}`),
		crash: error => void told.push(String(error)),
	});
	return {profiles, opened, told};
}

const saved = () => JSON.parse(readFileSync(file, 'utf8'));
const {signal} = new AbortController();

/** A profile whose key is in a file. */
async function withKeyFile(key: string) {
	const keyFile = join(home, 'acme-key');
	writeFileSync(keyFile, key, {mode: 0o600});
	const acme = {baseUrl: await serviceWith('right'), keyFile};
	return {keyFile, acme, ...(await start({profile: 'acme', profiles: {acme}}))};
}

test('a key is replaced only once the service takes the new one, which is saved in a file of its own', async () => {
	const {profiles, opened, told, keyFile, acme} = await withKeyFile('withdrawn');
	expect(await profiles.replaceKey('acme', 'wrong', signal)).toMatchObject({
		isDone: false,
		what: expect.stringContaining('refused the key (401)'),
		field: 'key',
	});
	expect([saved(), opened]).toEqual([{profile: 'acme', profiles: {acme}}, []]);
	expect(await profiles.replaceKey('acme', 'right', signal)).toMatchObject({isDone: true});
	const own = join(dirname(file), 'keys/acme');
	expect(saved().profiles.acme).toMatchObject({keyFile: own});
	expect([readFileSync(own, 'utf8').trim(), statSync(own).mode & 0o777]).toEqual(['right', 0o600]);
	expect(readFileSync(keyFile, 'utf8')).toBe('withdrawn');
	expect(opened.map(({service}) => service?.key.reveal())).toEqual(['right']);
	expect(told).toEqual([expect.stringMatching(/^good: Connected: profile acme; its key is in .*keys\/acme/)]);
});

test('the file of a refused key is read again, and opened only if another key is in it', async () => {
	const {profiles, opened, keyFile} = await withKeyFile('withdrawn');
	profiles.reopenWithNewKey();
	writeFileSync(keyFile, 'right');
	profiles.reopenWithNewKey();
	await expect.poll(() => opened.map(({service}) => service?.key.reveal())).toEqual(['right']);
});

test('a profile gets another address with its key, and the others stay', async () => {
	const beta = await serviceWith('of-beta');
	const {profiles, opened} = await withKeyFile('right');
	const draft = await profiles.draftOf('acme');
	if (!draft.isDone) throw new Error(draft.what);
	const changed = {
		...draft.value,
		replaces: 'acme',
		baseUrl: beta,
		keyFrom: 'typed',
		value: 'of-beta',
	} as const;
	expect(await profiles.change(changed, signal)).toMatchObject({isDone: true});
	expect(saved().profiles).toEqual({acme: {baseUrl: beta, keyFile: expect.stringMatching(/keys\/acme$/)}});
	expect(opened.map(({service}) => service?.baseUrl)).toEqual([beta]);
});

test('what is no service that takes the key saves nothing, and says which field is wrong', async () => {
	const {profiles, opened} = await start({});
	const before = readFileSync(file, 'utf8');
	const other = await startFaultServer();
	onTestFinished(() => other.close());
	other.otherwise(html(404, 'Welcome'));
	const connect = (baseUrl: string) =>
		profiles.connect({name: 'default', baseUrl, appUrl: '', keyFrom: 'typed', value: 'no'}, signal);
	expect(await connect('http://127.0.0.1:9')).toMatchObject({
		what: expect.stringContaining("can't be reached at http://127.0.0.1:9"),
		field: 'baseUrl',
	});
	expect(await connect(other.url)).toMatchObject({
		what: expect.stringContaining(`${other.url} answers, but not as the service`),
		field: 'baseUrl',
	});
	expect(await connect(await serviceWith('yes'))).toMatchObject({field: 'key'});
	other.otherwise(silence());
	const {length} = other.requests;
	const canceled = new AbortController();
	const waiting = profiles.connect(
		{name: 'default', baseUrl: other.url, appUrl: '', keyFrom: 'typed', value: 'no'},
		canceled.signal,
	);
	await expect.poll(() => other.requests.length).toBeGreaterThan(length);
	canceled.abort();
	expect(await waiting).toMatchObject({isDone: false});
	expect([readFileSync(file, 'utf8'), opened]).toEqual([before, []]);
});

test("a profile that can't be opened leaves all as it is", async () => {
	const gone = {baseUrl: await serviceWith('k'), keyFile: '/nowhere/key'};
	const {profiles, opened, told} = await start({
		profile: 'local',
		profiles: {local: {local: true}, gone},
	});
	profiles.switchTo('gone');
	await expect.poll(() => told.at(-1)).toMatch(/^bad: .*does not exist: check its path/);
	expect(opened).toEqual([]);
});

test('working locally is saved, and needs no file that can be written', async () => {
	const {profiles, opened, told} = await start({});
	profiles.workLocally('next time, too');
	await expect.poll(() => told).toEqual(['info: next time, too']);
	expect(saved()).toEqual({profiles: {local: {local: true}}});
	// What root can't write either.
	home = temporaryFolder();
	writeFileSync(join(home, '.config'), '');
	const unwritable = await start();
	unwritable.profiles.workLocally('not said');
	await expect
		.poll(() => unwritable.told)
		.toEqual([expect.stringMatching(/^bad: .*config.json can't be written/)]);
	expect([...opened, ...unwritable.opened].map(({mode}) => mode)).toEqual(['local', 'local']);
});
