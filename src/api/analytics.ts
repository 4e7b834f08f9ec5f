import {z} from 'zod';
import type {ExtraFields} from '../domain/known.ts';
import {analyticsStart} from '../domain/limits.ts';
import type {Analytics, AnalyticsQuery} from '../domain/organization/analytics.ts';
import {addDays, isRealDay} from '../domain/time.ts';
import {hasUnreadable} from '../domain/unreadable.ts';
import {lastDayAt, todayOffer} from '../domain/usage/range.ts';
import {activityRow, productivityRow, type RowSteps, tokenRow, toolRow, userRow} from './analytics-rows.ts';
import {type CallOptions, type Client, hasOffer} from './client.ts';
import {RejectedError, ValidationError} from './errors.ts';
import {anyText, oneOf, type PageQuery, pageQuery, validate} from './request-schemas.ts';
import {
	lenientBoolean,
	lenientPart,
	lenientText,
	listIn,
	partOf,
	readCursor,
	readEnvelope,
} from './response-schemas.ts';
import {runSliced} from './run-sliced.ts';

const meta = lenientPart({
	org_id: lenientText,
	start_date: lenientText,
	end_date: lenientText,
	has_more: lenientBoolean,
	next_cursor: lenientText,
});

const day = anyText.refine(isRealDay, 'must be a date, YYYY-MM-DD');
const range = z.strictObject({startDate: day, endDate: day, includesToday: z.boolean().optional()});
const queries = {
	tokens: range.extend({groupBy: oneOf(['model']).optional()}),
	tools: range.extend({groupBy: oneOf(['tool_name']).optional()}),
	activity: range.extend({groupBy: oneOf(['client']).optional()}),
	productivity: range,
	users: range.extend(pageQuery.shape),
};

type Query = z.output<typeof queries.users> & {groupBy?: string | undefined};

/** Usage analytics. Days are UTC days by the service's clock. */
export function createAnalytics(client: Client) {
	/** The last end date that the service rejected around midnight, when its day still lagged behind ours. */
	let refusedDay: string | undefined;

	async function read<Row extends ExtraFields>(
		name: keyof typeof queries,
		row: (raw: unknown) => RowSteps<Row>,
		values: unknown,
		options?: CallOptions,
	): Promise<Analytics<Row>> {
		const {groupBy, includesToday: isAsked, ...query} = validate(queries[name], values, 'query') as Query;
		const includesToday = (await hasOffer(client, todayOffer)) ?? isAsked;
		const lastDay = lastDayAt(client.now(), includesToday);
		checkRange(query, lastDay);
		const readUntil = async (endDate: string): Promise<Analytics<Row>> => {
			const response = await client.call({
				resource: `analytics.${name}`,
				method: 'GET',
				path: `/api/v1/analytics/${name}`,
				query: {...query, endDate, group_by: groupBy, include_today: includesToday ? 'true' : undefined},
				decode: response => runSliced(readRows(response, row), () => client.now()),
				...options,
			});
			// The omitted day has no data yet: report the actual range, so that it isn't taken for an empty day.
			return endDate === query.endDate
				? response
				: {...response, meta: {end_date: endDate, ...response.meta}};
		};
		// A next page must have the range of its cursor, which ended a day earlier.
		const isStepped = query.cursor !== undefined && query.endDate === refusedDay;
		if (isStepped) return readUntil(addDays(query.endDate, -1));
		try {
			const response = await readUntil(query.endDate);
			if (query.endDate === refusedDay) refusedDay = undefined;
			return response;
		} catch (error) {
			// Around midnight the service's day may still lag behind ours: retry once with the day before.
			const isAtEdge = error instanceof RejectedError && error.status === 400 && query.endDate === lastDay;
			if (!isAtEdge || query.startDate === lastDay) throw error;
			const response = await readUntil(addDays(lastDay, -1));
			refusedDay = lastDay;
			return response;
		}
	}
	return {
		/**
		 * The last day with analytics in UTC, by the service's clock, once known: yesterday, or today (`includesToday`).
		 * Without the argument, what the service offers. Sends nothing.
		 */
		async lastDay(includesToday?: boolean): Promise<string> {
			const day = lastDayAt(client.now(), includesToday ?? (await hasOffer(client, todayOffer)));
			return day === refusedDay ? addDays(day, -1) : day;
		},
		tokens: (query: AnalyticsQuery<'model'>, options?: CallOptions) =>
			read('tokens', tokenRow, query, options),
		tools: (query: AnalyticsQuery<'tool_name'>, options?: CallOptions) =>
			read('tools', toolRow, query, options),
		activity: (query: AnalyticsQuery<'client'>, options?: CallOptions) =>
			read('activity', activityRow, query, options),
		productivity: (query: AnalyticsQuery<never>, options?: CallOptions) =>
			read('productivity', productivityRow, query, options),
		users: (query: AnalyticsQuery<never> & PageQuery, options?: CallOptions) =>
			read('users', userRow, query, options),
	};
}

function checkRange({startDate, endDate}: Omit<Query, 'groupBy'>, lastDay: string): void {
	if (startDate < analyticsStart) {
		throw new ValidationError('startDate', `must be ${analyticsStart} or later, where analytics begin`);
	}
	if (endDate > lastDay) {
		throw new ValidationError('endDate', `must be ${lastDay} (UTC) or earlier`);
	}
	if (startDate > endDate) throw new ValidationError('startDate', 'must not be after endDate');
}

function* readRows<Row extends ExtraFields>(
	response: unknown,
	row: (raw: unknown) => RowSteps<Row>,
): Generator<void, Analytics<Row>> {
	const list = listIn(response, 'data');
	const rows: Row[] = [];
	for (const raw of list) {
		const read = yield* row(raw);
		if (read !== undefined) rows.push(read);
		yield;
	}
	const told = readEnvelope(meta, partOf(response, 'meta'));
	const metadata = told.read ?? {};
	const cursor = readCursor(metadata.has_more, metadata.next_cursor);
	const partial = rows.filter(hasUnreadable).length;
	return {rows, meta: metadata, skipped: list.length - rows.length + partial + told.skipped, ...cursor};
}
