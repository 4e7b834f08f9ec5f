import {z} from 'zod';
import type {ExtraFields} from '../domain/known.ts';
import {type ActivityRow, cutOf, type TokenRow} from '../domain/organization/analytics.ts';
import {unreadableOf} from '../domain/unreadable.ts';
import {
	itemId,
	keepInSteps,
	lenientList,
	lenientMap,
	lenientName,
	lenientNumber,
	lenientObject,
	lenientPart,
	readItem,
	withUnreadable,
} from './response-schemas.ts';

// Decoders for the rows of each analytics endpoint.

/** Decodes one row; returns undefined if it is invalid. Yields where the caller may pause. */
export type RowSteps<Row> = Generator<void, Row | undefined>;

/** A decoder for a short row, which needs no pauses. */
function shortRow<Row extends z.ZodType<ExtraFields>>(
	row: Row,
	breakdowns: Breakdowns = {},
): (raw: unknown) => RowSteps<z.output<Row>> {
	// biome-ignore lint/correctness/useYield: nothing in it is long.
	return function* (raw) {
		const read = readItem(row, raw);
		return read && withLargest(read, breakdowns);
	};
}

/** For each list of a row, the numeric field to rank its entries by. */
type Breakdowns = {readonly [name: string]: string};

/**
 * Maximum entries of one breakdown of a day. A response may hold ten times as many as the largest organizations have.
 */
const maxEntries = 1000;
const maxUsers = 50_000;
const maxClients = 100;

/** Keeps the largest entries of each breakdown and records which lists were cut; the rest counts as unattributed. */
function withLargest<Row extends ExtraFields>(
	row: Row,
	breakdowns: Breakdowns,
	maxEntriesKept = maxEntries,
): Row {
	const bounded: Record<string, unknown> = {...row};
	const cut: string[] = [];
	for (const [name, measure] of Object.entries(breakdowns)) {
		const list = bounded[name];
		if (!Array.isArray(list) || list.length <= maxEntriesKept) continue;
		const sizeOf = (entry: ExtraFields) => (typeof entry[measure] === 'number' ? entry[measure] : 0);
		bounded[name] = list.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, maxEntriesKept);
		cut.push(name);
	}
	if (cut.length > 0) bounded.quarterdeck = {...unreadableOf(row), cut: [...cutOf(row), ...cut]};
	return bounded as Row;
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
	const read = Array.isArray(users) ? {...rest, by_user: yield* keepInSteps(users, userTokens)} : rest;
	const row: TokenRow = withUnreadable(raw, read);
	return withLargest(withLargest(row, {by_model: 'billable_tokens'}), {by_user: 'billable_tokens'}, maxUsers);
}

const nameCount = lenientObject({name: lenientName, count: lenientNumber});

export const toolRow = shortRow(
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
	{
		by_tool: 'invocations',
		mcp_by_server: 'invocations',
		skills_by_name: 'count',
		slash_commands_by_name: 'count',
		hooks_by_event: 'count',
	},
);

const activityDay = shortRow(
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

/** With the clients that have the most users: the contract names three. */
export function* activityRow(raw: unknown): RowSteps<ActivityRow> {
	const row = yield* activityDay(raw);
	const clients = Object.entries(row?.daily_active_users_by_client ?? {});
	if (!row || clients.length <= maxClients) return row;
	const largest = clients.sort(([, a], [, b]) => b - a).slice(0, maxClients);
	return {...row, daily_active_users_by_client: Object.fromEntries(largest)};
}

export const productivityRow = shortRow(
	lenientObject({
		date,
		files_created: lenientNumber,
		files_edited: lenientNumber,
		by_extension: lenientList(lenientObject({extension: lenientName, count: lenientNumber})),
		by_language: lenientList(lenientObject({language: lenientName, count: lenientNumber})),
		git_commits: lenientNumber,
		git_prs_created: lenientNumber,
	}),
	{by_extension: 'count', by_language: 'count'},
);

/** Maximum languages of one user on one day. */
const maxLanguages = 100;

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
		languages: lenientList(z.string().max(100)).transform(list =>
			list && list.length > maxLanguages ? list.slice(0, maxLanguages) : list,
		),
	}),
);
