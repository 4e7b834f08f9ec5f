import {z} from 'zod';
import type {ExtraFields} from '../domain/known.ts';
import {analyticsStart} from '../domain/limits.ts';
import type {Analytics, AnalyticsQuery, TokenRow} from '../domain/organization/analytics.ts';
import {addDays, isRealDay} from '../domain/time.ts';
import {lastDayAt, todayOffer} from '../domain/usage/range.ts';
import {type CallOptions, type Client, hasOffer} from './client.ts';
import {RejectedError, ValidationError} from './errors.ts';
import {anyText, oneOf, type PageQuery, pageQuery, validate} from './request-schemas.ts';
import {
	itemId,
	keepInSteps,
	lenientBoolean,
	lenientList,
	lenientMap,
	lenientName,
	lenientNumber,
	lenientObject,
	lenientPart,
	lenientText,
	listIn,
	partOf,
	readCursor,
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
	const metadata = meta.parse(partOf(response, 'meta')) ?? {};
	const cursor = readCursor(metadata.has_more, metadata.next_cursor);
	return {rows, meta: metadata, skipped: list.length - rows.length, ...cursor};
}

// Decoders for the rows of each analytics endpoint.

/** Decodes one row; returns undefined if it is invalid. Yields where the caller may pause. */
type RowSteps<Row> = Generator<void, Row | undefined>;

/** A decoder for a short row, which needs no pauses. */
function shortRow<Row extends z.ZodType<ExtraFields>>(row: Row): (raw: unknown) => RowSteps<z.output<Row>> {
	// biome-ignore lint/correctness/useYield: nothing in it is long.
	return function* (raw) {
		return row.safeParse(raw).data;
	};
}

const date = z.string().min(1);
const modelTokens = lenientObject({
	model_id: lenientName,
	model_tier: lenientName,
	billable_tokens: lenientNumber,
	input_tokens: lenientNumber,
	output_tokens: lenientNumber,
	cost_usd: lenientNumber,
});

const tokenDay = lenientObject({
	date,
	group_key: lenientName,
	billable_tokens: lenientNumber,
	input_tokens: lenientNumber,
	output_tokens: lenientNumber,
	cache_read_tokens: lenientNumber,
	cache_write_tokens: lenientNumber,
	cost_usd: lenientNumber,
	by_model: lenientList(modelTokens),
});
const userTokens = lenientObject({
	user_id: lenientName,
	user_email: lenientName,
	billable_tokens: lenientNumber,
	input_tokens: lenientNumber,
	output_tokens: lenientNumber,
	by_model: lenientList(modelTokens),
});

/** Decodes a day of token usage. It names every user, possibly thousands, so they are decoded in steps. */
export function* tokenRow(raw: unknown): RowSteps<TokenRow> {
	const day = tokenDay.safeParse(raw);
	if (!day.success) return undefined;
	const {by_user: users, ...rest} = day.data;
	return Array.isArray(users) ? {...rest, by_user: yield* keepInSteps(users, userTokens)} : rest;
}

const nameCount = lenientObject({name: lenientName, count: lenientNumber});

const toolRow = shortRow(
	lenientObject({
		date,
		group_key: lenientName,
		tool_calls: lenientNumber,
		by_tool: lenientList(lenientObject({tool: lenientName, invocations: lenientNumber})),
		mcp_users_with_mcp: lenientNumber,
		mcp_by_server: lenientList(lenientObject({server: lenientName, invocations: lenientNumber})),
		skills_invocations: lenientNumber,
		skills_by_name: lenientList(nameCount),
		slash_commands_invocations: lenientNumber,
		slash_commands_by_name: lenientList(nameCount),
		hooks_invocations: lenientNumber,
		hooks_by_event: lenientList(
			lenientObject({event: lenientName, matcher: lenientName, command: lenientName, count: lenientNumber}),
		),
		web_users: lenientNumber,
		autonomy_ratio_avg: lenientNumber,
		autonomy_ratio_p50: lenientNumber,
		autonomy_ratio_p90: lenientNumber,
		tool_calls_per_session_avg: lenientNumber,
		user_turns_per_session_avg: lenientNumber,
		tool_autonomy_level_ratio: lenientPart({
			auto_high: lenientNumber,
			auto_medium: lenientNumber,
			auto_low: lenientNumber,
			manual: lenientNumber,
		}),
	}),
);

const activityRow = shortRow(
	lenientObject({
		date,
		group_key: lenientName,
		daily_active_users: lenientNumber,
		weekly_active_users: lenientNumber,
		monthly_active_users: lenientNumber,
		daily_active_users_by_client: lenientMap(z.number()),
		sessions: lenientNumber,
		messages: lenientNumber,
		user_messages: lenientNumber,
	}),
);

const productivityRow = shortRow(
	lenientObject({
		date,
		files_created: lenientNumber,
		files_edited: lenientNumber,
		by_extension: lenientList(lenientObject({extension: lenientName, count: lenientNumber})),
		by_language: lenientList(lenientObject({language: lenientName, count: lenientNumber})),
		git_commits: lenientNumber,
		git_prs_created: lenientNumber,
	}),
);

export const userRow = shortRow(
	lenientObject({
		user_id: itemId,
		user_email: lenientName,
		date: lenientName,
		tool_calls: lenientNumber,
		billable_tokens: lenientNumber,
		primary_model: lenientName,
		primary_model_tier: lenientName,
		files_created: lenientNumber,
		files_edited: lenientNumber,
		git_commits: lenientNumber,
		git_prs_created: lenientNumber,
		mcp_calls: lenientNumber,
		skill_calls: lenientNumber,
		slash_commands: lenientNumber,
		hooks: lenientNumber,
		sessions: lenientNumber,
		messages: lenientNumber,
		user_messages: lenientNumber,
		assistant_messages: lenientNumber,
		autonomy_ratio: lenientNumber,
		delegation_level: lenientName,
		languages: lenientList(z.string().max(100)),
	}),
);
