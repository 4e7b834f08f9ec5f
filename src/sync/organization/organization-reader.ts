import {pagesOf, reportsOf} from '../../api/pages.ts';
import {runSliced} from '../../api/run-sliced.ts';
import type {Service} from '../../api/service.ts';
import type {AnalyticsTable} from '../../db/analytics.ts';
import {pageLimit} from '../../domain/limits.ts';
import type {ListLimits} from '../../domain/list-budget.ts';
import {compareRevisions} from '../../domain/organization/controls.ts';
import {repositoriesOf} from '../../domain/organization/readiness.ts';
import {listedUser} from '../../domain/organization/user.ts';
import {isSameChoice, type RangeChoice} from '../../domain/usage/range.ts';
import type {
	Loaded,
	Organization,
	OrganizationPart,
	OrganizationStore,
	ReadingProgress,
} from '../../state/organization.ts';
import type {Clock} from '../core/clock.ts';
import {problemOf} from '../core/problem.ts';
import {readList} from '../core/read-list.ts';
import {noteOf} from '../messages/reading-gaps.ts';
import {createUsageReadings} from './read-usage.ts';
import {isRefusal} from './usage-reader.ts';

/** Reads the parts of the organization's data for the views that show them. */
export type OrganizationReader = {
	/**
	 * Reads a part into its store, unless it was read recently; `isAsked` reads it anyway. The returned
	 * function cancels the read.
	 */
	read(part: OrganizationPart, range: RangeChoice, isAsked: boolean): () => void;
};

export type OrganizationReaderParts = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	readonly store: OrganizationStore;
	readonly clock: Clock;
	/** Maximum size of a list; tests use smaller limits. */
	readonly limits?: ListLimits;
};

/** Opening a view doesn't read its part again within this time, ms. */
const fresh = 5 * 60_000;
/** Reports per page: the service documents no maximum. */
const reportPage = 50;
const wholePage = {limit: pageLimit.max};
/** Minimum time between two progress reports, ms: reading a large organization takes thousands of calls. */
const reportInterval = 100;

type Work<Part extends OrganizationPart> = (
	signal: AbortSignal,
	reportProgress: (progress: ReadingProgress) => void,
) => Promise<Organization[Part]>;

export function createOrganizationReader(parts: OrganizationReaderParts): OrganizationReader {
	const {service, store, clock, limits} = parts;
	const byDays = createUsageReadings(parts);

	function run<Part extends OrganizationPart>(part: Part, first: string, work: Work<Part>): () => void {
		const abort = new AbortController();
		const set = (change: (before: Loaded<unknown>) => Loaded<unknown>) => {
			if (!abort.signal.aborted)
				store.setState(state => ({[part]: change(state[part])}) as unknown as Partial<Organization>);
		};
		let reportedAt = clock.now();
		const reportProgress = (progress: ReadingProgress) => {
			if (clock.now() - reportedAt < reportInterval) return;
			reportedAt = clock.now();
			set(before => ({...before, progress}));
		};
		set(before => ({...before, progress: {text: first}}));
		work(abort.signal, reportProgress)
			.then(read => set(() => read))
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

	const usage = (choice: RangeChoice) =>
		run('usage', 'reading usage', (signal, reportProgress) => byDays.usage(choice, signal, reportProgress));

	const people = (choice: RangeChoice) =>
		run('people', 'reading people', (signal, reportProgress) =>
			byDays.people(choice, signal, reportProgress),
		);

	const readiness = () =>
		run('readiness', 'reading readiness reports', async (signal, reportProgress) => {
			const {items, gaps} = await readList(reportsOf(service.readiness.list, {limit: reportPage}, {signal}), {
				what: 'readiness reports',
				idOf: ({reportId}) => reportId,
				keep: report => report,
				limits,
				onRead: count => reportProgress({text: `reading readiness reports: ${count}`}),
			});
			return {data: repositoriesOf(items), readAt: clock.now(), ...noteOf([gaps])};
		});

	const controls = () =>
		run('controls', 'reading the history of the settings', async (signal, reportProgress) => {
			const {items, gaps} = await readList(pagesOf(service.controls.history, wholePage, {signal}), {
				what: 'revisions',
				idOf: ({revision}) => revision,
				keep: change => change,
				limits,
				onRead: count => reportProgress({text: `reading revisions: ${count}`}),
			});
			const data = await runSliced(compareRevisions(items), clock.now);
			return {data, readAt: clock.now(), ...noteOf([gaps])};
		});

	const users = () =>
		run('users', 'reading users', async (signal, reportProgress) => {
			const {items: data, gaps} = await readList(pagesOf(service.users.list, wholePage, {signal}), {
				what: 'users',
				idOf: ({id}) => id,
				keep: listedUser,
				limits,
				onRead: count => reportProgress({text: `reading users: ${count}`}),
			});
			return {data, readAt: clock.now(), ...noteOf([gaps])};
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
