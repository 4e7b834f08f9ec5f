import {MalformedError} from '../api/errors.ts';
import {pagesOf} from '../api/pages.ts';
import type {Service} from '../api/service.ts';
import type {AnalyticsFamily, AnalyticsTable, DayRows} from '../db/analytics.ts';
import type {Analytics} from '../domain/analytics.ts';
import {pageLimit} from '../domain/limits.ts';
import {addDays, isRealDay} from '../domain/time.ts';
import {type DayRange, dayCount, daysIn} from '../domain/usage/range.ts';
import type {Clock} from './clock.ts';

/** How far a reading is. `total` is absent where nothing tells how much there will be. */
export type UsageProgress = {
	readonly family: AnalyticsFamily;
	readonly unit: 'days' | 'rows';
	readonly done: number;
	readonly total?: number;
};

export type UsageReadOptions = {
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: UsageProgress) => void;
};

/** What came of a reading. */
export type UsageReading = {
	/** Calls that were made: none when every day was kept. */
	readonly calls: number;
	/** Items that could not be read, or are of days that were not asked for. */
	readonly skipped: number;
	/** False when the service claims more rows of users and gives no way to them. */
	readonly isWhole: boolean;
};

/** Brings analytics into the database, from which they are then read row by row. */
export type UsageReader = {
	/**
	 * Asks for the days of a family that are not kept for good, ungrouped: one call carries every breakdown. Days older
	 * than three can no longer change and are asked for once. The range must be within what the service has. Throws
	 * what calls throw; what came before the failure is kept.
	 */
	read(family: AnalyticsFamily, range: DayRange, options?: UsageReadOptions): Promise<UsageReading>;
};

export type UsageReaderParts = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	readonly clock: Clock;
};

/** Days before the last one there is that may still change. */
const changingDays = 3;

export function createUsageReader({service, analytics, clock}: UsageReaderParts): UsageReader {
	const reading = async () => ({
		readAt: clock.now(),
		finalUntil: addDays(await service.analytics.lastDay(), -changingDays),
	});

	/** Data of another organization than before: nothing that was kept is its. */
	const isOfAnother = ({meta}: Analytics<unknown>) =>
		meta.org_id !== undefined && analytics.setOrganization(meta.org_id);

	async function readDays<Family extends keyof DayRows>(
		family: Family,
		range: DayRange,
		{signal, onProgress}: UsageReadOptions,
	): Promise<UsageReading> {
		const call = service.analytics[family] as (
			query: DayRange,
			options?: {signal?: AbortSignal},
		) => Promise<Analytics<DayRows[Family]>>;
		let spans = missingSpans(range, analytics.finalDays(family, range));
		let longest = Number.POSITIVE_INFINITY;
		let calls = 0;
		let skipped = 0;
		const tell = () => {
			const total = dayCount(range);
			const left = spans.reduce((sum, span) => sum + dayCount(span), 0);
			onProgress?.({family, unit: 'days', done: total - left, total});
		};
		tell();
		for (let span = spans.shift(); span; span = spans.shift()) {
			if (dayCount(span) > longest) {
				spans.unshift(...cut(span, longest));
				continue;
			}
			let answer: Analytics<DayRows[Family]>;
			calls++;
			try {
				answer = await call(span, signal && {signal});
			} catch (error) {
				const days = dayCount(span);
				if (!(error instanceof MalformedError) || error.reason !== 'too-large' || days === 1) throw error;
				// Every user of every day is named: half as many days, and no more than that from here on.
				longest = Math.ceil(days / 2);
				spans.unshift(span);
				continue;
			}
			if (isOfAnother(answer)) spans = missingSpans(range, new Set(daysIn(span)));
			const {covered, rows} = withinAnswer(span, answer);
			skipped += answer.skipped + answer.rows.length - rows.length;
			if (covered) {
				const sure = await reading();
				// A row that could not be read may be any day's: a day without a row is not settled then.
				analytics.put(family, covered, rows, answer.skipped > 0 ? {...sure, finalUntil: ''} : sure);
			}
			tell();
		}
		return {calls, skipped, isWhole: true};
	}

	async function readUsers(range: DayRange, options: UsageReadOptions): Promise<UsageReading> {
		const {signal, onProgress} = options;
		let spans = missingSpans(range, analytics.finalDays('users', range));
		let calls = 0;
		let skipped = 0;
		let done = 0;
		let isWhole = true;
		onProgress?.({family: 'users', unit: 'rows', done});
		for (let span = spans.shift(); span; span = spans.shift()) {
			const asked = span;
			const pages = pagesOf(service.analytics.users, {...asked, limit: pageLimit.max}, signal && {signal});
			let isSound = true;
			for (;;) {
				const {value, done: isOver} = await pages.next();
				if (isOver) {
					if (value !== 'end') isSound = false;
					break;
				}
				calls++;
				if (isOfAnother(value)) spans = missingSpans(range, new Set(daysIn(asked)));
				const rows = value.rows.filter(({date = ''}) => date >= asked.startDate && date <= asked.endDate);
				skipped += value.skipped + value.rows.length - rows.length;
				if (value.skipped > 0) isSound = false;
				analytics.putUsers(rows);
				done += rows.length;
				onProgress?.({family: 'users', unit: 'rows', done});
			}
			const sure = await reading();
			analytics.endUsers(asked, isSound ? sure : {...sure, finalUntil: ''});
			isWhole &&= isSound;
		}
		return {calls, skipped, isWhole};
	}

	return {
		read: (family, range, options = {}) =>
			family === 'users' ? readUsers(range, options) : readDays(family, range, options),
	};
}

/** The days of a range that are not among `kept`, as ranges. */
function missingSpans(range: DayRange, kept: ReadonlySet<string>): DayRange[] {
	const spans: DayRange[] = [];
	for (const day of daysIn(range)) {
		if (kept.has(day)) continue;
		const last = spans.at(-1);
		if (last && addDays(last.endDate, 1) === day) spans[spans.length - 1] = {...last, endDate: day};
		else spans.push({startDate: day, endDate: day});
	}
	return spans;
}

/** A range in parts of at most so many days. */
function cut({startDate, endDate}: DayRange, days: number): DayRange[] {
	const middle = addDays(startDate, days);
	return [
		{startDate, endDate: addDays(middle, -1)},
		{startDate: middle, endDate},
	];
}

/** The days an answer speaks of: those that were asked for, or fewer when the service says that it gave fewer. */
function withinAnswer<Row extends {readonly date: string}>(
	{startDate, endDate}: DayRange,
	{rows, meta}: Analytics<Row>,
): {readonly covered: DayRange | undefined; readonly rows: readonly Row[]} {
	const from = meta.start_date && isRealDay(meta.start_date) ? meta.start_date : startDate;
	const to = meta.end_date && isRealDay(meta.end_date) ? meta.end_date : endDate;
	const covered = {
		startDate: from > startDate ? from : startDate,
		endDate: to < endDate ? to : endDate,
	};
	if (covered.startDate > covered.endDate) return {covered: undefined, rows: []};
	return {
		covered,
		rows: rows.filter(({date}) => isRealDay(date) && date >= covered.startDate && date <= covered.endDate),
	};
}
