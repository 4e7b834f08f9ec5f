import {expect, onTestFinished, test} from 'vitest';
import {createHttpService} from '../../../src/api/http-service.ts';
import {Secret} from '../../../src/config/secret.ts';
import {memoryAnalytics} from '../../../src/db/memory-analytics.ts';
import {addDays, utcDayOf} from '../../../src/domain/time.ts';
import {rangeBefore} from '../../../src/domain/usage/range.ts';
import {joinedUsers} from '../../../src/state/joined-users.ts';
import {createOrganizationStore, type Organization} from '../../../src/state/organization.ts';
import {systemClock} from '../../../src/sync/clock.ts';
import {createOrganizationReader} from '../../../src/sync/organization-reader.ts';
import {startFaultServer} from '../../support/fault-server.ts';
import {createOrganization} from '../../support/organization.ts';
import {organizationReply} from '../../support/organization-server.ts';
import {json} from '../../support/replies.ts';

const yesterday = addDays(utcDayOf(Date.now()), -1);
const organization = createOrganization({
	users: 500,
	range: {startDate: addDays(yesterday, -59), endDate: yesterday},
	seed: 11,
	missing: 0.1,
	unattributed: 0.2,
	idle: 0.8,
});

async function reading() {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(organizationReply(organization));
	const address = {baseUrl: server.url, appUrl: server.url, key: new Secret('k-0123456789')};
	const service = createHttpService({address, retries: 0});
	onTestFinished(() => service.close());
	const store = createOrganizationStore();
	const reader = createOrganizationReader({service, analytics: memoryAnalytics(), store, clock: systemClock});
	const until = (isReady: (state: Organization) => boolean) =>
		new Promise<Organization>(resolve => {
			if (isReady(store.getState())) resolve(store.getState());
			else {
				const stop = store.subscribe(state => {
					if (!isReady(state)) return;
					stop();
					resolve(state);
				});
			}
		});
	return {server, store, reader, until};
}

test('usage of a range and of the one before comes to what was done', async () => {
	const {reader, until} = await reading();
	reader.read('usage', 14, false);
	const {usage} = await until(state => state.usage.data !== undefined);
	const done = (from: string, to: string) =>
		organization.work
			.filter(({date}) => date >= from && date <= to && !organization.missing.has(date))
			.reduce((sum, {credits}) => sum + credits, 0);
	const {now, before} = usage.data ?? {};
	expect(now?.credits.total.sum).toBeCloseTo(done(addDays(yesterday, -13), yesterday), 4);
	const past = now && rangeBefore(now.range);
	expect(before?.range).toEqual(past);
	expect(before?.credits.total.sum).toBeCloseTo(done(past?.startDate ?? '', past?.endDate ?? ''), 4);
	expect(usage.progress).toBeUndefined();
});

test('what was read moments ago is asked for again only when the user says so, or for other days', async () => {
	const {server, reader, until, store} = await reading();
	reader.read('usage', 14, false);
	await until(state => state.usage.data !== undefined);
	const asked = server.requests.length;
	reader.read('usage', 14, false);
	expect(store.getState().usage.progress).toBeUndefined();
	expect(server.requests).toHaveLength(asked);
	reader.read('usage', 14, true);
	await until(state => state.usage.progress === undefined);
	expect(server.requests.length).toBeGreaterThan(asked);
	// Only the days that may still change.
	expect(server.requests.at(-1)?.query.startDate).toBe(addDays(yesterday, -2));
	reader.read('usage', 7, false);
	await until(({usage}) => usage.data?.choice === 7);
});

test('people are joined with the users of the organization', async () => {
	const {reader, until} = await reading();
	reader.read('people', 28, false);
	reader.read('users', 28, false);
	const state = await until(({people, users}) => people.data !== undefined && users.data !== undefined);
	const joined = joinedUsers(state);
	const {active = [], inactive = []} = joined?.usage?.membership ?? {};
	expect(active.length + inactive.length).toBe(500);
	// Every ninth user never does anything.
	expect(inactive.map(user => joined?.users[user]?.id)).toContain('user-000008');
	expect(joinedUsers(state)).toBe(joined);
});

test('a reading that is ended leaves no trace, and a failed one leaves the data', async () => {
	const {server, reader, until, store} = await reading();
	const stop = reader.read('users', 28, false);
	expect(store.getState().users.progress).toBeDefined();
	stop();
	expect(store.getState().users).toEqual({});
	reader.read('users', 28, false);
	await until(state => state.users.data !== undefined);
	server.otherwise(json({title: 'Forbidden', detail: 'no'}, 403));
	reader.read('users', 28, true);
	const {users} = await until(state => state.users.problem !== undefined);
	expect(users.data).toHaveLength(500);
	expect(users.progress).toBeUndefined();
});
