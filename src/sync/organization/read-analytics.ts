import {ForbiddenError, isServiceError, MalformedError, UnauthorizedError} from '../../api/errors.ts';
import {pagesOf, type WalkEnd} from '../../api/pages.ts';
import type {Service} from '../../api/service.ts';
import type {AnalyticsFamily, AnalyticsTable, DayRows, Reading} from '../../db/analytics.ts';
import type {Clock} from '../../domain/clock.ts';
import {append} from '../../domain/large-arrays.ts';
import {pageLimit} from '../../domain/limits.ts';
import {thousands} from '../../domain/numbers.ts';
import type {Analytics, UserRow} from '../../domain/organization/analytics.ts';
import {addDays, isRealDay} from '../../domain/time.ts';
import {type DayRange, dayCount, daysIn} from '../../domain/usage/range.ts';
import type {Gaps} from '../core/reading-gaps.ts';
import {cutAfter, cutByWeight, missingSpans, otherRange} from './day-spans.ts';

/** Progress of a read. `total` is absent if it is unknown. */
export type UsageProgress = {
	readonly family: AnalyticsFamily;
	readonly unit: 'days' | 'rows';
	readonly done: number;
	readonly total?: number;
};

type UsageReadOptions = {
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: UsageProgress) => void;
};

export type UsageReading = Gaps & {
	/** Number of calls made; 0 if every day was stored. */
	readonly calls: number;
};

export type UsageReaderParts = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	readonly clock: Clock;
};

/**
 * Reads a family of analytics into the database: requests its days that aren't stored as final, ungrouped, as one call
 * includes every breakdown. Days that can no longer change are requested only once. If all days are stored, requests one
 * day to check that the key may still see them.
 *
 * If the activity of the days is stored, it shows how many users they name: a large organization's days are requested a
 * few at a time, so that no answer blocks the screen and an aborted read keeps what it has. The range must be within what
 * the service has. Throws the errors of the calls; what was read before is kept.
 */
export async function readAnalytics(
	parts: UsageReaderParts,
	family: AnalyticsFamily,
	range: DayRange,
	options: UsageReadOptions = {},
): Promise<UsageReading> {
	const readMissing = () =>
		family === 'users' ? readUserDays(parts, range, options) : readDays(parts, family, range, options);
	const reading = await readMissing();
	if (reading.calls > 0) return reading;
	if (await isAllowed(parts, family, range.endDate, options.signal)) return {...reading, calls: 1};
	return readMissing();
}

/**
 * Checks with a one-day request that the key may still see the stored data. Returns false if the answer belongs to
 * another organization. Throws if access is refused; if the service doesn't answer, the data is kept.
 */
async function isAllowed(
	parts: UsageReaderParts,
	family: AnalyticsFamily,
	day: string,
	signal?: AbortSignal,
): Promise<boolean> {
	const query = {startDate: day, endDate: day, ...(family === 'users' && {limit: 1})};
	try {
		return !isOtherOrganization(parts, await parts.service.analytics[family](query, signal && {signal}));
	} catch (error) {
		if (isRefusal(error) || !isServiceError(error)) throw error;
		return true;
	}
}

/** Whether the answer belongs to a different organization than the stored data, which is then deleted. */
function isOtherOrganization({analytics}: UsageReaderParts, {meta}: Analytics<unknown>): boolean {
	return meta.org_id !== undefined && analytics.setOrganization(meta.org_id);
}

/** Number of days at the end of the available range that may still change. */
const changingDays = 3;

/** When data read now was read, and up to which day it is final: none if a part of it could not be read. */
async function readingNow({service, clock}: UsageReaderParts, isWhole: boolean): Promise<Reading> {
	const lastDay = await service.analytics.lastDay();
	return {readAt: clock.now(), finalUntil: isWhole ? addDays(lastDay, -changingDays) : ''};
}

/** Whether the error is a 401, 402 or 403: the key may not see this now, whatever was read before. */
export function isRefusal(error: unknown): boolean {
	return error instanceof UnauthorizedError || error instanceof ForbiddenError;
}

/**
 * Returns the number of users active on a day, from the stored activity of the range: an answer for that day
 * names as many. Days without a number get the mean. `undefined` if no day has one.
 */
function activeUsersBy(analytics: AnalyticsTable, range: DayRange): ((day: string) => number) | undefined {
	const activeByDate = new Map<string, number>();
	for (const {date, daily_active_users: active} of analytics.rows('activity', range))
		if (active !== undefined && active >= 0) activeByDate.set(date, active);
	if (activeByDate.size === 0) return undefined;
	const mean = [...activeByDate.values()].reduce((sum, active) => sum + active, 0) / activeByDate.size;
	return day => activeByDate.get(day) ?? mean;
}

/** Maximum number of users named in one answer, over all its days: about a megabyte. */
const usersInAnswer = 10_000;

/** Reads a family that has one row per day. */
async function readDays<Family extends keyof DayRows>(
	parts: UsageReaderParts,
	family: Family,
	range: DayRange,
	{signal, onProgress}: UsageReadOptions,
): Promise<UsageReading> {
	const {service, analytics} = parts;
	const call = service.analytics[family] as (
		query: DayRange,
		options?: {signal?: AbortSignal},
	) => Promise<Analytics<DayRows[Family]>>;
	// The other families name tools, clients and languages, so their size doesn't grow with the organization.
	const weightOf = (family === 'tokens' && activeUsersBy(analytics, range)) || (() => 0);
	const spansWithout = (days: ReadonlySet<string>) =>
		cutByWeight(missingSpans(range, days), weightOf, usersInAnswer);
	let spans = spansWithout(analytics.finalDays(family, range));
	let maxDays = Number.POSITIVE_INFINITY;
	let calls = 0;
	let skipped = 0;
	const notes: string[] = [];
	const reportProgress = () => {
		const total = dayCount(range);
		const left = spans.reduce((sum, span) => sum + dayCount(span), 0);
		onProgress?.({family, unit: 'days', done: total - left, total});
	};
	reportProgress();
	for (let span = spans.shift(); span; span = spans.shift()) {
		if (dayCount(span) > maxDays) {
			spans.unshift(...cutAfter(span, maxDays));
			continue;
		}
		let answer: Analytics<DayRows[Family]>;
		calls++;
		try {
			answer = await call(span, signal && {signal});
		} catch (error) {
			const days = dayCount(span);
			if (!(error instanceof MalformedError) || error.reason !== 'too-large' || days === 1) throw error;
			// Each day names all of its users: halve the number of days per call from here on.
			maxDays = Math.ceil(days / 2);
			spans.unshift(span);
			continue;
		}
		if (isOtherOrganization(parts, answer)) spans = spansWithout(new Set(daysIn(span)));
		notes.push(...otherRange(span, answer, await service.analytics.lastDay()));
		const {covered, rows} = withinAnswer(span, answer);
		skipped += answer.skipped + answer.rows.length - rows.length;
		if (covered) {
			// A row that could not be read may belong to any day, so no day without a row is final.
			await analytics.put(family, covered, rows, await readingNow(parts, answer.skipped === 0));
		}
		reportProgress();
	}
	return {calls, skipped, end: 'end', notes};
}

/** Returns the days that an answer covers: those requested, or fewer if the service says so. */
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

/** Approximate number of rows per walk; an aborted walk loses fewer rows than this. */
const rowsInWalk = 20_000;

/** Maximum number of rows in a span, as a service may never stop; with activity, about twice what that suggests. */
const maxInSpan = 100_000;
const rowsBeyond = 10_000;

/** Reads the rows of users: one per user and day. */
async function readUserDays(
	parts: UsageReaderParts,
	range: DayRange,
	{signal, onProgress}: UsageReadOptions,
): Promise<UsageReading> {
	const {service, analytics} = parts;
	const activeOn = activeUsersBy(analytics, range);
	const expectedIn = (list: readonly DayRange[]) =>
		activeOn ? list.flatMap(daysIn).reduce((sum, day) => sum + activeOn(day), 0) : 0;
	const spansWithout = (days: ReadonlySet<string>) =>
		cutByWeight(missingSpans(range, days), activeOn ?? (() => 0), rowsInWalk);
	let spans = spansWithout(analytics.finalDays('users', range));
	let calls = 0;
	let skipped = 0;
	let done = 0;
	let end: WalkEnd = 'end';
	const notes = new Set<string>();
	let cut: string | undefined;
	const reportProgress = (left: number) =>
		onProgress?.({family: 'users', unit: 'rows', done, total: activeOn && Math.round(done + left)});
	reportProgress(expectedIn(spans));
	for (let span = spans.shift(); span; span = spans.shift()) {
		const pages = pagesOf(service.analytics.users, {...span, limit: pageLimit.max}, signal && {signal});
		let rows: UserRow[] = [];
		let expected = expectedIn([span]);
		let later = expectedIn(spans);
		let isIntact = true;
		const maxRows = activeOn ? Math.min(maxInSpan, 2 * expected + rowsBeyond) : maxInSpan;
		for (;;) {
			const {value, done: isOver} = await pages.next();
			if (isOver) {
				if (value !== 'end') isIntact = false;
				if (end === 'end') end = value;
				break;
			}
			calls++;
			if (isOtherOrganization(parts, value)) {
				spans = spansWithout(new Set(daysIn(span)));
				later = expectedIn(spans);
				rows = [];
			}
			const {startDate, endDate} = span;
			const inside = value.rows.filter(
				({date = ''}) => isRealDay(date) && date >= startDate && date <= endDate,
			);
			skipped += value.skipped + value.rows.length - inside.length;
			const other = otherRange(span, value, await service.analytics.lastDay());
			for (const note of other) notes.add(note);
			if (value.skipped + other.length > 0) isIntact = false;
			append(rows, inside);
			done += inside.length;
			expected = Math.max(0, expected - inside.length);
			reportProgress(expected + later);
			if (rows.length >= maxRows && value.hasMore) {
				isIntact = false;
				cut = `first ${thousands(done)} rows of users read; the service has more`;
				break;
			}
		}
		await pages.return('end');
		await analytics.putUsers(span, rows, await readingNow(parts, isIntact));
		reportProgress(later);
	}
	return {calls, skipped, end, notes: [...notes], cut};
}
