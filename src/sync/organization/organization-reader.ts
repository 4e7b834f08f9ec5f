import {pagesOf, reportsOf, type WalkEnd} from '../../api/pages.ts';
import {runSliced} from '../../api/run-sliced.ts';
import {pageLimit} from '../../domain/limits.ts';
import {createListBudget} from '../../domain/list-budget.ts';
import {thousands} from '../../domain/numbers.ts';
import {compareRevisions} from '../../domain/organization/controls.ts';
import {repositoriesOf} from '../../domain/organization/readiness.ts';
import {listedUser} from '../../domain/organization/user.ts';
import {isSameChoice, type RangeChoice} from '../../domain/usage/range.ts';
import type {
	Loaded,
	Organization,
	OrganizationPart,
	OrganizationStore,
} from '../../state/organization/organization.ts';
import {problemOf} from '../core/problem.ts';
import {type Gaps, noteOf} from '../core/reading-gaps.ts';
import type {ReportProgress} from './aggregate-usage.ts';
import {isRefusal, type UsageReaderParts} from './read-analytics.ts';
import {createUsageReadings} from './read-usage.ts';

export type OrganizationReader = {
	/** Reads a part into its store; unless `isForced`, only if it is out of date. Returns a function that cancels it. */
	read(part: OrganizationPart, range: RangeChoice, isForced: boolean): () => void;
};

type OrganizationReaderParts = UsageReaderParts & {readonly store: OrganizationStore};

/** Opening a view doesn't read its part again within this time, ms. */
const freshTime = 5 * 60_000;
/** Reports per page: the service documents no maximum. */
const reportPage = 50;
const wholePage = {limit: pageLimit.max};
const titles: Readonly<Record<OrganizationPart, string>> = {
	usage: 'usage',
	people: 'people',
	readiness: 'readiness reports',
	controls: 'the history of the settings',
	users: 'users',
};
/** Minimum time between two progress reports, ms: reading a large organization takes thousands of calls. */
const reportInterval = 100;

/** Reads one part; `choice` matters only to data that is stored by day. */
type ReadPart<Part extends OrganizationPart> = (
	choice: RangeChoice,
	signal: AbortSignal,
	reportProgress: ReportProgress,
) => Promise<Organization[Part]>;

type WholeList<Item, Kept, Data> = Pick<ListReading<Item, Kept>, 'what' | 'idOf' | 'keep'> & {
	readonly pages: (options: {signal: AbortSignal}) => ListPages<Item>;
	readonly dataOf: (items: readonly Kept[]) => Data | Promise<Data>;
};

export function createOrganizationReader(parts: OrganizationReaderParts): OrganizationReader {
	const {service, store, clock} = parts;
	const {usage, people} = createUsageReadings(parts);

	const readAll =
		<Item, Kept, Data>({pages, dataOf, ...list}: WholeList<Item, Kept, Data>) =>
		async (_: RangeChoice, signal: AbortSignal, reportProgress: ReportProgress) => {
			const onRead = (count: number) => reportProgress(`reading ${list.what}: ${count}`);
			const {items, gaps} = await readList(pages({signal}), {...list, onRead});
			return {data: await dataOf(items), readAt: clock.now(), ...noteOf([gaps])};
		};

	const reads: {readonly [Part in OrganizationPart]: ReadPart<Part>} = {
		usage,
		people,
		readiness: readAll({
			what: 'readiness reports',
			pages: options => reportsOf(service.readiness.list, {limit: reportPage}, options),
			idOf: ({reportId}) => reportId,
			keep: report => report,
			dataOf: repositoriesOf,
		}),
		controls: readAll({
			what: 'revisions',
			pages: options => pagesOf(service.controls.history, wholePage, options),
			idOf: ({revision}) => revision,
			keep: change => change,
			dataOf: changes => runSliced(compareRevisions(changes), clock.now),
		}),
		users: readAll({
			what: 'users',
			pages: options => pagesOf(service.users.list, wholePage, options),
			idOf: ({id}) => id,
			keep: listedUser,
			dataOf: users => users,
		}),
	};

	function start<Part extends OrganizationPart>(part: Part, choice: RangeChoice): () => void {
		const abort = new AbortController();
		const set = (change: (before: Loaded<unknown>) => Loaded<unknown>) => {
			if (!abort.signal.aborted)
				store.setState(state => ({[part]: change(state[part])}) as unknown as Partial<Organization>);
		};
		let reportedAt = clock.now();
		const reportProgress: ReportProgress = progress => {
			if (clock.now() - reportedAt < reportInterval) return;
			reportedAt = clock.now();
			set(before => ({...before, progress}));
		};
		set(before => ({...before, progress: `reading ${titles[part]}`}));
		reads[part](choice, abort.signal, reportProgress)
			.then(loaded => set(() => loaded))
			.catch((error: unknown) =>
				set(({progress: _, isPart: __, ...before}) => ({
					// Don't show usage to a key that has lost access to it.
					...(isRefusal(error) && (part === 'usage' || part === 'people') ? {} : before),
					problem: problemOf(error, clock.now()),
				})),
			);
		return () => {
			set(({progress: _, ...before}) => before);
			abort.abort();
		};
	}

	return {
		read(part, range, isForced) {
			const {data, readAt, problem} = store.getState()[part];
			const isOfRange = !data || !('choice' in data) || isSameChoice(data.choice, range);
			const isFresh = readAt !== undefined && clock.now() - readAt < freshTime && !problem && isOfRange;
			return isFresh && !isForced ? () => undefined : start(part, range);
		},
	};
}

type ListPages<Item> = AsyncGenerator<{readonly items: readonly Item[]; readonly skipped: number}, WalkEnd>;

type ListReading<Item, Kept> = {
	/** Name of the items in notes, such as `users`. */
	readonly what: string;
	/** Id of an item; an item with a known id is skipped. */
	readonly idOf: (item: Item) => string | number;
	/** Returns the part of an item to keep in memory. */
	readonly keep: (item: Item) => Kept;
	readonly onRead: (count: number) => void;
};

/** Pages in a row without a new item after which reading stops. */
const maxStalePages = 100;

/** Reads a list into memory, page by page, to its end or until memory is full (`domain/list-budget.ts`). */
async function readList<Item, Kept>(
	pages: ListPages<Item>,
	{what, idOf, keep, onRead}: ListReading<Item, Kept>,
): Promise<{readonly items: readonly Kept[]; readonly gaps: Gaps}> {
	const budget = createListBudget();
	const ids = new Set<string | number>();
	const items: Kept[] = [];
	let skipped = 0;
	let stalePages = 0;
	try {
		for (;;) {
			const {value, done} = await pages.next();
			if (done) {
				return {items, gaps: {skipped, end: value}};
			}
			skipped += value.skipped;
			const before = items.length;
			for (const item of value.items) {
				const id = idOf(item);
				if (ids.has(id)) continue;
				const entry = keep(item);
				if (!budget.take(entry)) {
					const cut = `first ${thousands(items.length)} ${what} shown; the service has more`;
					return {items, gaps: {skipped, end: 'full', cut}};
				}
				ids.add(id);
				items.push(entry);
			}
			onRead(items.length);
			stalePages = items.length === before ? stalePages + 1 : 0;
			if (stalePages >= maxStalePages) return {items, gaps: {skipped, end: 'repeated-cursor'}};
		}
	} finally {
		await pages.return('end');
	}
}
