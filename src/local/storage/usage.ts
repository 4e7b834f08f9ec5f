import type {DatabaseSync} from 'node:sqlite';
import type {TokenUsage} from '../../domain/sessions/session.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import type {TurnUsage} from '../agents/agent-session.ts';
import {rowAs, rowInserter, rowReader} from './row.ts';

/** A program the service started. `messageId` is set for the agent of a turn. `at` is Unix ms. */
export type StartedCommand = {
	readonly at: number;
	readonly tool: string;
	readonly sessionId?: string;
	readonly messageId?: string;
	readonly usesModel: boolean;
};

/** Tokens that an agent reported for a turn. `at` is Unix ms. */
export type StoredUsage = TurnUsage & {
	readonly at: number;
	readonly sessionId: string;
	readonly messageId: string;
};

export type FileChange = {readonly date: string; readonly path: string; readonly kind: 'created' | 'edited'};

/** A commit made during a turn. `date` is the turn's UTC day. */
export type StoredCommit = {readonly date: string; readonly hash: string};

/** A message, with the fields that daily activity is computed from. */
export type MessageActivity = {
	readonly at: number;
	readonly role: string;
	readonly client?: string;
};

/** A time span, Unix ms: `from` is inclusive, `to` exclusive. */
export type Span = {readonly from: number; readonly to: number};

/** Recorded activity, the source of analytics. */
export function createUsageTable(database: DatabaseSync) {
	const addTokens = rowInserter<StoredUsage>(database, 'token_usage');
	const tokens = database.prepare('SELECT * FROM token_usage WHERE at >= ? AND at < ? ORDER BY seq');
	const tokensOf = database.prepare(
		`SELECT sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
		sum(cache_read_tokens) AS cache_read_tokens, sum(cache_write_tokens) AS cache_creation_tokens,
		sum(cost) AS cost_usd FROM token_usage WHERE session_id = ? HAVING count(*) > 0`,
	);
	const modelsOf = database.prepare(
		'SELECT DISTINCT model FROM token_usage WHERE session_id = ? AND model IS NOT NULL ORDER BY seq',
	);
	const commands = database.prepare('SELECT * FROM commands WHERE at >= ? AND at < ? ORDER BY seq');
	const messages = database.prepare(
		`SELECT created_at AS at, role, client FROM messages WHERE created_at >= ? AND created_at < ?
		AND role IN ('user', 'assistant')`,
	);
	const starts = database.prepare(
		'SELECT created_at FROM sessions WHERE is_install = 0 AND created_at >= ? AND created_at < ?',
	);
	const fileChanges = database.prepare('SELECT * FROM file_changes WHERE date >= ? AND date <= ?');
	const commits = database.prepare('SELECT * FROM commits WHERE date >= ? AND date <= ?');
	return {
		addCommand: rowInserter<StartedCommand>(database, 'commands'),
		/** A file created and later edited on the same day still counts as created. */
		addFileChange: rowInserter<FileChange>(database, 'file_changes', 'ON CONFLICT DO NOTHING'),
		addCommit: rowInserter<StoredCommit>(database, 'commits', 'ON CONFLICT DO NOTHING'),
		addTokens: (usage: StoredUsage) =>
			addTokens({
				...usage,
				inputTokens: toCount(usage.inputTokens),
				outputTokens: toCount(usage.outputTokens),
				cacheReadTokens: toCount(usage.cacheReadTokens),
				cacheWriteTokens: toCount(usage.cacheWriteTokens),
			}),
		tokens: ({from, to}: Span) => tokens.all(from, to).map(rowReader<StoredUsage>()),
		/** The tokens of all turns of a session; undefined if its agent reported none. */
		tokensOfSession(sessionId: string): TokenUsage | undefined {
			const models = modelsOf.all(sessionId).map(({model}) => String(model));
			const usage = rowAs(tokensOf.get(sessionId), rowReader<TokenUsage>());
			return usage && {...usage, ...(models.length > 0 && {models})};
		},
		commands: ({from, to}: Span) =>
			commands.all(from, to).map(rowReader<StartedCommand>({usesModel: 'boolean'})),
		messages: ({from, to}: Span) => messages.all(from, to).map(rowReader<MessageActivity>()),
		/** Start times of sessions, without install sessions. */
		sessionStarts: ({from, to}: Span) => starts.all(from, to).map(row => Number(row.created_at)),
		fileChanges: ({startDate, endDate}: DayRange) =>
			fileChanges.all(startDate, endDate).map(rowReader<FileChange>()),
		commits: ({startDate, endDate}: DayRange) =>
			commits.all(startDate, endDate).map(rowReader<StoredCommit>()),
	};
}

/** A client's count isn't trusted to be a number. */
function toCount(value: number): number {
	return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(value)));
}
