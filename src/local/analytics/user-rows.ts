import type {ActivityRow, ProductivityRow, TokenRow, ToolRow, UserRow} from '../../domain/analytics.ts';
import type {User} from '../../domain/user.ts';

/** Rows of the other families for the same days: with one user, the user's row is their sum. */
export type DayRows = {
	readonly tokens: readonly TokenRow[];
	readonly tools: readonly ToolRow[];
	readonly activity: readonly ActivityRow[];
	readonly productivity: readonly ProductivityRow[];
};

/** Rows of `/users`: one per day with any activity; unknown fields are omitted. */
export function userRows(
	rows: DayRows,
	user: User,
): (Omit<UserRow, 'user_email'> & {user_email: string | null})[] {
	const all = [...rows.tokens, ...rows.tools, ...rows.activity, ...rows.productivity];
	const dates = [...new Set(all.map(({date}) => String(date)))].sort();
	return dates.map(date => {
		const ofDay = <T extends {readonly date?: string}>(list: readonly T[]) =>
			list.find(row => row.date === date);
		const activity = ofDay(rows.activity);
		const productivity = ofDay(rows.productivity);
		const tools = ofDay(rows.tools);
		return {
			user_id: user.id,
			user_email: user.email ?? null,
			date,
			tool_calls: tools?.tool_calls ?? 0,
			billable_tokens: ofDay(rows.tokens)?.billable_tokens,
			files_created: productivity?.files_created ?? 0,
			files_edited: productivity?.files_edited ?? 0,
			git_commits: productivity?.git_commits ?? 0,
			sessions: activity?.sessions ?? 0,
			messages: activity?.messages ?? 0,
			user_messages: activity?.user_messages ?? 0,
			assistant_messages: (activity?.messages ?? 0) - (activity?.user_messages ?? 0),
			autonomy_ratio: tools?.autonomy_ratio_avg,
			languages: productivity?.by_language?.flatMap(({language}) => language ?? []) ?? [],
		};
	});
}
