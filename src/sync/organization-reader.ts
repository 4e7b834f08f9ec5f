import {pagesOf, reportsOf} from '../api/pages.ts';
import type {CallOptions, PageQuery, Service} from '../api/service.ts';
import type {AnalyticsTable} from '../db/analytics.ts';
import type {ControlChange} from '../domain/controls.ts';
import {differencesOf} from '../domain/controls-difference.ts';
import {pageLimit} from '../domain/limits.ts';
import type {Page} from '../domain/page.ts';
import type {ReadinessReport} from '../domain/readiness.ts';
import {repositoriesOf} from '../domain/readiness-repositories.ts';
import {isSameChoice, type RangeChoice} from '../domain/usage/range.ts';
import {createUserList} from '../domain/user-list.ts';
import type {
	Loaded,
	Organization,
	OrganizationPart,
	OrganizationStore,
	ReadingProgress,
} from '../state/organization.ts';
import type {Clock} from './clock.ts';
import {problemOf} from './problem.ts';
import {createUsageReadings} from './read-usage.ts';
import {type Gaps, noteOf} from './reading-gaps.ts';

/** Reads the organization's parts for whoever looks at them. */
export type OrganizationReader = {
	/** Reads a part into its store, unless it was read moments ago; `isAsked`: even then. Ends with what it returns. */
	read(part: OrganizationPart, range: RangeChoice, isAsked: boolean): () => void;
};

export type OrganizationReaderParts = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	readonly store: OrganizationStore;
	readonly clock: Clock;
};

/** What was read this recently is not asked for again by opening its view, ms. */
const fresh = 5 * 60_000;
/** Reports in a page: the contract names no largest number. */
const reportPage = 50;
/** How often a reading is told at most, ms: a large organization answers thousands of times. */
const tellEvery = 100;

type Work<Part extends OrganizationPart> = (
	signal: AbortSignal,
	tell: (progress: ReadingProgress) => void,
) => Promise<Organization[Part]>;

export function createOrganizationReader(parts: OrganizationReaderParts): OrganizationReader {
	const {service, store, clock} = parts;
	const byDays = createUsageReadings(parts);

	function run<Part extends OrganizationPart>(part: Part, first: string, work: Work<Part>): () => void {
		const abort = new AbortController();
		const set = (change: (before: Loaded<unknown>) => Loaded<unknown>) => {
			if (!abort.signal.aborted)
				store.setState(state => ({[part]: change(state[part])}) as unknown as Partial<Organization>);
		};
		let toldAt = clock.now();
		const tell = (progress: ReadingProgress) => {
			if (clock.now() - toldAt < tellEvery) return;
			toldAt = clock.now();
			set(before => ({...before, progress}));
		};
		set(before => ({...before, progress: {text: first}}));
		work(abort.signal, tell)
			.then(read => set(() => read))
			.catch((error: unknown) =>
				set(({progress: _, isPart: __, ...before}) => ({...before, problem: problemOf(error, clock.now())})),
			);
		return () => {
			set(({progress: _, ...before}) => before);
			abort.abort();
		};
	}

	const usage = (choice: RangeChoice) =>
		run('usage', 'reading usage', (signal, tell) => byDays.usage(choice, signal, tell));

	const people = (choice: RangeChoice) =>
		run('people', 'reading people', (signal, tell) => byDays.people(choice, signal, tell));

	const readiness = () =>
		run('readiness', 'reading readiness reports', async (signal, tell) => {
			const reports: ReadinessReport[] = [];
			let skipped = 0;
			for await (const page of reportsOf(service.readiness.list, {limit: reportPage}, {signal})) {
				for (const report of page.items) reports.push(report);
				skipped += page.skipped;
				tell({text: `reading readiness reports: ${reports.length}`});
			}
			return {data: repositoriesOf(reports), readAt: clock.now(), ...noteOf([{skipped, isWhole: true}])};
		});

	const controls = () =>
		run('controls', 'reading the history of the settings', async (signal, tell) => {
			const changes = new Map<number, ControlChange>();
			const gaps = await walk(service.controls.history, signal, page => {
				for (const change of page) if (!changes.has(change.revision)) changes.set(change.revision, change);
				tell({text: `reading revisions: ${changes.size}`});
			});
			return {data: differencesOf([...changes.values()]), readAt: clock.now(), ...noteOf([gaps])};
		});

	const users = () =>
		run('users', 'reading users', async (signal, tell) => {
			const list = createUserList();
			const gaps = await walk(service.users.list, signal, page => {
				for (const user of page) list.add(user);
				tell({text: `reading users: ${list.users.length}`});
			});
			return {data: list.users, readAt: clock.now(), ...noteOf([gaps])};
		});

	const reads: Readonly<Record<OrganizationPart, (range: RangeChoice) => () => void>> = {
		usage,
		people,
		readiness,
		controls,
		users,
	};

	return {
		read(part, range, isAsked) {
			const {data, readAt, problem} = store.getState()[part];
			const isOfRange = !data || !('choice' in data) || isSameChoice(data.choice, range);
			const isFresh = readAt !== undefined && clock.now() - readAt < fresh && !problem && isOfRange;
			return isFresh && !isAsked ? () => undefined : reads[part](range);
		},
	};
}

/** Walks a list to its end, page by page. */
async function walk<Item>(
	call: (query: PageQuery, options?: CallOptions) => Promise<Page<Item>>,
	signal: AbortSignal,
	take: (items: readonly Item[]) => void,
): Promise<Gaps> {
	let skipped = 0;
	const pages = pagesOf(call, {limit: pageLimit.max}, {signal});
	for (;;) {
		const {value, done} = await pages.next();
		if (done) return {skipped, isWhole: value === 'end'};
		take(value.items);
		skipped += value.skipped;
	}
}
