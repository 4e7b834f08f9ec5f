import {pagesOf, type WalkEnd} from '../../api/pages.ts';
import {append} from '../../domain/large-arrays.ts';
import {pageLimit} from '../../domain/limits.ts';
import type {UserRow} from '../../domain/organization/analytics.ts';
import {thousands} from '../../domain/thousands.ts';
import {type DayRange, dayCount, daysIn} from '../../domain/usage/range.ts';
import {cutByWeight, missingSpans, otherRange} from './day-spans.ts';
import {activeUsersBy, type ReadingTools, type UsageReading, type UsageReadOptions} from './usage-reading.ts';

/** Approximate number of rows per walk; an aborted walk loses fewer rows than this. */
const rowsInWalk = 20_000;
/** Rows per write: less work than a frame, while a commit per page would cost most of the time. */
const rowsInWrite = 1000;

/**
 * Maximum number of rows in a span, as a service may never stop: about twice what the activity suggests, or,
 * without activity, the size of a large organization.
 */
const rowsBeyond = 10_000;
const rowsInDay = 20_000;
/** Maximum over all days of a span, if there is no activity to estimate it. */
const rowsUnreported = 100_000;
/** Maximum per day, however many users the activity claims. */
const maxInDay = 100_000;

/** Reads the rows of users: one per user and day. */
export async function readUserDays(
	{service, analytics, currentReading, isOtherOrganization}: ReadingTools,
	range: DayRange,
	{signal, onProgress}: UsageReadOptions,
): Promise<UsageReading> {
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
	const maxRowsIn = (span: DayRange) =>
		Math.min(
			activeOn ? 2 * expectedIn([span]) + rowsBeyond : Math.min(dayCount(span) * rowsInDay, rowsUnreported),
			dayCount(span) * maxInDay,
		);
	const reportProgress = (left: number) =>
		onProgress?.({family: 'users', unit: 'rows', done, ...(activeOn && {total: Math.round(done + left)})});
	reportProgress(expectedIn(spans));
	for (let span = spans.shift(); span; span = spans.shift()) {
		const pages = pagesOf(service.analytics.users, {...span, limit: pageLimit.max}, signal && {signal});
		let unwritten: UserRow[] = [];
		let expected = expectedIn([span]);
		let later = expectedIn(spans);
		let isIntact = true;
		const maxRows = maxRowsIn(span);
		let rowsRead = 0;
		const write = () => {
			analytics.putUsers(unwritten);
			unwritten = [];
		};
		for (;;) {
			const {value, done: isOver} = await pages.next();
			if (isOver) {
				if (value !== 'end') isIntact = false;
				if (end === 'end') end = value;
				break;
			}
			calls++;
			if (isOtherOrganization(value)) {
				spans = spansWithout(new Set(daysIn(span)));
				later = expectedIn(spans);
				unwritten = [];
			}
			const {startDate, endDate} = span;
			const rows = value.rows.filter(({date = ''}) => date >= startDate && date <= endDate);
			skipped += value.skipped + value.rows.length - rows.length;
			const other = otherRange(span, value, await service.analytics.lastDay());
			for (const note of other) notes.add(note);
			if (value.skipped + other.length > 0) isIntact = false;
			append(unwritten, rows);
			rowsRead += rows.length;
			if (unwritten.length >= rowsInWrite) write();
			done += rows.length;
			expected = Math.max(0, expected - rows.length);
			reportProgress(expected + later);
			if (rowsRead >= maxRows && value.hasMore) {
				isIntact = false;
				cut = `first ${thousands(done)} rows of users read; the service has more`;
				break;
			}
		}
		await pages.return('end');
		write();
		const reading = await currentReading();
		analytics.endUsers(span, isIntact ? reading : {...reading, finalUntil: ''});
		reportProgress(later);
	}
	return {calls, skipped, end, notes: [...notes], cut};
}
