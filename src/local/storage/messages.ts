import {randomUUID} from 'node:crypto';
import type {DatabaseSync} from 'node:sqlite';
import type {MessageRole} from '../../domain/messages/message.ts';
import {type Row, rowAs, textOf} from './row.ts';

/** A saved file or image of a message. `path` is absolute, or as the client gave it when it sent no data. */
export type Attachment = {
	readonly kind: 'image' | 'file';
	readonly name: string;
	readonly path?: string;
	readonly bytes: number;
};

/** A message as stored. `seq` counts across all sessions, in order of acceptance. */
export type StoredMessage = {
	readonly seq: number;
	readonly id: string;
	readonly sessionId: string;
	readonly role: MessageRole;
	readonly parentId?: string;
	readonly contentId: string;
	readonly text: string;
	readonly attachments: readonly Attachment[];
	readonly isError: boolean;
	readonly isWaiting: boolean;
	readonly createdAt: number;
	readonly updatedAt: number;
};

type NewMessage = Pick<StoredMessage, 'id' | 'sessionId' | 'role' | 'text'> & {
	readonly parentId?: string;
	readonly attachments?: readonly Attachment[];
	readonly isError?: boolean;
	readonly isWaiting?: boolean;
	/** The client type, as used in analytics rows, if the request named one. */
	readonly client?: string;
	/** Defaults to now. */
	readonly at?: number;
};

/** A query over a session's messages, from the seq `from` (exclusive) or from the session's end. */
type MessageWalk = {
	readonly order: 'newest-first' | 'oldest-first';
	readonly from?: number;
	readonly role?: MessageRole;
	readonly limit: number;
	/** Leaves out messages created after this time (Unix ms). */
	readonly until: number;
};

export function createMessageTable(database: DatabaseSync) {
	const insert = database.prepare(
		`INSERT INTO messages (id, session_id, role, parent_id, content_id, text, attachments, is_error, is_waiting,
		client, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const count = database.prepare(
		'UPDATE sessions SET message_count = message_count + 1, updated_at = ? WHERE id = ?',
	);
	const select = database.prepare('SELECT * FROM messages WHERE id = ?');
	const setText = database.prepare('UPDATE messages SET text = ?, is_error = ?, updated_at = ? WHERE id = ?');
	const touch = database.prepare(
		'UPDATE sessions SET updated_at = ? WHERE id = (SELECT session_id FROM messages WHERE id = ?)',
	);
	const filter = 'session_id = ? AND (? IS NULL OR role = ?) AND created_at <= ?';
	const newest = database.prepare(
		`SELECT * FROM messages WHERE ${filter} AND seq < ? ORDER BY seq DESC LIMIT ?`,
	);
	const oldest = database.prepare(`SELECT * FROM messages WHERE ${filter} AND seq > ? ORDER BY seq LIMIT ?`);
	const nextWaiting = database.prepare(
		'SELECT * FROM messages WHERE session_id = ? AND is_waiting = 1 ORDER BY seq LIMIT 1',
	);
	const setTaken = database.prepare('UPDATE messages SET is_waiting = 0 WHERE id = ?');
	const lastTaken = database.prepare(
		`SELECT * FROM messages WHERE session_id = ? AND role = 'user' AND is_waiting = 0 ORDER BY seq DESC LIMIT 1`,
	);
	const goodAnswers = database.prepare(
		"SELECT count(*) AS n FROM messages WHERE session_id = ? AND role = 'assistant' AND is_error = 0",
	);
	return {
		/** Inserts a message and updates its session's message count. */
		add(message: NewMessage): void {
			const {at = Date.now()} = message;
			insert.run(
				message.id,
				message.sessionId,
				message.role,
				message.parentId ?? null,
				randomUUID(),
				message.text,
				message.attachments?.length ? JSON.stringify(message.attachments) : null,
				message.isError ? 1 : 0,
				message.isWaiting ? 1 : 0,
				message.client ?? null,
				at,
				at,
			);
			count.run(at, message.sessionId);
		},
		get: (id: string) => rowAs(select.get(id), toMessage),
		setText(id: string, text: string, isError: boolean, at: number): void {
			setText.run(text, isError ? 1 : 0, at, id);
			touch.run(at, id);
		},
		walk(sessionId: string, {order, from, role, limit, until}: MessageWalk): StoredMessage[] {
			const [statement, start] =
				order === 'newest-first' ? [newest, from ?? Number.MAX_SAFE_INTEGER] : [oldest, from ?? 0];
			return statement.all(sessionId, role ?? null, role ?? null, until, start, limit).map(toMessage);
		},
		/** The user message whose turn is next. */
		nextWaiting: (sessionId: string) => rowAs(nextWaiting.get(sessionId), toMessage),
		setTaken(id: string): void {
			setTaken.run(id);
		},
		/** The latest user message whose turn has started. */
		lastTaken: (sessionId: string) => rowAs(lastTaken.get(sessionId), toMessage),
		/** Number of successful answers in the session. */
		goodAnswers: (sessionId: string) => Number(goodAnswers.get(sessionId)?.n),
	};
}

function toMessage(row: Row): StoredMessage {
	return {
		seq: Number(row.seq),
		id: String(row.id),
		sessionId: String(row.session_id),
		role: String(row.role) as MessageRole,
		parentId: textOf(row, 'parent_id'),
		contentId: String(row.content_id),
		text: String(row.text),
		attachments: JSON.parse(textOf(row, 'attachments') ?? '[]') as Attachment[],
		isError: row.is_error === 1,
		isWaiting: row.is_waiting === 1,
		createdAt: Number(row.created_at),
		updatedAt: Number(row.updated_at),
	};
}
