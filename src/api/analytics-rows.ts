import {z} from 'zod';
import type {TokenRow} from '../domain/analytics.ts';
import {id, readInSteps, softList, softMap, softNumber, softObject, softPart, softText} from './soft.ts';

// Rows of the analytics answers (contract 2.8), as they are read.

/** Reads one row; nothing of what is none. It yields where whoever goes through it may pause. */
export type RowSteps<Row> = Generator<void, Row | undefined>;

/** A row that is short: read at once. */
function atOnce<Row extends z.ZodType>(row: Row): (raw: unknown) => RowSteps<z.output<Row>> {
	// biome-ignore lint/correctness/useYield: nothing in it is long.
	return function* (raw) {
		const read = row.safeParse(raw);
		return read.success ? read.data : undefined;
	};
}

const date = z.string().min(1);
const modelTokens = softObject({
	model_id: softText,
	model_tier: softText,
	billable_tokens: softNumber,
	input_tokens: softNumber,
	output_tokens: softNumber,
});

const tokenDay = softObject({
	date,
	group_key: softText,
	billable_tokens: softNumber,
	input_tokens: softNumber,
	output_tokens: softNumber,
	cache_read_tokens: softNumber,
	cache_write_tokens: softNumber,
	by_model: softList(modelTokens),
});
const userTokens = softObject({
	user_id: softText,
	user_email: softText,
	billable_tokens: softNumber,
	by_model: softList(modelTokens),
});

/** A day of tokens names every user, of whom there may be thousands: they are read bit by bit. */
export function* tokenRow(raw: unknown): RowSteps<TokenRow> {
	const read = tokenDay.safeParse(raw);
	if (!read.success) return undefined;
	const {by_user: users, ...row} = read.data;
	if (!Array.isArray(users)) return row;
	const {items} = yield* readInSteps(users, userTokens);
	return {...row, by_user: items};
}

const nameCount = softObject({name: softText, count: softNumber});

export const toolRow = atOnce(
	softObject({
		date,
		group_key: softText,
		tool_calls: softNumber,
		by_tool: softList(softObject({tool: softText, invocations: softNumber})),
		mcp_users_with_mcp: softNumber,
		mcp_by_server: softList(softObject({server: softText, invocations: softNumber})),
		skills_invocations: softNumber,
		skills_by_name: softList(nameCount),
		slash_commands_invocations: softNumber,
		slash_commands_by_name: softList(nameCount),
		hooks_invocations: softNumber,
		hooks_by_event: softList(
			softObject({event: softText, matcher: softText, command: softText, count: softNumber}),
		),
		web_users: softNumber,
		autonomy_ratio_avg: softNumber,
		autonomy_ratio_p50: softNumber,
		autonomy_ratio_p90: softNumber,
		tool_calls_per_session_avg: softNumber,
		user_turns_per_session_avg: softNumber,
		tool_autonomy_level_ratio: softPart({
			auto_high: softNumber,
			auto_medium: softNumber,
			auto_low: softNumber,
			manual: softNumber,
		}),
	}),
);

export const activityRow = atOnce(
	softObject({
		date,
		group_key: softText,
		daily_active_users: softNumber,
		weekly_active_users: softNumber,
		monthly_active_users: softNumber,
		daily_active_users_by_client: softMap(z.number()),
		sessions: softNumber,
		messages: softNumber,
		user_messages: softNumber,
	}),
);

export const productivityRow = atOnce(
	softObject({
		date,
		files_created: softNumber,
		files_edited: softNumber,
		by_extension: softList(softObject({extension: softText, count: softNumber})),
		by_language: softList(softObject({language: softText, count: softNumber})),
		git_commits: softNumber,
		git_prs_created: softNumber,
	}),
);

export const userRow = atOnce(
	softObject({
		user_id: id,
		user_email: softText,
		date: softText,
		tool_calls: softNumber,
		billable_tokens: softNumber,
		primary_model: softText,
		primary_model_tier: softText,
		files_created: softNumber,
		files_edited: softNumber,
		git_commits: softNumber,
		git_prs_created: softNumber,
		mcp_calls: softNumber,
		skill_calls: softNumber,
		slash_commands: softNumber,
		hooks: softNumber,
		sessions: softNumber,
		messages: softNumber,
		user_messages: softNumber,
		assistant_messages: softNumber,
		autonomy_ratio: softNumber,
		delegation_level: softText,
		languages: softList(z.string()),
	}),
);
