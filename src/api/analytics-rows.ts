import {z} from 'zod';
import {cutOf, type TokenRow} from '../domain/analytics.ts';
import type {Extra} from '../domain/open.ts';
import {itemId, readInSteps, softList, softMap, softName, softNumber, softObject, softPart} from './soft.ts';

// Rows of the analytics answers (contract 2.8), as they are read.

/** Reads one row; nothing of what is none. It yields where whoever goes through it may pause. */
export type RowSteps<Row> = Generator<void, Row | undefined>;

/** A row that is short: read at once. */
function atOnce<Row extends z.ZodType<Extra>>(
	row: Row,
	breakdowns: Breakdowns = {},
): (raw: unknown) => RowSteps<z.output<Row>> {
	// biome-ignore lint/correctness/useYield: nothing in it is long.
	return function* (raw) {
		const read = row.safeParse(raw);
		return read.success ? withLargest(read.data, breakdowns) : undefined;
	};
}

/** Lists of a row, by name: the number that tells how large an entry is. */
type Breakdowns = {readonly [name: string]: string};

/** Entries of one breakdown of a day. An answer may hold ten times as many values as an organization has names. */
const maxEntries = 1000;
const maxUsers = 50_000;
const maxClients = 100;

/** A row with the largest entries of each breakdown; what the others come to is unattributed. Says which were cut. */
function withLargest<Row extends Extra>(row: Row, breakdowns: Breakdowns, maxEntriesKept = maxEntries): Row {
	const {quarterdeck: _, ...bounded}: Record<string, unknown> = row;
	const cut: string[] = [];
	for (const [name, measure] of Object.entries(breakdowns)) {
		const list = bounded[name];
		if (!Array.isArray(list) || list.length <= maxEntriesKept) continue;
		const sizeOf = (entry: Extra) => (typeof entry[measure] === 'number' ? entry[measure] : 0);
		bounded[name] = list.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, maxEntriesKept);
		cut.push(name);
	}
	return {...bounded, ...(cut.length > 0 && {quarterdeck: {cut}})} as Row;
}

const date = z.string().min(1);
const modelTokens = softObject({
	model_id: softName,
	model_tier: softName,
	billable_tokens: softNumber,
	input_tokens: softNumber,
	output_tokens: softNumber,
});

const tokenDay = softObject({
	date,
	group_key: softName,
	billable_tokens: softNumber,
	input_tokens: softNumber,
	output_tokens: softNumber,
	cache_read_tokens: softNumber,
	cache_write_tokens: softNumber,
	by_model: softList(modelTokens),
});
const userTokens = softObject({
	user_id: softName,
	user_email: softName,
	billable_tokens: softNumber,
	by_model: softList(modelTokens),
});

/** A day of tokens names every user, of whom there may be thousands: they are read bit by bit. */
export function* tokenRow(raw: unknown): RowSteps<TokenRow> {
	const read = tokenDay.safeParse(raw);
	if (!read.success) return undefined;
	const {by_user: users, ...rest} = read.data;
	const row = withLargest(rest, {by_model: 'billable_tokens'});
	if (!Array.isArray(users)) return row;
	const {items} = yield* readInSteps(users, userTokens);
	const {by_user, quarterdeck} = withLargest<Extra>({by_user: items}, {by_user: 'billable_tokens'}, maxUsers);
	const cut = [...cutOf(row), ...cutOf({quarterdeck})];
	return {...row, by_user: by_user as typeof items, ...(cut.length > 0 && {quarterdeck: {cut}})};
}

const nameCount = softObject({name: softName, count: softNumber});

export const toolRow = atOnce(
	softObject({
		date,
		group_key: softName,
		tool_calls: softNumber,
		by_tool: softList(softObject({tool: softName, invocations: softNumber})),
		mcp_users_with_mcp: softNumber,
		mcp_by_server: softList(softObject({server: softName, invocations: softNumber})),
		skills_invocations: softNumber,
		skills_by_name: softList(nameCount),
		slash_commands_invocations: softNumber,
		slash_commands_by_name: softList(nameCount),
		hooks_invocations: softNumber,
		hooks_by_event: softList(
			softObject({event: softName, matcher: softName, command: softName, count: softNumber}),
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
	{
		by_tool: 'invocations',
		mcp_by_server: 'invocations',
		skills_by_name: 'count',
		slash_commands_by_name: 'count',
		hooks_by_event: 'count',
	},
);

/** The clients that most users had: the contract names three. */
function largestClients(clients: Readonly<Record<string, number>> | undefined) {
	const all = Object.entries(clients ?? {});
	if (all.length <= maxClients) return clients;
	return Object.fromEntries(all.sort(([, a], [, b]) => b - a).slice(0, maxClients));
}

export const activityRow = atOnce(
	softObject({
		date,
		group_key: softName,
		daily_active_users: softNumber,
		weekly_active_users: softNumber,
		monthly_active_users: softNumber,
		daily_active_users_by_client: softMap(z.number()).transform(largestClients),
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
		by_extension: softList(softObject({extension: softName, count: softNumber})),
		by_language: softList(softObject({language: softName, count: softNumber})),
		git_commits: softNumber,
		git_prs_created: softNumber,
	}),
	{by_extension: 'count', by_language: 'count'},
);

/** Languages that one user wrote on one day. */
const maxLanguages = 100;

export const userRow = atOnce(
	softObject({
		user_id: itemId,
		user_email: softName,
		date: softName,
		tool_calls: softNumber,
		billable_tokens: softNumber,
		primary_model: softName,
		primary_model_tier: softName,
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
		delegation_level: softName,
		languages: softList(z.string().max(100)).transform(list => list?.slice(0, maxLanguages)),
	}),
);
