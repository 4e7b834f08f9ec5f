import {pagesOf, reportsOf} from '../api/pages.ts';
import type {CallOptions, PageQuery, Service} from '../api/service.ts';
import type {AnalyticsTable} from '../db/analytics.ts';
import {memoryAnalytics} from '../db/memory-analytics.ts';
import {isStorageError} from '../db/storage-error.ts';
import {differencesOf} from '../domain/controls-difference.ts';
import {pageLimit} from '../domain/limits.ts';
import type {Page} from '../domain/page.ts';
import type {ReadinessReport} from '../domain/readiness.ts';
import {repositoriesOf} from '../domain/readiness-repositories.ts';
import {chosenRange, isSameChoice, type RangeChoice} from '../domain/usage/range.ts';
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
import {createUsageReader, type UsageProgress} from './usage-reader.ts';

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
		set(before => ({...before, progress: {text: first}}));
		work(abort.signal, progress => set(before => ({...before, progress})))
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
					const families = ['tokens', 'activity', 'tools', 'productivity'] as const;
					const told = counted(families.length, tell);
					const lacks: Lack[] = [];
					for (const [index, family] of families.entries())
						lacks.push(await reader.read(family, usageSpan(range), {signal, onProgress: told(index)}));
					const data = await usageOfRange(table, choice, range, clock, signal);
					return {data, ...noteOf(lacks)};
				}),
			),
		);

	const people = (choice: RangeChoice) =>
		run('people', 'reading people', (signal, tell) =>
			kept(table =>
				withLastDay(async lastDay => {
					const range = chosenRange(choice, lastDay);
					const reader = createUsageReader({service, analytics: table, clock});
					const lack = await reader.read('users', range, {signal, onProgress: counted(1, tell)(0)});
					const list = await walk('users', service.users.list, ({id}) => id, signal, tell);
					const data = await peopleOfRange(table, choice, range, list.items, clock, signal);
					return {data, ...noteOf([lack, list])};
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
			const list = await walk('revisions', service.controls.history, change => change.revision, signal, tell);
			return {data: differencesOf(list.items), ...noteOf([list])};
		});

	const users = () =>
		run('users', 'reading users', async (signal, tell) => {
			const list = await walk('users', service.users.list, ({id}) => id, signal, tell);
			return {data: list.items, ...noteOf([list])};
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

function counted(families: number, tell: (progress: ReadingProgress) => void) {
	return (index: number) =>
		({family, unit, done, total}: UsageProgress) => {
			const of = total === undefined ? '' : ` of ${total}`;
			const text = `reading ${family}: ${done}${of} ${unit}`;
			tell(total === undefined ? {text} : {text, share: (index + done / total) / families});
		};
}

async function walk<Item>(
	what: string,
	call: (query: PageQuery, options?: CallOptions) => Promise<Page<Item>>,
	idOf: (item: Item) => string | number,
	signal: AbortSignal,
	tell: (progress: ReadingProgress) => void,
): Promise<Lack & {readonly items: readonly Item[]}> {
	const items = new Map<string | number, Item>();
	let skipped = 0;
	const pages = pagesOf(call, {limit: pageLimit.max}, {signal});
	for (;;) {
		const {value, done} = await pages.next();
		if (done) return {items: [...items.values()], skipped, isWhole: value === 'end'};
		for (const item of value.items) if (!items.has(idOf(item))) items.set(idOf(item), item);
		skipped += value.skipped;
		tell({text: `reading ${what}: ${items.size}`});
	}
}
