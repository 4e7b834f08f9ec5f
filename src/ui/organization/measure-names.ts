import type {PersonMeasure} from '../../domain/usage/people.ts';
import type {UnusualMeasure} from '../../domain/usage/unusual.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';

/** Display names of the analytics measures. */
export const measureNames: Readonly<Record<PersonMeasure | UnusualMeasure, Safe>> = {
	billable_tokens: safe`credits`,
	daily_active_users: safe`active users`,
	sessions: safe`sessions`,
	user_messages: safe`user turns`,
	tool_calls: safe`tool calls`,
	autonomy_ratio_avg: safe`calls per turn`,
	messages: safe`messages`,
	assistant_messages: safe`assistant messages`,
	files_created: safe`files created`,
	files_edited: safe`files edited`,
	git_commits: safe`commits`,
	git_prs_created: safe`pull requests`,
	mcp_calls: safe`MCP calls`,
	mcp_users_with_mcp: safe`MCP users`,
	skill_calls: safe`skill calls`,
	slash_commands: safe`slash commands`,
	hooks: safe`hooks`,
};
