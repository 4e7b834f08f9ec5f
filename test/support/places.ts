import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {addDays, utcDayOf} from '../../src/domain/time.ts';
import type {CliResult} from './cli.ts';
import {commandsAt} from './commands.ts';
import {temporaryFolder} from './local-service.ts';
import {
	addMessage,
	type FakeOrganization,
	fakeOrganization,
	type OrganizationService,
	startOrganizations,
} from './organization-service.ts';

const lastDay = addDays(utcDayOf(Date.now()), -5);
export const dates = ['--from', addDays(lastDay, -3), '--to', lastDay];
/** The same id at both services: whoever keeps it by the id alone mixes them up. */
export const shared = 'session-of-everyone';

export type Place = {
	readonly env: Readonly<Record<string, string>>;
	readonly organization: FakeOrganization;
	run(...args: string[]): Promise<CliResult>;
};

/** Two organizations at service A, one at B; each with a session and a computer of its own, and one session id in common. */
export async function setUpPlaces() {
	const home = temporaryFolder();
	const cli = commandsAt(home);
	const [a1, a2, b] = ['a1', 'a2', 'b'].map(id => fakeOrganization(id, `key-${id}`)) as [
		FakeOrganization,
		FakeOrganization,
		FakeOrganization,
	];
	const [atA, atB] = [await startOrganizations(a1, a2), await startOrganizations(b)];
	for (const [index, organization] of [a1, a2, b].entries()) {
		organization.credits = 7000 + index;
		organization.computers.set(`computer-${organization.id}`, {
			name: `box-${organization.id}`,
			createdAt: Date.now(),
		});
		addMessage(organization, `session-${organization.id}`, `secret of ${organization.id}`);
		addMessage(organization, shared, `common secret of ${organization.id}`);
	}
	const place = (service: OrganizationService, organization: FakeOrganization): Place => {
		const [key = ''] = organization.keys;
		const env = {QUARTERDECK_BASE_URL: service.url, QUARTERDECK_API_KEY: key};
		return {env, organization, run: (...args) => cli.run(args, {env})};
	};
	return {cli, home, atA, atB, a1: place(atA, a1), a2: place(atA, a2), b: place(atB, b)};
}

/** All that a stranger's screen or command could show of an organization. */
export const marks = (id: string) =>
	new RegExp(`secret of ${id}\\b|box-${id}\\b|session-${id}\\b|computer-${id}\\b`);

/** What was posted to a service, in order: the key and the path of each. */
export const posts = ({requests}: OrganizationService) =>
	requests.filter(({method}) => method === 'POST').map(({key, path}) => `${key} ${path}`);

/** A profile of each place, with its key in a file. */
export function writeProfiles(home: string, places: Readonly<Record<string, Place>>): void {
	const folder = join(home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const profiles = Object.entries(places).map(([name, {env}]) => {
		const keyFile = join(folder, `key-of-${name}`);
		writeFileSync(keyFile, env.QUARTERDECK_API_KEY ?? '', {mode: 0o600});
		return [name, {baseUrl: env.QUARTERDECK_BASE_URL, keyFile}];
	});
	writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles: Object.fromEntries(profiles)}));
}

/** Reads all that an organization has, so that it is kept here. */
export async function fill({organization: {id}, run}: Place): Promise<void> {
	expect((await run('computers', 'get', `computer-${id}`)).code).toBe(0);
	expect((await run('sessions', 'add', `session-${id}`)).code).toBe(0);
	for (const session of [`session-${id}`, shared])
		expect((await run('messages', session, '--all')).stdout).toContain(`secret of ${id}`);
	expect((await run('usage', 'activity', ...dates, '--csv')).stdout).toMatch(/700\d/);
}

/** A message of a1's that waits, and one whose answer was lost, both to the session of every service. */
export async function setUpWaiting() {
	const all = await setUpPlaces();
	const {a1, atA} = all;
	await fill(a1);
	atA.faults.push('lost');
	expect((await a1.run('send', shared, 'lost words of a1')).code).toBe(5);
	a1.organization.keys.clear();
	expect((await a1.run('send', 'session-a1', 'waiting words of a1')).code).toBe(3);
	a1.organization.keys.add('key-a1');
	return {...all, before: posts(atA).length};
}
