import {randomUUID} from 'node:crypto';
import type {DatabaseSync} from 'node:sqlite';
import type {MessageRole} from '../../domain/messages/message.ts';
import {type Row, rowAs, rowInserter, rowReader, rowUpdater} from './row.ts';

/** A saved file or image of a message. `path` is absolute, or as the client gave it when it sent no data. */
export type Attachment = {
	readonly kind: 'image' | 'file';
	readonly name: string;
	readonly path?: string;
	readonly bytes: number;
};

/** A content item in the shapes that clients of models use. */
export type StoredItem =
	| {type: 'text'; id: string; text: string; request?: ShownRequest}
	| {type: 'thinking'; id: string; thinking: string}
	| {type: 'tool_use'; id: string; name: string; input: Readonly<Record<string, unknown>>}
	| {type: 'tool_result'; id: string; tool_use_id: string; content: string; is_error: boolean};

/** A request of an agent in the message that shows it. `title` is one line. */
export type ShownRequest = {
	readonly id: string;
	readonly kind: 'permission' | 'question';
	readonly title: string;
	state: RequestState;
};

/** The outcome of an agent's request. `gone`: it ended without an answer. */
export type RequestState = 'open' | 'allowed' | 'always' | 'denied' | 'answered' | 'gone';

/** A message as stored. `seq` counts across all sessions, in order of acceptance. */
export type StoredMessage = {
	readonly seq: number;
	readonly id: string;
	readonly sessionId: string;
	readonly role: MessageRole;
	readonly parentId?: string;
	readonly contentId: string;
	readonly text: string;
	/** All content items, if there is more than the text. */
	readonly content?: readonly StoredItem[];
	readonly attachments: readonly Attachment[];
	readonly isError: boolean;
	readonly isWaiting: boolean;
	/** The text is the output of a program. */
	readonly isOutput: boolean;
	/** Set if an agent sent it. */
	readonly author?: string;
	readonly createdAt: number;
	readonly updatedAt: number;
};

export type NewMessage = Pick<StoredMessage, 'id' | 'sessionId' | 'role' | 'text' | 'parentId' | 'content'> &
	Partial<Pick<StoredMessage, 'attachments' | 'isError' | 'isWaiting' | 'isOutput' | 'author'>> & {
		/** Defaults to now. */
		readonly at?: number;
	};

/** A query over a session's messages, from before the seq `from` or from the session's end. */
type MessageQuery = {readonly from?: number; readonly role?: MessageRole; readonly limit: number};

export function createMessageTable(database: DatabaseSync) {
	const insert = rowInserter<
		Omit<NewMessage, 'at'> & Pick<StoredMessage, 'contentId' | 'createdAt' | 'updatedAt'>
	>(database, 'messages');
	const update = rowUpdater<StoredMessage>(database, 'messages');
	const count = database.prepare(
		'UPDATE sessions SET message_count = message_count + 1, updated_at = ? WHERE id = ?',
	);
	const select = database.prepare('SELECT * FROM messages WHERE id = ?');
	const withRequests = database.prepare(
		`SELECT * FROM messages WHERE session_id = ? AND content LIKE '%"state":"open"%'`,
	);
	const touch = database.prepare(
		'UPDATE sessions SET updated_at = ? WHERE id = (SELECT session_id FROM messages WHERE id = ?)',
	);
	const newest = database.prepare(
		`SELECT * FROM messages WHERE session_id = ? AND (? IS NULL OR role = ?) AND seq < ? ORDER BY seq DESC LIMIT ?`,
	);
	const nextWaiting = database.prepare(
		'SELECT * FROM messages WHERE session_id = ? AND is_waiting = 1 ORDER BY seq LIMIT 1',
	);
	const lastTaken = database.prepare(
		`SELECT * FROM messages WHERE session_id = ? AND role = 'user' AND is_waiting = 0 ORDER BY seq DESC LIMIT 1`,
	);
	const answer = database.prepare(
		`SELECT 1 FROM messages WHERE session_id = ? AND role = 'assistant' LIMIT 1`,
	);
	const readRow = rowReader<Omit<StoredMessage, 'attachments'> & Pick<NewMessage, 'attachments'>>({
		content: 'json',
		attachments: 'json',
		isError: 'boolean',
		isWaiting: 'boolean',
		isOutput: 'boolean',
	});
	const toMessage = (row: Row): StoredMessage => ({attachments: [], ...readRow(row)});
	return {
		/** Inserts a message and updates its session's message count. */
		add({at = Date.now(), ...message}: NewMessage): void {
			insert({...message, contentId: randomUUID(), createdAt: at, updatedAt: at});
			count.run(at, message.sessionId);
		},
		get: (id: string) => rowAs(select.get(id), toMessage),
		/** Changes a message, and when it and its session were updated. */
		update(id: string, changes: Partial<Pick<StoredMessage, 'text' | 'content' | 'isError'>>): void {
			const now = Date.now();
			update(id, {...changes, updatedAt: now});
			touch.run(now, id);
		},
		withOpenRequests: (sessionId: string) =>
			withRequests
				.all(sessionId)
				.map(toMessage)
				.filter(({content = []}) =>
					content.some(item => item.type === 'text' && item.request?.state === 'open'),
				),
		/** The newest first. */
		newest: (sessionId: string, {from = Number.MAX_SAFE_INTEGER, role, limit}: MessageQuery) =>
			newest.all(sessionId, role ?? null, role ?? null, from, limit).map(toMessage),
		nextWaiting: (sessionId: string) => rowAs(nextWaiting.get(sessionId), toMessage),
		hasAnswer: (sessionId: string) => answer.get(sessionId) !== undefined,
		setTaken: (id: string) => update(id, {isWaiting: false}),
		/** The latest user message whose turn has started. */
		lastTaken: (sessionId: string) => rowAs(lastTaken.get(sessionId), toMessage),
	};
}
