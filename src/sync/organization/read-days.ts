import {MalformedError} from '../../api/errors.ts';
import type {DayRows} from '../../db/analytics.ts';
import type {Analytics} from '../../domain/organization/analytics.ts';
import {isRealDay} from '../../domain/time.ts';
import {type DayRange, dayCount, daysIn} from '../../domain/usage/range.ts';
import {cutAfter, cutByWeight, missingSpans, otherRange} from './day-spans.ts';
import {activeUsersBy, type ReadingTools, type UsageReading, type UsageReadOptions} from './usage-reading.ts';

/** Maximum number of users named in one answer, over all its days: about a megabyte. */
const usersInAnswer = 10_000;

/** Reads a family that has one row per day. */
export async function readDays<Family extends keyof DayRows>(
	{service, analytics, currentReading, isOtherOrganization}: ReadingTools,
	family: Family,
	range: DayRange,
	{signal, onProgress}: UsageReadOptions,
): Promise<UsageReading> {
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
		if (isOtherOrganization(answer)) spans = spansWithout(new Set(daysIn(span)));
		notes.push(...otherRange(span, answer, await service.analytics.lastDay()));
		const {covered, rows} = withinAnswer(span, answer);
		skipped += answer.skipped + answer.rows.length - rows.length;
		if (covered) {
			const reading = await currentReading();
			// A row that could not be read may belong to any day, so no day without a row is final.
			await analytics.put(family, covered, rows, answer.skipped > 0 ? {...reading, finalUntil: ''} : reading);
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
