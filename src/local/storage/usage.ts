import type {DatabaseSync} from 'node:sqlite';
import {textOf} from './row.ts';

/** A program the service started. `messageId` is set for the agent of a turn. `at` is Unix ms. */
export type StartedCommand = {
	readonly at: number;
	readonly tool: string;
	readonly sessionId?: string;
	readonly messageId?: string;
	readonly usesModel: boolean;
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
