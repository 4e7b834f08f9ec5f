import type {ToolRow} from '../../domain/analytics.ts';
import type {StartedCommand} from '../storage/usage.ts';
import {byDay, countBy, dayOf} from './days.ts';

/**
 * Rows of `/tools`: programs the service started. It can't see what a model's agent does in its own process,
 * so servers, skills and hooks are omitted instead of reported as zero.
 */
export function toolRows(commands: readonly StartedCommand[]): ToolRow[] {
	return byDay(commands, ({at}) => dayOf(at)).map(([date, ofDay]) => ({
		date,
		tool_calls: ofDay.length,
		by_tool: countBy(ofDay, ({tool}) => tool).map(([tool, invocations]) => ({tool, invocations})),
		...ratesOf(ofDay),
	}));
}

/** Rows of `/tools` with `group_by=tool_name`. */
export function toolRowsByName(commands: readonly StartedCommand[]): ToolRow[] {
	return byDay(commands, ({at}) => dayOf(at)).flatMap(([date, ofDay]) =>
		countBy(ofDay, ({tool}) => tool).map(([tool, count]) => ({date, group_key: tool, tool_calls: count})),
	);
}

function ratesOf(commands: readonly StartedCommand[]): Partial<ToolRow> {
	const turns = commands.filter(({messageId}) => messageId !== undefined);
	const sessions = new Set(turns.map(({sessionId}) => sessionId)).size;
	if (sessions === 0) return {};
	const turnsOfSession = {user_turns_per_session_avg: turns.length / sessions};
	// A shell turn is one call; the number of calls a model made in a turn is unknown.
	if (turns.some(({usesModel}) => usesModel)) return turnsOfSession;
	return {
		...turnsOfSession,
		tool_calls_per_session_avg: turns.length / sessions,
		autonomy_ratio_avg: 1,
		autonomy_ratio_p50: 1,
		autonomy_ratio_p90: 1,
	};
}
