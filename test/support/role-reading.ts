import fc from 'fast-check';
import {newestOfRole, openRoleMessages} from '../../src/commands/messages/role-messages.ts';
import {openTranscript} from '../../src/commands/messages/transcript.ts';
import {type MessageRole, messageRoles} from '../../src/domain/messages/message.ts';
import {followerBench} from './follower-bench.ts';
import type {ListingModel} from './listing-model.ts';

export const orders = ['tail', 'head'] as const;
const insides = [undefined, 'ascending', 'descending'] as const;
const fullPage = 100;
const {signal} = new AbortController();

/** How a session came to be, and how its service lists it. */
export type Session = {
	readonly count: number;
	readonly pages: (typeof orders)[number];
	/** The order inside a page, where it isn't that of the pages. */
	readonly inside?: (typeof insides)[number];
	/** Most messages of each page, in turn. */
	readonly pageSizes: readonly number[];
	/** Of a hundred messages, how many the user and tools wrote, and how many come in a row. */
	readonly users: number;
	readonly tools: number;
	readonly run: number;
	/** How many of the newest the `role=` listings don't show yet. */
	readonly lagging?: number;
	/** Those are weeks old; otherwise they have just been written. */
	readonly isLongLag?: boolean;
	/** Each filtered list is the first that is read of the session; otherwise all of it is cached. */
	readonly isFirstRead?: boolean;
	readonly seed: number;
};

export const sessionOf = (count: fc.Arbitrary<number>): fc.Arbitrary<Session> =>
	fc.record({
		count,
		pages: fc.constantFrom(...orders),
		inside: fc.constantFrom(...insides),
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
		lagging: fc.constantFrom(0, 0, 1, 5, 30),
		isLongLag: fc.boolean(),
		isFirstRead: fc.boolean(),
		seed: fc.nat(),
	});

/** What reads came to. `allowed`: the most requests they may take. */
export type Reads = {
	reads: number;
	messages: number;
	wrong: number;
	missing: number;
	requests: number;
	allowed: number;
};

export const noReads = (): Reads => ({reads: 0, messages: 0, wrong: 0, missing: 0, requests: 0, allowed: 0});

export function formatReads({reads, messages, wrong, missing, requests, allowed}: Reads): string {
	return `${reads} reads of ${messages} messages, ${wrong} wrong, ${missing} missing, ${requests} requests (at most ${allowed})`;
}

/** The same numbers for the same seed, from 0 to below 1. */
function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

export function fill(
	{model}: {readonly model: ListingModel},
	{count, users, tools, run, seed}: Session,
): Map<string, MessageRole> {
	const random = randomFrom(seed);
	const roles = new Map<string, MessageRole>();
	while (roles.size < count) {
		const pick = random() * 100;
		const role = pick < users ? 'user' : pick < users + tools ? 'tool' : 'assistant';
		const length = Math.min(count - roles.size, 1 + Math.floor(random() * run));
		for (const id of model.add('s', length, role)) roles.set(id, role);
	}
	return roles;
}

/** Pages that hold so many messages, each page being as long as the service makes it; empty ones count as well. */
export function pagesFor(messages: number, pageSizes: readonly number[]): number {
	const sizes = pageSizes.length === 0 ? [fullPage] : pageSizes;
	const perTurn = sizes.reduce((sum, size) => sum + size, 0);
	return Math.ceil(messages / perTurn) * sizes.length + sizes.length;
}

/**
 * The most requests a full read may take: every page of the plain listing, of `role=user` and of `role=tool`, three times
 * the pages of one window of two hundred for each of the three (they are read again where a window and the history behind
 * it meet), and six. `role=assistant` is read as well where the listings by role lag, and where the oldest messages come
 * first: then with a page of each of the others after every twenty of it.
 */
function allowed(roles: ReadonlyMap<string, MessageRole>, {pages, pageSizes, lagging = 0}: Session): number {
	const counts = [...roles.values()];
	const pagesOf = (role: MessageRole) => pagesFor(counts.filter(one => one === role).length, pageSizes);
	const isAssistantRead = pages === 'head' || lagging > 0;
	const assistant = isAssistantRead ? Math.ceil(pagesOf('assistant') * 1.1) : 0;
	const listed = pagesFor(roles.size, pageSizes) + pagesOf('user') + pagesOf('tool') + assistant;
	return listed + 9 * pagesFor(200, pageSizes) + 6;
}

/**
 * The same for the filtered list of one role: every page of its listing; then the newest messages of any role and, in a
 * first read or where the listings lag, of each of the other listings. Oldest first, those are at the end of all pages.
 */
function allowedOfRole(
	role: MessageRole,
	roles: ReadonlyMap<string, MessageRole>,
	{pages, pageSizes, lagging = 0, isFirstRead = false}: Session,
): number {
	const listed = pagesFor([...roles.values()].filter(one => one === role).length, pageSizes);
	const isWalked = pages === 'head' && (isFirstRead || lagging > 0);
	// After every twenty pages, the last one is read again.
	const walked = isWalked ? Math.ceil(2.1 * pagesFor(roles.size, pageSizes)) : 0;
	const looks = isFirstRead || lagging > 0 ? 6 : 2;
	// Oldest first, a long last page is read again in small ones.
	const narrowed = pages === 'head' ? fullPage / 20 + 2 : 0;
	return listed + walked + looks * pagesFor(20 + lagging, pageSizes) + narrowed;
}

/**
 * Reads a whole session with its roles, and then the filtered list of each role: adds what that came to, one row a read.
 * A list that says that it is not whole counts as missing all, and so does one that says of too few, or of messages that
 * aren't young, that they may be missing.
 */
export async function readWhole(one: Session): Promise<readonly Reads[]> {
	const lagging = Math.min(one.lagging ?? 0, one.count);
	const bench = followerBench({
		pages: one.pages,
		...(one.inside && {inside: one.inside}),
		...(lagging > 0 && !one.isLongLag && {isLive: true}),
	});
	const onEnd = [() => bench.end()];
	try {
		const {model, database, clock} = bench;
		const roles = fill(bench, {...one, count: one.count - lagging});
		await clock.advance(3_600_000);
		const young = fill(bench, {...one, count: lagging, seed: one.seed + 1});
		for (const [id, role] of young) roles.set(id, role);
		if (lagging > 0) model.roleLag = 25_000;
		model.pagesAre = one.pageSizes;
		const {service} = model;
		const parts = {
			sessionId: 's',
			service,
			database,
			clock,
			safeWrite: (write: () => void) => write(),
		};
		const whole = await openTranscript(parts).newest(Number.MAX_SAFE_INTEGER, signal);
		// Who wrote what no listing shows yet is not known, and not guessed.
		const isWrong = ({id, role}: {id: string; role?: MessageRole}) =>
			role !== roles.get(id) && !(role === undefined && young.has(id));
		const results: Reads[] = [
			{
				reads: 1,
				messages: roles.size,
				wrong: whole.items.filter(isWrong).length,
				missing: whole.isWhole ? roles.size - whole.items.length : roles.size,
				requests: model.requests.length,
				allowed: allowed(roles, one),
			},
		];
		for (const role of messageRoles) {
			model.clear();
			const first = one.isFirstRead ? followerBench({pages: one.pages}) : undefined;
			onEnd.push(async () => first?.end());
			const own = {...parts, database: first?.database ?? database};
			const {pages} = own.database.messages.listing('s');
			const list = openRoleMessages({
				list: service.messages.list,
				sessionId: 's',
				role,
				...(pages && {pages}),
			});
			const filtered = await newestOfRole(list, openTranscript(own), Number.MAX_SAFE_INTEGER, signal);
			const ids = [...roles].flatMap(([id, other]) => (other === role ? [id] : []));
			const found = filtered.items.map(({id}) => id);
			const isFound = new Set(found);
			const expected = ids.filter(id => isFound.has(id));
			const lacking = ids.length - expected.length;
			const isTold = filtered.isWhole && lacking <= filtered.unknown && filtered.unknown <= young.size;
			results.push({
				reads: 1,
				messages: ids.length,
				wrong: found.filter((id, index) => expected[index] !== id).length,
				missing: isTold ? 0 : ids.length,
				requests: model.requests.length,
				allowed: allowedOfRole(role, roles, one),
			});
		}
		return results;
	} finally {
		for (const end of onEnd) await end();
	}
}

export function addReads(sum: Reads, more: Reads): void {
	for (const key of Object.keys(sum) as (keyof Reads)[]) sum[key] += more[key];
}
