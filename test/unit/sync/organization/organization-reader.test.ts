import {expect, onTestFinished, test} from 'vitest';
import {createHttpService} from '../../../../src/api/http/http-client.ts';
import {Secret} from '../../../../src/config/secret.ts';
import {memoryAnalytics} from '../../../../src/db/analytics.ts';
import {StorageError} from '../../../../src/db/file/storage-error.ts';
import {systemClock} from '../../../../src/domain/clock.ts';
import {addDays, utcDayOf} from '../../../../src/domain/time.ts';
import {rangeBefore} from '../../../../src/domain/usage/range.ts';
import {hasAny} from '../../../../src/state/organization/day-columns.ts';
import {joinedUsers} from '../../../../src/state/organization/joined-users.ts';
import {createOrganizationStore, type Organization} from '../../../../src/state/organization/organization.ts';
import {createOrganizationReader} from '../../../../src/sync/organization/organization-reader.ts';
import {startFaultServer} from '../../../support/fault-server.ts';
import {createOrganization} from '../../../support/organization.ts';
import {organizationReply} from '../../../support/organization-server.ts';
import {json} from '../../../support/replies.ts';

const yesterday = addDays(utcDayOf(Date.now()), -1);
const organization = createOrganization({
	users: 500,
	range: {startDate: addDays(yesterday, -59), endDate: yesterday},
	seed: 11,
	missing: 0.1,
	unattributed: 0.2,
	idle: 0.8,
});

async function reading(analytics = memoryAnalytics()) {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(organizationReply(organization));
	const address = {baseUrl: server.url, appUrl: server.url, key: new Secret('k-0123456789')};
	const service = createHttpService({address, retries: 0});
	onTestFinished(() => service.close());
	const open = () => {
		const store = createOrganizationStore();
		return {store, reader: createOrganizationReader({service, analytics, store, clock: systemClock})};
	};
	const {store, reader} = open();
	const until = (isReady: (state: Organization) => boolean, of = store) =>
		new Promise<Organization>(resolve => {
			if (isReady(of.getState())) resolve(of.getState());
			else {
				const stop = of.subscribe(state => {
					if (!isReady(state)) return;
					stop();
					resolve(state);
				});
			}
		});
	/** A program that is started later, over what this one kept. */
	return {server, store, reader, until, later: open};
}

test('the usage of a range and of the one before add up to the work done', async () => {
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

test('what a full disk refuses is shown from memory', async () => {
	const full = () => Promise.reject(new StorageError('full', undefined));
	const {reader, until} = await reading({...memoryAnalytics(), put: full, putUsers: full});
	reader.read('usage', 14, false);
	const {usage} = await until(state => state.usage.data !== undefined || state.usage.problem !== undefined);
	expect(usage.problem).toBeUndefined();
	expect(usage.data?.now.credits.total.sum).toBeGreaterThan(0);
});

test('rereads what it has just read only if the user asks, or for other days', async () => {
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

test("joins people with the organization's users", async () => {
	const {reader, until} = await reading();
	reader.read('people', 30, false);
	reader.read('users', 30, false);
	const state = await until(({people, users}) => people.data !== undefined && users.data !== undefined);
	const joined = joinedUsers(state);
	// Every ninth user never does anything.
	expect(joined?.usage?.membership.isActive(7)).toBe(true);
	expect(joined?.usage?.membership.isActive(8)).toBe(false);
	expect(joinedUsers(state)).toBe(joined);
});

test('a canceled read leaves no trace, and a failed one leaves the data', async () => {
	const {server, reader, until, store} = await reading();
	const stop = reader.read('users', 30, false);
	expect(store.getState().users.progress).toBeDefined();
	stop();
	expect(store.getState().users).toEqual({});
	reader.read('users', 30, false);
	await until(state => state.users.data !== undefined);
	server.otherwise(json({title: 'Forbidden', detail: 'no'}, 403));
	reader.read('users', 30, true);
	const {users} = await until(state => state.users.problem !== undefined);
	expect(users.data).toHaveLength(500);
	expect(users.progress).toBeUndefined();
});

test('a family that fails is named, and the others are still shown', async () => {
	const {server, reader, until} = await reading();
	const usual = organizationReply(organization);
	server.otherwise((response, request) =>
		(/tools|productivity/.test(request.path) ? json({title: 'Broken'}, 500) : usual)(response, request),
	);
	reader.read('usage', 14, false);
	const {usage} = await until(state => state.usage.problem !== undefined);
	expect(usage.problem?.what).toMatch(/^tools, productivity: .*500/);
	expect(usage).toMatchObject({isPart: true, readAt: expect.any(Number)});
	expect(usage.data?.now.credits.total.sum).toBeGreaterThan(0);
	expect(usage.data && hasAny(usage.data.now, 'tool_calls')).toBe(false);
	// What is missing is asked for by the next who opens the view.
	server.otherwise(usual);
	reader.read('usage', 14, false);
	const whole = await until(({usage: {data}}) => data !== undefined && hasAny(data.now, 'tool_calls'));
	expect(whole.usage.problem).toBeUndefined();
	expect(whole.usage.isPart).toBeUndefined();
});

test('people are complete without the activity that only helps to read them', async () => {
	const {server, reader, until} = await reading();
	const usual = organizationReply(organization);
	server.otherwise((response, request) =>
		(request.path.includes('activity') ? json({data: ['no row'], meta: {}}) : usual)(response, request),
	);
	reader.read('people', 14, false);
	const {people} = await until(state => state.people.data !== undefined);
	expect(people.problem).toBeUndefined();
	expect(people.note).toBeUndefined();
	const from = addDays(yesterday, -13);
	const work = organization.work.filter(({date}) => date >= from && !organization.missing.has(date));
	const done = [...Map.groupBy(work, ({user}) => organization.users[user]?.id ?? '')].map(([id, own]) => [
		id,
		own.reduce((all, one) => all + one.credits, 0),
		own.reduce((all, one) => all + one.sessions, 0),
	]);
	const all = people.data?.people;
	const shown = all?.people.map(({userId}, index) => [
		userId,
		all.total(index, 'billable_tokens'),
		all.total(index, 'sessions'),
	]);
	expect(shown?.toSorted()).toEqual(done.toSorted());
});

test('stops after one request if all families would fail alike', async () => {
	const {server, reader, until} = await reading();
	server.otherwise(json({title: 'Forbidden', detail: 'no'}, 403));
	reader.read('usage', 14, false);
	const {usage} = await until(state => state.usage.problem !== undefined);
	expect(usage.data).toBeUndefined();
	expect(usage.problem?.what).toContain('403');
	expect(server.requests).toHaveLength(1);
});

test.each(['usage', 'people'] as const)(
	'shows stored %s and how old it is when there is no service',
	async part => {
		const {server, reader, until, later} = await reading();
		reader.read(part, 14, false);
		const before = await until(state => state[part].data !== undefined);
		await server.close();
		const {reader: second, store} = later();
		second.read(part, 14, false);
		const after = await until(state => state[part].problem !== undefined, store);
		expect(after[part].problem?.what).toBeTruthy();
		expect(after[part].isPart).toBeUndefined();
		expect(after[part].readAt).toBeLessThanOrEqual(before[part].readAt ?? 0);
		expect(JSON.stringify(after[part].data)).toBe(JSON.stringify(before[part].data));
		// Days of which some were never read are shown as they are, and have no age.
		second.read(part, 30, false);
		const wider = await until(state => state[part].data?.choice === 30, store);
		expect(wider[part].readAt).toBeUndefined();
		expect(wider[part].problem).toBeDefined();
	},
);

test('names a chosen last day that the service refuses, but ends a preset a day earlier', async () => {
	const {server, reader, until, store} = await reading();
	const reply = organizationReply(organization);
	server.otherwise((response, request) =>
		(request.query.endDate === yesterday ? json({title: "today's date"}, 400) : reply)(response, request),
	);
	const chosen = {startDate: addDays(yesterday, -6), endDate: yesterday};
	const before = addDays(yesterday, -1);
	reader.read('usage', chosen, false);
	const {usage} = await until(state => state.usage.data !== undefined);
	expect(usage.note).toBe(
		`the service refused ${yesterday}: its last day is ${before}, so the data ends there`,
	);
	expect(usage.data?.now.range).toEqual(chosen);
	expect(usage.data?.now.credits.trend.at(-1)).toEqual({date: yesterday, value: undefined});
	reader.read('people', chosen, false);
	expect((await until(state => state.people.data !== undefined)).people.note).toContain(yesterday);

	reader.read('usage', 7, false);
	await until(state => state.usage.data?.choice === 7);
	expect(store.getState().usage.data?.now.range.endDate).toBe(before);
	expect(store.getState().usage.note).toBeUndefined();
});
