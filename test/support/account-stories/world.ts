import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {openMachine} from '../../../src/account-files.ts';
import {findKnownAccount} from '../../../src/accounts.ts';
import {Secret} from '../../../src/config/secret.ts';
import type {Account} from '../../../src/domain/accounts/account.ts';
import {type Cli, type CliResult, cliAt} from '../cli.ts';
import {patience} from '../eventually.ts';
import {temporaryFolder} from '../local-service.ts';
import {
	addMessage,
	type FakeOrganization,
	fakeOrganization,
	type OrganizationService,
	startOrganizations,
} from '../organization-service.ts';
import {runInside} from '../run-inside.ts';
import type {StoryScreen} from './screen.ts';

/**
 * The three organizations, the first two at one service. All that a service returns of an organization holds its word,
 * and the program has none of these words: where one is found, the organization's data is.
 */
const words = ['kestrel', 'osprey', 'heron'] as const;

/** A session that each organization has, under the same id. */
const common = 'session-of-everyone';

type Message = {readonly number: number; readonly session: string; readonly text: string};

/** A message that was sent, with how its command ended; without `code`, it was killed or is the screen's. */
export type Claim = Message & {readonly code?: number | null; readonly stderr?: string};

/** One organization as the user has it: its service and the keys that it gave out. */
export type Place = {
	readonly word: string;
	readonly organization: FakeOrganization;
	readonly service: OrganizationService;
	/** The one in use is the last. Others may be revoked. */
	readonly keys: string[];
	readonly claims: Claim[];
	/** Messages of a forgotten account that surely weren't sent when it was forgotten. */
	readonly discarded: string[];
	/** The newest message when one of its accounts was last forgotten: it and those before may be gone. */
	lastForgotten: number;
};

/** One state folder, and all that a story needs to know of it. */
export type World = {
	readonly cli: Cli;
	readonly places: readonly Place[];
	readonly services: readonly OrganizationService[];
	/** Sends that wait for their service while the story goes on. */
	readonly waiting: Promise<void>[];
	/** Folders of forgotten accounts, relative to the state folder. */
	readonly goneFolders: string[];
	/** The place of each account that a key of it has ever opened. */
	readonly owners: Map<string, Place>;
	screen?: StoryScreen | undefined;
	/** Messages are numbered: no two have the same text. */
	messages: number;
};

export async function createWorld(membersOnly: readonly boolean[]): Promise<World> {
	const organizations = words.map(word => fakeOrganization(word, `${word}-key-0`));
	const [kestrel, osprey, heron] = organizations as [FakeOrganization, FakeOrganization, FakeOrganization];
	const [near, far] = [await startOrganizations(kestrel, osprey), await startOrganizations(heron)];
	const places = organizations.map((organization, index): Place => {
		const {id: word, computers} = organization;
		organization.isMember = membersOnly[index] ?? false;
		organization.credits = 7117 + 1111 * index;
		computers.set(`${word}-computer`, {name: `${word}-box`, createdAt: Date.now()});
		for (const session of [`${word}-session`, common])
			addMessage(organization, session, `${word} begins ${session}`);
		const service = index < 2 ? near : far;
		const keys = [...organization.keys];
		return {word, organization, service, keys, claims: [], discarded: [], lastForgotten: 0};
	});
	const services = [near, far];
	for (const service of services) service.retryAfter = 2;
	return {
		cli: cliAt(temporaryFolder()),
		places,
		services,
		waiting: [],
		goneFolders: [],
		owners: new Map(),
		messages: 0,
	};
}

export async function removeWorld({cli, services, screen, waiting}: World): Promise<void> {
	screen?.terminal.kill('SIGKILL');
	for (const service of services) service.close();
	await Promise.allSettled(waiting);
	rmSync(cli.home, {recursive: true, force: true, maxRetries: 5});
}

export function envOf({service, keys}: Place): Record<string, string> {
	return {QUARTERDECK_BASE_URL: service.url, QUARTERDECK_API_KEY: keys.at(-1) ?? ''};
}

/** Runs a command with a place's key. Asked whose it is, the user says so, and runs the command again. */
export async function run(world: World, place: Place, ...args: string[]): Promise<CliResult> {
	const result = await runOnce(world, place, ...args);
	if (result.code !== 2 || !result.stderr.includes('accounts use new')) return result;
	const [id = 'new'] = accountsOf(world, place);
	await runOnce(world, place, 'accounts', 'use', id);
	return runOnce(world, place, ...args);
}

/** Runs a command inside this process. */
async function runOnce({cli}: World, place: Place, ...args: string[]): Promise<CliResult> {
	const {promise: late, reject} = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new Error(`${args.join(' ')} doesn't end`)), 3 * patience);
	return Promise.race([runInside(args, {home: cli.home, env: envOf(place)}), late]).finally(() =>
		clearTimeout(timer),
	);
}

/**
 * A message to a session that nothing else is sent to, so that it waits for nothing but itself; a session of this id may
 * be in all organizations.
 */
export function newMessage(world: World, {word, organization}: Place, isShared: boolean): Message {
	const number = ++world.messages;
	const session = isShared ? `${common}-${number}` : `${word}-session-${number}`;
	for (const one of isShared ? world.places.map(place => place.organization) : [organization])
		addMessage(one, session, `${one.id} begins ${number}`);
	return {number, session, text: `${word} says ${number}`};
}

/** Runs `use` with the machine's accounts, as any program reads them. */
function withAccounts<T>({cli}: World, use: (machine: ReturnType<typeof openMachine>) => T): T | undefined {
	if (!existsSync(cli.stateFolder)) return undefined;
	const machine = openMachine(cli.stateFolder);
	try {
		return use(machine);
	} finally {
		machine.close();
	}
}

/** The account that each key opens. Notes whose accounts these are. */
export function readKeys(world: World): ReadonlyMap<string, string> {
	const {places, owners} = world;
	const found = withAccounts(world, machine =>
		places.flatMap(place =>
			place.keys.flatMap(key => {
				const {url} = place.service;
				const service = {baseUrl: url, appUrl: url, key: new Secret(key)};
				const account = findKnownAccount(machine, service);
				if (account) owners.set(account.id, place);
				return account ? [[key, account.id] as const] : [];
			}),
		),
	);
	return new Map(found);
}

/** The accounts that a place's keys open, each once. */
export function accountsOf(world: World, {keys}: Place): string[] {
	const byKey = readKeys(world);
	return [...new Set(keys.flatMap(key => byKey.get(key) ?? []))];
}

export function allAccounts(world: World): Account[] {
	return withAccounts(world, machine => machine.accounts.all()) ?? [];
}

/** The texts in an account's outbox. */
export function outboxOf({cli}: World, {file}: Account): {readonly text: string; readonly state: string}[] {
	const path = join(cli.stateFolder, file);
	if (!existsSync(path)) return [];
	const database = new DatabaseSync(path, {readOnly: true, timeout: patience});
	try {
		const rows = database.prepare('SELECT state, text FROM outbox JOIN outbox_contents USING (id)').all();
		return rows.map(({state, text}) => ({state: String(state), text: String(text)}));
	} finally {
		database.close();
	}
}

/** What was said in all sessions of an organization, as JSON. */
export function saidAt({organization}: Place): string[] {
	return [...organization.sessions.values()].flat().map(({content}) => JSON.stringify(content));
}
