import type {ExtraFields, OpenEnum} from '../known.ts';

/** A range of UTC days, YYYY-MM-DD, both ends included. */
export type AnalyticsQuery<Group extends string> = {
	readonly startDate: string;
	readonly endDate: string;
	/** Whether the range may end today: only the embedded service has today's data. */
	readonly includesToday?: boolean;
	readonly groupBy?: Group;
};

/** A decoded analytics response (`{data, meta}`). Only `/users` has `hasMore` and `nextCursor`. */
export type Analytics<Row> = {
	readonly rows: readonly Row[];
	readonly meta: ExtraFields & {
		readonly org_id?: string;
		readonly start_date?: string;
		readonly end_date?: string;
	};
	readonly hasMore: boolean;
	readonly nextCursor?: string;
	readonly skipped: number;
};

/** With `group_by`, each row covers one value of the group, given in `group_key`. */
type Grouped = {readonly date: string; readonly group_key?: string};

export type ModelTokens = ExtraFields & {
	readonly model_id?: string;
	readonly model_tier?: string;
	readonly billable_tokens?: number;
	readonly input_tokens?: number;
	readonly output_tokens?: number;
	/** US dollars. Only from the embedded service, and only as reported by a client. */
	readonly cost_usd?: number;
};

export type UserTokens = ExtraFields & {
	readonly user_id?: string;
	readonly user_email?: string;
	readonly billable_tokens?: number;
	/** Only of the embedded service. */
	readonly input_tokens?: number;
	readonly output_tokens?: number;
	readonly by_model?: readonly ModelTokens[];
};

export type TokenRow = ExtraFields &
	Grouped & {
		readonly billable_tokens?: number;
		readonly input_tokens?: number;
		readonly output_tokens?: number;
		readonly cache_read_tokens?: number;
		readonly cache_write_tokens?: number;
		/** As in `ModelTokens`. */
		readonly cost_usd?: number;
		readonly by_model?: readonly ModelTokens[];
		readonly by_user?: readonly UserTokens[];
	};

export type ToolCount = ExtraFields & {readonly tool?: string; readonly invocations?: number};
export type ServerCount = ExtraFields & {readonly server?: string; readonly invocations?: number};
export type NameCount = ExtraFields & {readonly name?: string; readonly count?: number};
export type HookCount = ExtraFields & {
	readonly event?: string;
	readonly matcher?: string;
	readonly command?: string;
	readonly count?: number;
};

export type ToolRow = ExtraFields &
	Grouped & {
		readonly tool_calls?: number;
		readonly by_tool?: readonly ToolCount[];
		readonly mcp_users_with_mcp?: number;
		readonly mcp_by_server?: readonly ServerCount[];
		readonly skills_invocations?: number;
		readonly skills_by_name?: readonly NameCount[];
		readonly slash_commands_invocations?: number;
		readonly slash_commands_by_name?: readonly NameCount[];
		readonly hooks_invocations?: number;
		readonly hooks_by_event?: readonly HookCount[];
		readonly web_users?: number;
		readonly autonomy_ratio_avg?: number;
		readonly autonomy_ratio_p50?: number;
		readonly autonomy_ratio_p90?: number;
		readonly tool_calls_per_session_avg?: number;
		readonly user_turns_per_session_avg?: number;
		readonly tool_autonomy_level_ratio?: ExtraFields & {
			readonly auto_high?: number;
			readonly auto_medium?: number;
			readonly auto_low?: number;
			readonly manual?: number;
		};
	};

export type ActivityRow = ExtraFields &
	Grouped & {
		readonly daily_active_users?: number;
		readonly weekly_active_users?: number;
		readonly monthly_active_users?: number;
		readonly daily_active_users_by_client?: Readonly<Record<string, number>>;
		readonly sessions?: number;
		readonly messages?: number;
		readonly user_messages?: number;
	};

export type ExtensionCount = ExtraFields & {readonly extension?: string; readonly count?: number};
export type LanguageCount = ExtraFields & {readonly language?: string; readonly count?: number};

export type ProductivityRow = ExtraFields & {
	readonly date: string;
	readonly files_created?: number;
	readonly files_edited?: number;
	readonly by_extension?: readonly ExtensionCount[];
	readonly by_language?: readonly LanguageCount[];
	readonly git_commits?: number;
	readonly git_prs_created?: number;
};

export type DelegationLevel = 'auto-high' | 'auto-medium' | 'auto-low' | 'spec' | 'manual';

export type UserRow = ExtraFields & {
	readonly user_id: string;
	/** May be null in the contract; absent here. */
	readonly user_email?: string;
	readonly date?: string;
	readonly tool_calls?: number;
	readonly billable_tokens?: number;
	readonly primary_model?: string;
	readonly primary_model_tier?: OpenEnum<'standard' | 'thinking'>;
	readonly files_created?: number;
	readonly files_edited?: number;
	readonly git_commits?: number;
	readonly git_prs_created?: number;
	readonly mcp_calls?: number;
	readonly skill_calls?: number;
	readonly slash_commands?: number;
	readonly hooks?: number;
	readonly sessions?: number;
	readonly messages?: number;
	readonly user_messages?: number;
	readonly assistant_messages?: number;
	readonly autonomy_ratio?: number;
	readonly delegation_level?: OpenEnum<DelegationLevel>;
	readonly languages?: readonly string[];
};

/** Files created or edited on a day; undefined if neither was reported. */
export function filesOf({files_created: created, files_edited: edited}: ProductivityRow): number | undefined {
	return created === undefined && edited === undefined ? undefined : (created ?? 0) + (edited ?? 0);
}
