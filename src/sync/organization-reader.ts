import {pagesOf, reportsOf} from '../api/pages.ts';
import type {CallOptions, PageQuery, Service} from '../api/service.ts';
import type {AnalyticsTable} from '../db/analytics.ts';
import {memoryAnalytics} from '../db/memory-analytics.ts';
import {isStorageError} from '../db/storage-error.ts';
import type {ControlChange} from '../domain/controls.ts';
import {differencesOf} from '../domain/controls-difference.ts';
import {pageLimit} from '../domain/limits.ts';
import type {Page} from '../domain/page.ts';
import type {ReadinessReport} from '../domain/readiness.ts';
import {repositoriesOf} from '../domain/readiness-repositories.ts';
import {chosenRange, dayCount, isSameChoice, type RangeChoice} from '../domain/usage/range.ts';
import {createUserList} from '../domain/user-list.ts';
import type {
	Loaded,
	Organization,
	OrganizationPart,
	OrganizationStore,
	ReadingProgress,
} from '../state/organization.ts';
import type {Clock} from './clock.ts';
import {peopleOfRange, usageOfRange, usageSpan} from './organization-usage.ts';
import {problemOf} from './problem.ts';
import {createReadingBar, type StepProgress} from './reading-bar.ts';
import {createUsageReader} from './usage-reader.ts';
import type {UsageProgress} from './usage-reading.ts';

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
/** Asking for a day of users is about so many times the work of adding it up once it is kept. */
const askingWeight = 4;

type Work<Part extends OrganizationPart> = (
	signal: AbortSignal,
	tell: (progress: ReadingProgress) => void,
) => Promise<{readonly data: NonNullable<Organization[Part]['data']>; readonly note?: string}>;

export function createOrganizationReader(parts: OrganizationReaderParts): OrganizationReader {
	const {service, store, clock} = parts;
	let {analytics} = parts;

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
			.then(({data, note}) => set(() => ({data, readAt: clock.now(), ...(note !== undefined && {note})})))
			.catch((error: unknown) =>
				set(({progress: _, ...before}) => ({...before, problem: problemOf(error, clock.now())})),
			);
		return () => {
			set(({progress: _, ...before}) => before);
			abort.abort();
		};
	}

	/** A disk that takes nothing is no reason to show nothing: what is read goes to memory then. */
	async function kept<Answer>(use: (table: AnalyticsTable) => Promise<Answer>): Promise<Answer> {
		try {
			return await use(analytics);
		} catch (error) {
			if (!isStorageError(error)) throw error;
			analytics = memoryAnalytics();
			return use(analytics);
		}
	}

	/** Reads a range that ends at the last day there is; its day is by the service's clock, which the first answer tells. */
	async function withLastDay<Answer>(read: (lastDay: string) => Promise<Answer>): Promise<Answer> {
		const lastDay = await service.analytics.lastDay();
		const answer = await read(lastDay);
		const told = await service.analytics.lastDay();
		return told === lastDay ? answer : read(told);
	}

	const usage = (choice: RangeChoice) =>
		run('usage', 'reading usage', (signal, tell) =>
			kept(table =>
				withLastDay(async lastDay => {
					const reader = createUsageReader({service, analytics: table, clock});
					const range = chosenRange(choice, lastDay);
					const span = usageSpan(range);
					const step = createReadingBar(tell);
					const lacks: Lack[] = [];
					for (const [family, part] of usageSteps)
						lacks.push(await reader.read(family, span, {signal, onProgress: wordsTo(step(part))}));
					const adding = {analytics: table, clock, signal, tell: step(1)};
					const data = await usageOfRange(choice, range, adding);
					return {data, ...noteOf(lacks)};
				}),
			),
		);

	const people = (choice: RangeChoice) =>
		run('people', 'reading people', (signal, tell) =>
			kept(table =>
				withLastDay(async lastDay => {
					const reader = createUsageReader({service, analytics: table, clock});
					const range = chosenRange(choice, lastDay);
					const step = createReadingBar(tell);
					await reader.read('activity', range, {signal, onProgress: wordsTo(step(0.01))});
					const days = dayCount(range);
					const asked = (days - table.finalDays('users', range).size) * askingWeight;
					const told = wordsTo(step((0.99 * asked) / (asked + days)));
					const lack = await reader.read('users', range, {signal, onProgress: told});
					const adding = {analytics: table, clock, signal, tell: step(1)};
					const data = await peopleOfRange(choice, range, adding);
					return {data, ...noteOf([lack])};
				}),
			),
		);

	const readiness = () =>
		run('readiness', 'reading readiness reports', async (signal, tell) => {
			const reports: ReadinessReport[] = [];
			let skipped = 0;
			for await (const page of reportsOf(service.readiness.list, {limit: reportPage}, {signal})) {
				for (const report of page.items) reports.push(report);
				skipped += page.skipped;
				tell({text: `reading readiness reports: ${reports.length}`});
			}
			return {data: repositoriesOf(reports), ...noteOf([{skipped, isWhole: true}])};
		});

	const controls = () =>
		run('controls', 'reading the history of the settings', async (signal, tell) => {
			const changes = new Map<number, ControlChange>();
			const lack = await walk(service.controls.history, signal, page => {
				for (const change of page) if (!changes.has(change.revision)) changes.set(change.revision, change);
				tell({text: `reading revisions: ${changes.size}`});
			});
			return {data: differencesOf([...changes.values()]), ...noteOf([lack])};
		});

	const users = () =>
		run('users', 'reading users', async (signal, tell) => {
			const list = createUserList();
			const lack = await walk(service.users.list, signal, page => {
				for (const user of page) list.add(user);
				tell({text: `reading users: ${list.users.length}`});
			});
			return {data: list.users, ...noteOf([lack])};
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

/** The families of the usage, each with its part of the bar. Activity comes first: it tells how large the others' days are. */
const usageSteps = [
	['activity', 0.05],
	['tokens', 0.65],
	['tools', 0.1],
	['productivity', 0.1],
] as const;

type Lack = {readonly skipped: number; readonly isWhole: boolean};

/** What was read lacks something: it is told beside it. */
function noteOf(lacks: readonly Lack[]): {note?: string} {
	const skipped = lacks.reduce((sum, lack) => sum + lack.skipped, 0);
	const notes = [
		...(skipped > 0 ? [`${skipped} ${skipped === 1 ? 'item' : 'items'} could not be read`] : []),
		...(lacks.every(({isWhole}) => isWhole) ? [] : ['the service says there is more and gives no way to it']),
	];
	return notes.length > 0 ? {note: notes.join('; ')} : {};
}

/** A family's progress, in words and as a part of its step. */
function wordsTo(tell: StepProgress): (progress: UsageProgress) => void {
	return ({family, unit, done, total}) => {
		const of = total === undefined ? '' : ` of ${unit === 'rows' ? 'about ' : ''}${total}`;
		tell(`reading ${family}: ${done}${of} ${unit}`, total ? done / total : undefined);
	};
}

/** Walks a list to its end, page by page. */
async function walk<Item>(
	call: (query: PageQuery, options?: CallOptions) => Promise<Page<Item>>,
	signal: AbortSignal,
	take: (items: readonly Item[]) => void,
): Promise<Lack> {
	let skipped = 0;
	const pages = pagesOf(call, {limit: pageLimit.max}, {signal});
	for (;;) {
		const {value, done} = await pages.next();
		if (done) return {skipped, isWhole: value === 'end'};
		take(value.items);
		skipped += value.skipped;
	}
}
