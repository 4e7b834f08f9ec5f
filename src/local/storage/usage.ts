import type {DatabaseSync} from 'node:sqlite';
import type {TokenUsage} from '../../domain/sessions/session.ts';
import type {TurnUsage} from '../agents/agent-session.ts';
import {textOf} from './row.ts';

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

/** A message, with the fields that daily activity is computed from. */
export type MessageActivity = {
	readonly at: number;
	readonly role: string;
	readonly sessionId: string;
	readonly client?: string;
};

/** Recorded activity, the source of analytics. Times are Unix ms; `from` is inclusive, `to` exclusive. */
export function createUsageTable(database: DatabaseSync) {
	const addCommand = database.prepare(
		'INSERT INTO commands (at, tool, session_id, message_id, uses_model) VALUES (?, ?, ?, ?, ?)',
	);
	// A file created and later edited on the same day still counts as created.
	const addFileChange = database.prepare(
		'INSERT INTO file_changes (date, path, kind) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
	);
	const addCommit = database.prepare('INSERT INTO commits (hash, date) VALUES (?, ?) ON CONFLICT DO NOTHING');
	const addTokens = database.prepare(
		`INSERT INTO token_usage (at, session_id, message_id, model, input_tokens, output_tokens, cache_read_tokens,
		cache_write_tokens, cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const tokens = database.prepare('SELECT * FROM token_usage WHERE at >= ? AND at < ? ORDER BY seq');
	const tokensOf = database.prepare(
		`SELECT sum(input_tokens) AS input, sum(output_tokens) AS output, sum(cache_read_tokens) AS cache_read,
		sum(cache_write_tokens) AS cache_write, sum(cost) AS cost FROM token_usage WHERE session_id = ?
		HAVING count(*) > 0`,
	);
	const modelsOf = database.prepare(
		'SELECT DISTINCT model FROM token_usage WHERE session_id = ? AND model IS NOT NULL ORDER BY seq',
	);
	const commands = database.prepare('SELECT * FROM commands WHERE at >= ? AND at < ? ORDER BY seq');
	const messages = database.prepare(
		`SELECT created_at, role, session_id, client FROM messages WHERE created_at >= ? AND created_at < ?
		AND role IN ('user', 'assistant')`,
	);
	const starts = database.prepare(
		'SELECT created_at FROM sessions WHERE is_install = 0 AND created_at >= ? AND created_at < ?',
	);
	const fileChanges = database.prepare('SELECT * FROM file_changes WHERE date >= ? AND date <= ?');
	const commits = database.prepare('SELECT * FROM commits WHERE date >= ? AND date <= ?');
	return {
		addCommand({at, tool, sessionId, messageId, usesModel}: StartedCommand): void {
			addCommand.run(at, tool, sessionId ?? null, messageId ?? null, usesModel ? 1 : 0);
		},
		addFileChange({date, path, kind}: FileChange): void {
			addFileChange.run(date, path, kind);
		},
		addCommit(hash: string, date: string): void {
			addCommit.run(hash, date);
		},
		addTokens({at, sessionId, messageId, model, cost, ...counts}: StoredUsage): void {
			const {inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens} = counts;
			addTokens.run(
				at,
				sessionId,
				messageId,
				model ?? null,
				...[inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].map(toCount),
				cost ?? null,
			);
		},
		tokens: (from: number, to: number): StoredUsage[] =>
			tokens.all(from, to).map(row => ({
				at: Number(row.at),
				sessionId: String(row.session_id),
				messageId: String(row.message_id),
				...(row.model !== null && {model: String(row.model)}),
				inputTokens: Number(row.input_tokens),
				outputTokens: Number(row.output_tokens),
				cacheReadTokens: Number(row.cache_read_tokens),
				cacheWriteTokens: Number(row.cache_write_tokens),
				...(row.cost !== null && {cost: Number(row.cost)}),
			})),
		/** The tokens of all turns of a session; undefined if its agent reported none. */
		tokensOfSession(sessionId: string): TokenUsage | undefined {
			const row = tokensOf.get(sessionId);
			if (!row) return undefined;
			const models = modelsOf.all(sessionId).map(({model}) => String(model));
			return {
				inputTokens: Number(row.input),
				outputTokens: Number(row.output),
				cacheReadTokens: Number(row.cache_read),
				cacheCreationTokens: Number(row.cache_write),
				...(models.length > 0 && {models}),
				...(row.cost !== null && {costUsd: Number(row.cost)}),
			};
		},
		commands: (from: number, to: number): StartedCommand[] =>
			commands.all(from, to).map(row => ({
				at: Number(row.at),
				tool: String(row.tool),
				sessionId: textOf(row, 'session_id'),
				messageId: textOf(row, 'message_id'),
				usesModel: row.uses_model === 1,
			})),
		messages: (from: number, to: number): MessageActivity[] =>
			messages.all(from, to).map(row => ({
				at: Number(row.created_at),
				role: String(row.role),
				sessionId: String(row.session_id),
				client: textOf(row, 'client'),
			})),
		/** Start times of sessions, without install sessions. */
		sessionStarts: (from: number, to: number) => starts.all(from, to).map(row => Number(row.created_at)),
		/** Dates are YYYY-MM-DD, both inclusive. */
		fileChanges: (fromDate: string, toDate: string): FileChange[] =>
			fileChanges.all(fromDate, toDate).map(row => ({
				date: String(row.date),
				path: String(row.path),
				kind: row.kind === 'created' ? 'created' : 'edited',
			})),
		commits: (fromDate: string, toDate: string) =>
			commits.all(fromDate, toDate).map(row => ({date: String(row.date), hash: String(row.hash)})),
	};
}

/** What a client reports is not trusted to be a count. */
function toCount(value: number): number {
	return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(value)));
}
