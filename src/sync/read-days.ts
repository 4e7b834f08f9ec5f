import {MalformedError} from '../api/errors.ts';
import type {DayRows} from '../db/analytics.ts';
import type {Analytics} from '../domain/analytics.ts';
import {isRealDay} from '../domain/time.ts';
import {type DayRange, dayCount, daysIn} from '../domain/usage/range.ts';
import {cutAfter, cutByWeight, missingSpans} from './day-spans.ts';
import {activeUsersBy, type ReadingTools, type UsageReading, type UsageReadOptions} from './usage-reading.ts';

/** Users that the days of one answer may name: about a megabyte of it. */
const usersInAnswer = 10_000;

/** Reads a family that has one row a day. */
export async function readDays<Family extends keyof DayRows>(
	{service, analytics, certainty, isOfAnother}: ReadingTools,
	family: Family,
	range: DayRange,
	{signal, onProgress}: UsageReadOptions,
): Promise<UsageReading> {
	const call = service.analytics[family] as (
		query: DayRange,
		options?: {signal?: AbortSignal},
	) => Promise<Analytics<DayRows[Family]>>;
	// The other families name tools, clients and languages: they are as short in a large organization as in a small one.
	const weightOf = (family === 'tokens' && activeUsersBy(analytics, range)) || (() => 0);
	const planned = (kept: ReadonlySet<string>) =>
		cutByWeight(missingSpans(range, kept), weightOf, usersInAnswer);
	let spans = planned(analytics.finalDays(family, range));
	let maxDays = Number.POSITIVE_INFINITY;
	let calls = 0;
	let skipped = 0;
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
			// Every user of every day is named: half as many days, and no more than that from here on.
			maxDays = Math.ceil(days / 2);
			spans.unshift(span);
			continue;
		}
		if (isOfAnother(answer)) spans = planned(new Set(daysIn(span)));
		const {covered, rows} = withinAnswer(span, answer);
		skipped += answer.skipped + answer.rows.length - rows.length;
		if (covered) {
			const sure = await certainty();
			// A row that could not be read may be any day's: a day without a row is not settled then.
			await analytics.put(family, covered, rows, answer.skipped > 0 ? {...sure, finalUntil: ''} : sure);
		}
		reportProgress();
	}
	return {calls, skipped, isWhole: true};
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
