import fc from 'fast-check';
import {expect, test} from 'vitest';
import {openRoleMessages} from '../../../src/commands/role-messages.ts';
import {openTranscript} from '../../../src/commands/transcript.ts';
import {type MessageRole, messageRoles} from '../../../src/domain/message.ts';
import {type FollowerBench, followerBench} from '../../support/follower-bench.ts';
import type {ModelRequest} from '../../support/listing-model.ts';

const {signal} = new AbortController();
const orders = ['tail', 'head'] as const;
const fullPage = 100;

/** How a session came to be, and how its service lists it. */
type Session = {
	readonly count: number;
	readonly pages: (typeof orders)[number];
	/** Most messages of each page, in turn. */
	readonly pageSizes: readonly number[];
	/** Of a hundred messages, how many the user and tools wrote, and how many come in a row. */
	readonly users: number;
	readonly tools: number;
	readonly run: number;
	readonly seed: number;
};

const session = (max: number): fc.Arbitrary<Session> =>
	fc.record({
		count: fc.integer({min: 1, max}),
		pages: fc.constantFrom(...orders),
		pageSizes: fc.oneof(
			fc.constant([]),
			fc.integer({min: 1, max: 100}).map(size => [size]),
			fc
				.array(fc.integer({min: 0, max: 100}), {minLength: 2, maxLength: 5})
				.filter(sizes => sizes.some(Boolean)),
		),
		users: fc.integer({min: 0, max: 60}),
		tools: fc.integer({min: 0, max: 40}),
		run: fc.integer({min: 1, max: 250}),
		seed: fc.nat(),
	});

const totals = {sessions: 0, messages: 0, wrong: 0, missing: 0, requests: 0, allowed: 0};

/** The same numbers for the same seed, from 0 to below 1. */
function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

function fill(bench: FollowerBench, {count, users, tools, run, seed}: Session): Map<string, MessageRole> {
	const random = randomFrom(seed);
	const roles = new Map<string, MessageRole>();
	while (roles.size < count) {
		const pick = random() * 100;
		const role = pick < users ? 'user' : pick < users + tools ? 'tool' : 'assistant';
		const length = Math.min(count - roles.size, 1 + Math.floor(random() * run));
		for (const id of bench.model.add('s', length, role)) roles.set(id, role);
	}
	return roles;
}

/** Pages that hold so many messages, each page being as long as the service makes it; empty ones count as well. */
function pagesFor(messages: number, pageSizes: readonly number[]): number {
	const sizes = pageSizes.length === 0 ? [fullPage] : pageSizes;
	const perTurn = sizes.reduce((sum, size) => sum + size, 0);
	return Math.ceil(messages / perTurn) * sizes.length + sizes.length;
}

/**
 * The most requests a full read may take: every page of the plain listing, of `role=user` and of `role=tool`, three times
 * the pages of one window of two hundred for each of the three (they are read again where a window and the history behind
 * it meet), and six.
 */
function allowed(roles: ReadonlyMap<string, MessageRole>, {pageSizes}: Session): number {
	const counts = [...roles.values()];
	const of = (role: MessageRole) => counts.filter(one => one === role).length;
	const pages = [roles.size, of('user'), of('tool')].map(count => pagesFor(count, pageSizes));
	return pages.reduce((sum, count) => sum + count, 0) + 9 * pagesFor(200, pageSizes) + 6;
}

function tally(
	requests: readonly ModelRequest[],
	max: number,
	messages: number,
	wrong: number,
	missing: number,
) {
	totals.sessions++;
	totals.messages += messages;
	totals.wrong += wrong;
	totals.missing += missing;
	totals.requests += requests.length;
	totals.allowed += max;
	expect({wrong, missing}).toEqual({wrong: 0, missing: 0});
	expect(requests.length).toBeLessThanOrEqual(max);
}

async function readWhole(one: Session): Promise<void> {
	const bench = followerBench({pages: one.pages});
	try {
		const {model, database, clock} = bench;
		const roles = fill(bench, one);
		model.pagesAre = one.pageSizes;
		const parts = {
			sessionId: 's',
			service: model.service,
			database,
			clock,
			safeWrite: (write: () => void) => write(),
		};
		const {items, isWhole} = await openTranscript(parts).newest(Number.MAX_SAFE_INTEGER, signal);
		expect(isWhole).toBe(true);
		const wrong = items.filter(({id, role}) => role !== roles.get(id)).length;
		tally(model.requests, allowed(roles, one), roles.size, wrong, roles.size - items.length);
		for (const role of messageRoles) {
			model.clear();
			const ids = [...roles].flatMap(([id, other]) => (other === role ? [id] : []));
			const {pages} = database.messages.listing('s');
			const list = openRoleMessages({
				list: model.service.messages.list,
				sessionId: 's',
				role,
				...(pages && {pages}),
			});
			const filtered = await list.newest(Number.MAX_SAFE_INTEGER, signal);
			expect(filtered.isWhole).toBe(true);
			expect(model.requests.every(({query}) => query?.role === role)).toBe(true);
			const found = filtered.items.map(({id}) => id);
			const missing = ids.filter((id, index) => found[index] !== id).length;
			tally(
				model.requests,
				pagesFor(ids.length, one.pageSizes),
				ids.length,
				found.length - ids.length,
				missing,
			);
		}
	} finally {
		await bench.end();
	}
}

function report(what: string): void {
	const {sessions, messages, wrong, missing, requests, allowed: max} = totals;
	process.stdout.write(
		`${what}: ${sessions} reads of ${messages} messages, ${wrong} wrong, ${missing} missing, ${requests} requests (at most ${max})\n`,
	);
	for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] = 0;
}

test('every role and every filtered list of a session is right, whatever its order and pages', {
	timeout: 120_000,
}, async () => {
	await fc.assert(fc.asyncProperty(session(1_200), readWhole), {numRuns: 40});
	report('small sessions');
});

test.each(orders)('the same of long sessions, %s first', {timeout: 300_000}, async pages => {
	for (const [count, size] of [
		[2_500, 100],
		[5_000, 37],
		[20_000, 100],
	] as const) {
		const whole = {count, pages, pageSizes: [size], users: 10, tools: 30, run: 12, seed: count};
		await readWhole(whole);
		report(`${pages} first, ${count} messages in pages of ${size}`);
	}
	await readWhole({count: 1_000, pages, pageSizes: [1], users: 30, tools: 30, run: 3, seed: 1});
	report(`${pages} first, 1000 messages in pages of 1`);
});

const live = fc.record({
	session: session(400),
	/** How much later than the plain listing those by role show a message, ms. */
	roleLag: fc.constantFrom(0, 0, 0, 4_000, 25_000),
	/** Now and then a `role=` listing gives a cursor a second time. */
	repeatsCursors: fc.boolean(),
	steps: fc.array(
		fc.record({
			count: fc.integer({min: 1, max: 4}),
			role: fc.constantFrom(...messageRoles),
			lag: fc.constantFrom(0, 0, 0, 7_000),
			wait: fc.constantFrom(0, 300, 3_000, 40_000),
			restarts: fc.integer({min: 0, max: 9}).map(pick => pick === 0),
		}),
		{maxLength: 7},
	),
});

/**
 * Listings that may be asked for a change, and on opening: one page of each where pages are whole, else as many as hold
 * what the change reaches.
 */
const listingsPerChange = 3;
/** While a `role=` listing lags a change is asked about again, ever more rarely. */
const triesPerChange = 16;

test.each(orders)(
	'while it is followed a session shows no role that is not so, %s first',
	{timeout: 120_000},
	async pages => {
		const seen = {sessions: 0, changes: 0, wrong: 0, missing: 0, roleRequests: 0, allowed: 0};
		await fc.assert(
			fc.asyncProperty(live, async ({session: one, roleLag, repeatsCursors, steps}) => {
				let bench = followerBench({pages, isLive: true});
				try {
					const {model, clock} = bench;
					const roles = fill(bench, {...one, pages});
					// A listing of short pages that also leads back every few of them never comes to its end.
					const isLong = (size: number) => Math.max(20, size);
					model.pagesAre = repeatsCursors ? one.pageSizes.map(isLong) : one.pageSizes;
					model.roleLag = roleLag;
					let wrong = 0;
					const watch = () =>
						bench.stores.streams.subscribe(({open}) => {
							for (const entry of open.get('s')?.entries ?? [])
								if (entry.kind === 'message' && entry.role && entry.role !== roles.get(entry.id)) wrong++;
						});
					await clock.advance(3_600_000);
					let asked = 0;
					model.shape = (page, {role, cursor}) => {
						const isSaved = !repeatsCursors || !role || page.nextCursor === undefined || cursor === undefined;
						return isSaved || ++asked % 7 > 0 ? page : {...page, nextCursor: cursor};
					};
					watch();
					let follower = bench.open('s');
					follower.setFocused(true);
					await clock.advance(90_000);
					model.clear();
					for (const {count, role, lag, wait, restarts} of steps) {
						model.lag = lag;
						for (const id of model.add('s', count, role)) roles.set(id, role);
						model.lag = 0;
						if (restarts) {
							await bench.stop();
							bench = bench.restart();
							watch();
							follower = bench.open('s');
							follower.setFocused(true);
						} else follower.kick();
						await bench.arrive();
						await clock.advance(wait);
					}
					model.shape = page => page;
					for (let turn = 0; turn < (repeatsCursors ? 12 : 4); turn++) {
						follower.kick();
						await clock.advance(61_000);
						await bench.arrive();
					}
					const roleRequests = model.requests.filter(({query}) => query?.role).length;
					for (let turn = 0; turn < 60 && bench.stream('s')?.hasOlder; turn++) {
						const older = follower.loadOlder();
						await bench.arrive();
						await clock.advance(2_000);
						await older;
					}
					await clock.advance(150_000);
					const entries = bench.stream('s')?.entries ?? [];
					const missing = entries.filter(entry => entry.kind === 'message' && !entry.role).length;
					expect({wrong, missing}).toEqual({wrong: 0, missing: 0});
					model.clear();
					follower.kick();
					await bench.arrive();
					expect(model.requests.filter(({query}) => query?.role)).toEqual([]);
					const isPlain = roleLag === 0 && !repeatsCursors && one.pageSizes.length === 0;
					const tries = isPlain ? 1 : triesPerChange;
					const window = isPlain ? 1 : pagesFor(roles.size, one.pageSizes);
					const openings = 1 + steps.filter(({restarts}) => restarts).length;
					const max = (steps.length * tries + openings) * listingsPerChange * window;
					expect(roleRequests).toBeLessThanOrEqual(max);
					seen.sessions++;
					seen.changes += steps.length;
					seen.wrong += wrong;
					seen.missing += missing;
					seen.roleRequests += roleRequests;
					seen.allowed += max;
				} finally {
					await bench.end();
				}
			}),
			{numRuns: 20, endOnFailure: true},
		);
		process.stdout.write(
			`${pages} first, followed: ${seen.sessions} sessions, ${seen.changes} changes, ${seen.wrong} wrong, ${seen.missing} missing, ${seen.roleRequests} role requests (at most ${seen.allowed})\n`,
		);
	},
);
