import type {DatabaseSync} from 'node:sqlite';
import type {TokenUsage} from '../../domain/sessions/session.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import type {TurnUsage} from '../agents/agent-session.ts';
import {rowAs, rowInserter, rowReader} from './row.ts';

/** Tokens that an agent reported for a turn. `at` is Unix ms. */
type StoredUsage = TurnUsage & {
	readonly at: number;
	readonly sessionId: string;
	readonly messageId: string;
};

/** The tokens of a model on a UTC day; without a model, those that no model was named for. */
export type ModelDay = TurnUsage & {readonly date: string};

/** The sessions that began on a UTC day, and its messages. */
type DayActivity = {
	readonly date: string;
	readonly sessions: number;
	readonly user_messages: number;
	readonly assistant_messages: number;
};

/** Recorded activity, the source of analytics. */
export function createUsageTable(database: DatabaseSync) {
	const addTokens = rowInserter<StoredUsage>(database, 'token_usage');
	const tokens = database.prepare(
		`SELECT date(at / 1000, 'unixepoch') AS date, model, sum(input_tokens) AS input_tokens,
		sum(output_tokens) AS output_tokens, sum(cache_read_tokens) AS cache_read_tokens,
		sum(cache_write_tokens) AS cache_write_tokens, sum(cost) AS cost
		FROM token_usage WHERE at >= ? AND at < ? GROUP BY date, model ORDER BY date, min(seq)`,
	);
	const tokensOf = database.prepare(
		`SELECT sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
		sum(cache_read_tokens) AS cache_read_tokens, sum(cache_write_tokens) AS cache_creation_tokens,
		sum(cost) AS cost_usd FROM token_usage WHERE session_id = ? HAVING count(*) > 0`,
	);
	const modelsOf = database.prepare(
		'SELECT DISTINCT model FROM token_usage WHERE session_id = ? AND model IS NOT NULL ORDER BY seq',
	);
	// Without install sessions.
	const activity = database.prepare(
		`SELECT date(created_at / 1000, 'unixepoch') AS date, sum(kind = 'session') AS sessions,
		sum(kind = 'user') AS user_messages, sum(kind = 'assistant') AS assistant_messages
		FROM (SELECT created_at, role AS kind FROM messages WHERE role IN ('user', 'assistant')
			UNION ALL SELECT created_at, 'session' FROM sessions WHERE is_install = 0)
		WHERE created_at >= ? AND created_at < ? GROUP BY date ORDER BY date`,
	);
	return {
		addTokens: (usage: StoredUsage) =>
			addTokens({
				...usage,
				inputTokens: toCount(usage.inputTokens),
				outputTokens: toCount(usage.outputTokens),
				cacheReadTokens: toCount(usage.cacheReadTokens),
				cacheWriteTokens: toCount(usage.cacheWriteTokens),
			}),
		tokens: (range: DayRange) => tokens.all(...spanOf(range)).map(rowReader<ModelDay>()),
		/** The tokens of all turns of a session; undefined if its agent reported none. */
		tokensOfSession(sessionId: string): TokenUsage | undefined {
			const models = modelsOf.all(sessionId).map(({model}) => String(model));
			const usage = rowAs(tokensOf.get(sessionId), rowReader<TokenUsage>());
			return usage && {...usage, models: models.length > 0 ? models : undefined};
		},
		activity: (range: DayRange) => activity.all(...spanOf(range)) as unknown as DayActivity[],
	};
}

/** From the first moment of a range up to the first one after it, Unix ms. */
function spanOf({startDate, endDate}: DayRange): readonly [from: number, to: number] {
	return [Date.parse(startDate), Date.parse(endDate) + 86_400_000];
}

/** A client's count isn't trusted to be a number. */
function toCount(value: number): number {
	return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(value)));
}
