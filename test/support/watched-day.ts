import {join} from 'node:path';
import {RateLimitedError} from '../../src/api/errors.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import {createStores} from '../../src/state/stores.ts';
import {watchDelay} from '../../src/sync/core/poll.ts';
import {Engine} from '../../src/sync/engine.ts';
import {fakeClock} from './fake-clock.ts';
import {type ListingModel, listingModel} from './listing-model.ts';
import {withCalls} from './with-calls.ts';

export type WatchedDay = {
	readonly folder: string;
	readonly sessions: number;
	readonly hours: number;
	/** Minutes of each hour, from its twentieth on, in which most requests are refused with a 429. */
	readonly stormMinutes?: number;
	readonly onHour?: (done: number) => void;
};

/** What a day of watching came to. Times are ms. */
export type DayReport = {
	readonly watched: number;
	readonly requests: number;
	/** Most requests in any window of so many seconds. */
	readonly mostInMinute: number;
	readonly mostInTenMinutes: number;
	/** The most that may be made in these windows. */
	readonly allowedInMinute: number;
	readonly allowedInTenMinutes: number;
	readonly perSession: {readonly least: number; readonly mean: number; readonly most: number};
	/** When each session had been read once. */
	readonly firstContact: number;
	readonly allowedFirstContact: number;
	/** Longest time between two reads of a session from then on, without storms, and the most the budget allows. */
	readonly worstAge: number;
	readonly allowedAge: number;
	/** Longest time between two polls of the open session, also in storms. */
	readonly worstOpenAge: number;
	readonly archivedRequests: number;
	/** Messages of the user that were not seen at the service. */
	readonly unseen: number;
	readonly processorPerRequest: number;
};

const perSecond = 2;
/** Its newest page, which may be read twice, and who wrote it. */
const requestsOfFirstContact = 4;
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const stormFrom = 20 * minute;

/**
 * Watches sessions of both page orders, one in ten at work now and then and one in twenty archived, beside an
 * open one and a user who posts every ten minutes.
 */
export async function watchDay(day: WatchedDay): Promise<DayReport> {
	const {sessions, hours, stormMinutes = 0} = day;
	const clock = fakeClock();
	const models = {
		tail: listingModel({clock, pages: 'newest-first', isLive: true}),
		head: listingModel({clock, pages: 'oldest-first', isLive: true}),
	};
	const modelOf = (id: string): ListingModel => (id.startsWith('head') ? models.head : models.tail);
	const service = withCalls(models.tail.service, {
		messages: {
			list: (id, ...rest) => modelOf(id).service.messages.list(id, ...rest),
			add: (id, ...rest) => modelOf(id).service.messages.add(id, ...rest),
		},
	});
	const database = openDatabase({file: join(day.folder, 'kept.db'), now: clock.now});
	const stores = createStores();
	const parts = {service, database, stores, clock, owner: 'test', hooks: 'off', random: () => 0.5} as const;
	const engine = new Engine({...parts, requestsPerSecond: perSecond});

	let startedAt = clock.now();
	const storms = stormMinutes * minute;
	/** Time of storms up to this moment. */
	const stormsUntil = (at: number) => {
		const elapsed = at - startedAt;
		const inHour = Math.min(storms, Math.max(0, (elapsed % hour) - stormFrom));
		return Math.floor(elapsed / hour) * storms + inHour;
	};
	const isStorm = () => stormsUntil(clock.now() + second) - stormsUntil(clock.now()) === second;
	const ageBetween = (from: number, to: number) => to - from - (stormsUntil(to) - stormsUntil(from));
	const requestTimes: number[] = [];
	const openTimes: number[] = [];
	const requestsOf = new Map<string, number>();
	const lastRead = new Map<string, number>();
	let worstAge = 0;
	let archivedRequests = 0;
	let refusals = 0;
	const archived = new Set<string>();
	let firstContactAt: number | undefined;
	const recordRead = (id: string) => {
		const now = clock.now();
		const before = lastRead.get(id) ?? now;
		if (firstContactAt !== undefined)
			worstAge = Math.max(worstAge, ageBetween(Math.max(before, firstContactAt), now));
		lastRead.set(id, now);
		if (watched.every(id => lastRead.has(id))) firstContactAt ??= now;
	};
	for (const model of Object.values(models))
		model.intercept = ({id, kind, query}) => {
			// A refusal tells only how long to wait: three in four, for five seconds each.
			const isRefused = isStorm() && refusals++ % 4 !== 3;
			requestTimes.push(clock.now());
			if (id === 'open') openTimes.push(clock.now());
			requestsOf.set(id, (requestsOf.get(id) ?? 0) + 1);
			if (archived.has(id)) archivedRequests++;
			if (isRefused)
				throw new RateLimitedError('Too many.', {hint: 'Wait.', status: 429, retryAfter: 5 * second});
			if (kind === 'list' && query?.role === undefined && id !== 'open') recordRead(id);
		};

	const ids = Array.from({length: sessions}, (_, index) => `${index % 2 ? 'head' : 'tail'}-${index}`);
	const busy = ids.filter((_, index) => index % 20 === 3 || index % 20 === 8);
	for (const [index, id] of ids.entries()) {
		modelOf(id).add(id, 5 + (index % 40), 'user');
		modelOf(id).add(id, 1);
		if (index % 20 === 0) archived.add(id);
	}
	const watched = ids.filter(id => !archived.has(id));
	models.tail.add('open', 30);
	await clock.advance(12 * hour);
	startedAt = clock.now();
	openTimes.push(startedAt);
	for (const id of archived)
		engine.sessions.remember({sessionId: id, sessionSettings: {archivedAt: 'then'}}, 'added', 'updated');
	for (const id of watched) engine.registry.addSession(id, 'added');
	await engine.start();
	engine.sessions.open('open');
	engine.sessions.focus('open');

	const processorBefore = process.cpuUsage();
	const steps = (hours * hour) / (10 * second);
	const workAt = (started: number) => busy.filter((_, index) => index % 6 === started % 6);
	for (let step = 0; step < steps; step++) {
		// In turn, the busy ones work for an hour: a message each ten seconds from one of them.
		const working = workAt(Math.floor((step * 10) / 3_600));
		const id = working[step % Math.max(1, working.length)];
		if (id !== undefined) modelOf(id).add(id, 1, step % 7 === 0 ? 'user' : 'assistant');
		// The open one is always at work, so it is polled every few seconds.
		models.tail.add('open', 1);
		const addressee = step % 60 === 30 ? watched[(7 * step) % watched.length] : undefined;
		if (addressee !== undefined) await engine.outbox.enqueue(addressee, {text: 'Go on.'});
		await clock.advance(10 * second);
		if (step % 360 === 359) day.onHour?.((step + 1) / 360);
	}
	models.tail.add('open', 1);
	await clock.advance(10 * second);
	const {user, system} = process.cpuUsage(processorBefore);
	const endedAt = clock.now();
	for (const id of watched)
		worstAge = Math.max(worstAge, ageBetween(Math.max(lastRead.get(id) ?? 0, firstContactAt ?? 0), endedAt));
	const items = [...stores.outbox.getState().bySession.values()].flat();
	await engine.stop();
	const isClean = clock.pending === 0;
	database.close();
	if (!isClean) throw new Error('A timer is left.');

	const counts = watched.map(id => requestsOf.get(id) ?? 0);
	// What the open session and roles leave of the budget. At the turn of an hour, two groups are active.
	const left = perSecond / 2;
	const longest = watchDelay(false, Number.MAX_SAFE_INTEGER);
	const active = workAt(0).length;
	const load = (active / 5 + active / 15 + watched.length / (longest / second)) / left;
	openTimes.push(endedAt);
	const gaps = openTimes.slice(1).map((at, index) => at - (openTimes[index] ?? at));
	return {
		watched: watched.length,
		requests: requestTimes.length,
		mostInMinute: mostIn(requestTimes, minute),
		mostInTenMinutes: mostIn(requestTimes, 10 * minute),
		allowedInMinute: 60 * perSecond + 8,
		allowedInTenMinutes: 600 * perSecond + 8,
		perSession: {
			least: counts.reduce((a, b) => Math.min(a, b)),
			mean: counts.reduce((a, b) => a + b) / counts.length,
			most: counts.reduce((a, b) => Math.max(a, b)),
		},
		firstContact: ageBetween(startedAt, firstContactAt ?? Number.POSITIVE_INFINITY),
		allowedFirstContact: ((requestsOfFirstContact * watched.length) / left) * second,
		worstAge,
		allowedAge: 1.25 * longest * Math.max(1, load),
		worstOpenAge: Math.max(...gaps),
		archivedRequests,
		unseen: items.filter(({state}) => state !== 'seen').length,
		processorPerRequest: (user + system) / 1_000 / requestTimes.length,
	};
}

/** Most of these times, which are in order, in any window of this length. */
function mostIn(times: readonly number[], length: number): number {
	let most = 0;
	let first = 0;
	for (const [last, at] of times.entries()) {
		while ((times[first] ?? at) <= at - length) first++;
		most = Math.max(most, last - first + 1);
	}
	return most;
}

export function formatDay(report: DayReport): string {
	const {watched, requests, mostInMinute, mostInTenMinutes, perSession} = report;
	const {least, mean, most} = perSession;
	return [
		`${watched} sessions, ${requests} requests`,
		`at most ${mostInMinute} in a minute, ${mostInTenMinutes} in ten`,
		`per session ${least} to ${most}, ${mean.toFixed(1)} on average`,
		`each read once after ${inSeconds(report.firstContact)} (at most ${inSeconds(report.allowedFirstContact)})`,
		`worst age ${inSeconds(report.worstAge)} (at most ${inSeconds(report.allowedAge)})`,
		`open session ${inSeconds(report.worstOpenAge)}`,
		`${report.processorPerRequest.toFixed(2)} ms of processor per request`,
	].join('; ');
}

const inSeconds = (ms: number) => `${Math.round(ms / second)} s`;
