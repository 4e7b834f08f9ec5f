import type {PersonMeasure} from '../../domain/usage/people.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';

/** The words that several of the organization's views use. Values filled in are clean already. */
export const strings = {
	unknown: safe`unknown`,
	noMatches: safe`No matches`,
	views: {usage: safe`Usage`, readiness: safe`Readiness`, controls: safe`Controls`, users: safe`Users`},
	days: (count: number) => safe`${count} ${count === 1 ? safe`day` : safe`days`}`,

	usage: {
		noData: safe`The service has no usage data for these days.`,
		vsPrevious: (days: number, leavesOutToday: boolean) =>
			safe`${leavesOutToday ? safe` without today,` : safe``} vs the ${days === 1 ? safe`day` : safe`${days} days`} before`,
	},

	/** Measures of a person, by contract name. */
	measures: {
		billable_tokens: safe`credits`,
		sessions: safe`sessions`,
		user_messages: safe`user turns`,
		tool_calls: safe`tool calls`,
		autonomy_ratio: safe`tool calls per user turn`,
		messages: safe`messages`,
		assistant_messages: safe`assistant messages`,
		files_created: safe`files created`,
		files_edited: safe`files edited`,
		git_commits: safe`commits`,
		git_prs_created: safe`pull requests`,
		mcp_calls: safe`MCP calls`,
		skill_calls: safe`skill calls`,
		slash_commands: safe`slash commands`,
		hooks: safe`hooks`,
	} satisfies Record<PersonMeasure | 'autonomy_ratio', Safe>,
};
