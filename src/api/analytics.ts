import {z} from 'zod';
import {analyticsStart, pageLimit} from '../domain/limits.ts';
import type {Analytics} from '../domain/organization/analytics.ts';
import {addDays, isRealDay, utcDayOf} from '../domain/time.ts';
import {activityRow, productivityRow, type RowSteps, tokenRow, toolRow, userRow} from './analytics-rows.ts';
import type {Caller} from './call.ts';
import {listIn, partOf, readCursor} from './envelope.ts';
import {RejectedError, ValidationError} from './errors.ts';
import {anyText, nonEmptyText, oneOf, validate, wholeNumber} from './request-schemas.ts';
import {lenientBoolean, lenientPart, lenientText} from './response-schemas.ts';
import {runSliced} from './run-sliced.ts';
import type {CallOptions, Service} from './service.ts';

const meta = lenientPart({
	org_id: lenientText,
	start_date: lenientText,
	end_date: lenientText,
	has_more: lenientBoolean,
	next_cursor: lenientText,
});

const day = anyText.refine(isRealDay, 'must be a date, YYYY-MM-DD');
const range = z.strictObject({startDate: day, endDate: day});
const queries = {
	tokens: range.extend({groupBy: oneOf(['model']).optional()}),
	tools: range.extend({groupBy: oneOf(['tool_name']).optional()}),
	activity: range.extend({groupBy: oneOf(['client']).optional()}),
	productivity: range,
	users: range.extend({limit: wholeNumber(pageLimit).optional(), cursor: nonEmptyText.optional()}),
};

type Query = {
	startDate: string;
	endDate: string;
	groupBy?: string | undefined;
	limit?: string | undefined;
	cursor?: string | undefined;
};

/**
 * Usage analytics endpoints. `now` is the service's clock (Unix ms), since days are UTC days of the service.
 */
export function createAnalytics(call: Caller, now: () => number): Service['analytics'] {
	/** The last end date the service rejected around midnight, when its day still lagged behind ours. */
	let refusedDay: string | undefined;

	async function read<Row>(
		name: keyof typeof queries,
		row: (raw: unknown) => RowSteps<Row>,
		values: unknown,
		options?: CallOptions,
	): Promise<Analytics<Row>> {
		const query = validate(queries[name], values, 'query') as Query;
		const yesterday = addDays(utcDayOf(now()), -1);
		checkRange(query, yesterday);
		const readRange = async (endDate: string): Promise<Analytics<Row>> => {
			const answer = await call(
				{
					resource: `analytics.${name}`,
					host: 'base',
					method: 'GET',
					path: `/api/v1/analytics/${name}`,
					query: {
						startDate: query.startDate,
						endDate,
						group_by: query.groupBy,
						limit: query.limit,
						cursor: query.cursor,
					},
					policy: 'read',
					decode: answer => runSliced(readRows(answer, row), now),
				},
				options,
			);
			// The omitted day has no data yet: report the actual range, so that it isn't taken for an empty
			// day.
			return endDate === query.endDate ? answer : {...answer, meta: {end_date: endDate, ...answer.meta}};
		};
		// The next page after such a step back: a cursor is valid only for the range it came from.
		const isStepped = query.cursor !== undefined && query.endDate === refusedDay;
		if (isStepped) return readRange(addDays(query.endDate, -1));
		try {
			const answer = await readRange(query.endDate);
			if (query.endDate === refusedDay) refusedDay = undefined;
			return answer;
		} catch (error) {
			// Around midnight the service may still count yesterday as today: retry once with the day before.
			const isAtEdge = error instanceof RejectedError && error.status === 400 && query.endDate === yesterday;
			if (!isAtEdge || query.startDate === yesterday) throw error;
			const answer = await readRange(addDays(yesterday, -1));
			refusedDay = yesterday;
			return answer;
		}
	}
	return {
		async lastDay() {
			const yesterday = addDays(utcDayOf(now()), -1);
			return yesterday === refusedDay ? addDays(yesterday, -1) : yesterday;
		},
		tokens: (query, options) => read('tokens', tokenRow, query, options),
		tools: (query, options) => read('tools', toolRow, query, options),
		activity: (query, options) => read('activity', activityRow, query, options),
		productivity: (query, options) => read('productivity', productivityRow, query, options),
		users: (query, options) => read('users', userRow, query, options),
	};
}

function checkRange({startDate, endDate}: Query, yesterday: string): void {
	if (startDate < analyticsStart) {
		throw new ValidationError('startDate', `must be ${analyticsStart} or later, where analytics begin`);
	}
	if (endDate > yesterday) {
		throw new ValidationError('endDate', `must be ${yesterday} (yesterday, UTC) or earlier`);
	}
	if (startDate > endDate) throw new ValidationError('startDate', 'must not be after endDate');
}

function* readRows<Row>(
	answer: unknown,
	row: (raw: unknown) => RowSteps<Row>,
): Generator<void, Analytics<Row>> {
	const list = listIn(answer, 'data');
	const rows: Row[] = [];
	for (const raw of list) {
		const read = yield* row(raw);
		if (read !== undefined) rows.push(read);
		yield;
	}
	const facts = meta.parse(partOf(answer, 'meta')) ?? {};
	const cursor = readCursor(facts.has_more, facts.next_cursor);
	return {rows, meta: facts, skipped: list.length - rows.length, ...cursor};
}
