import {randomId} from '../../hooks/random-id.ts';
import type {DraftImage} from '../domain/messages/attachment.ts';
import type {FileAttachment} from '../domain/messages/message.ts';
import type {CollapsedRange} from '../domain/messages/timeline.ts';
import {type Connection, fromJson, type Row} from './file/connection.ts';

type DraftContent = {
	readonly text: string;
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	/** Collapsed parts of the text: [start, end] in UTF-16 units, in order. */
	readonly folds?: readonly CollapsedRange[];
};

/** A draft as stored. `revision` changes with each save by any program. */
type StoredDraft = DraftContent & {readonly updatedAt: number; readonly revision: string};

const selectDraft =
	'SELECT text, updated_at, revision, folds, images, files FROM drafts LEFT JOIN draft_attachments USING (session_id) WHERE session_id = ?';

/** Drafts are saved while typing: their attachments, which can be large, only when they changed. */
export function draftsTable(connection: Connection, history: ReturnType<typeof historyTable>) {
	const lastWritten = new Map<string, Pick<StoredDraft, 'images' | 'files' | 'revision'>>();

	return {
		/** Sessions with a draft, oldest draft first. */
		sessions: () =>
			connection.all('SELECT session_id FROM drafts ORDER BY updated_at').map(row => String(row.session_id)),
		get(sessionId: string): StoredDraft | undefined {
			const row = connection.get(selectDraft, sessionId);
			return row && toDraft(row);
		},
		/**
		 * Saves a draft based on revision `known`. The text of another revision, which another program has stored since, goes
		 * to the history unless the draft contains it; it is returned as `displaced`.
		 */
		put(
			sessionId: string,
			draft: DraftContent & {readonly updatedAt: number},
			known?: string,
		): {readonly revision: string; readonly displaced?: string} {
			const {text, images, files, folds, updatedAt} = draft;
			const revision = randomId();
			const displaced = connection.write('full', () => {
				const before = connection.get('SELECT revision, text FROM drafts WHERE session_id = ?', sessionId);
				const theirs = before === undefined || before.revision === known ? '' : String(before.text);
				const isDisplaced = !text.includes(theirs);
				if (isDisplaced) history.add(sessionId, theirs);
				connection.upsert('drafts', ['session_id'], {
					session_id: sessionId,
					text,
					updated_at: updatedAt,
					folds: folds === undefined ? null : JSON.stringify(folds),
					revision,
				});
				const last = lastWritten.get(sessionId);
				const isOurs = last !== undefined && last.revision === before?.revision;
				if (!isOurs || last.images !== images || last.files !== files)
					connection.upsert('draft_attachments', ['session_id'], {
						session_id: sessionId,
						images: JSON.stringify(images),
						files: JSON.stringify(files),
					});
				return isDisplaced ? theirs : undefined;
			});
			lastWritten.set(sessionId, {images, files, revision});
			return {revision, displaced};
		},
		/** Removes nothing if another revision is stored. */
		remove(sessionId: string, known: string | undefined): void {
			connection.write('full', () => {
				const removed = connection.run(
					'DELETE FROM drafts WHERE session_id = ? AND revision = ?',
					sessionId,
					known ?? null,
				);
				if (removed > 0) connection.run('DELETE FROM draft_attachments WHERE session_id = ?', sessionId);
			});
		},
	};
}

function toDraft(row: Row): StoredDraft {
	return {
		text: String(row.text),
		images: fromJson<DraftContent['images']>(row.images) ?? [],
		files: fromJson<DraftContent['files']>(row.files) ?? [],
		folds: row.folds === null ? undefined : (fromJson<DraftContent['folds']>(row.folds) ?? []),
		updatedAt: Number(row.updated_at),
		revision: String(row.revision),
	};
}

/** Maximum number of stored texts per session, and in total. */
const maxTexts = {session: 500, all: 5000} as const;

/** Texts sent from the composers, and drafts that another program's replaced; oldest first, without duplicates. */
export function historyTable(connection: Connection) {
	const texts = (rows: readonly {readonly text?: unknown}[]) => rows.map(({text}) => String(text)).reverse();
	return {
		ofSession: (sessionId: string) =>
			texts(
				connection.all(
					'SELECT text FROM history WHERE session_id = ? ORDER BY sequence DESC LIMIT ?',
					sessionId,
					maxTexts.session,
				),
			),
		ofOthers: (sessionId: string) =>
			texts(
				connection.all(
					'SELECT text, max(sequence) AS newest FROM history WHERE session_id <> ? GROUP BY text ORDER BY newest DESC LIMIT ?',
					sessionId,
					maxTexts.session,
				),
			),
		add(sessionId: string, text: string): void {
			connection.write('normal', () => {
				connection.run('DELETE FROM history WHERE session_id = ? AND text = ?', sessionId, text);
				connection.run('INSERT INTO history (session_id, text) VALUES (?, ?)', sessionId, text);
				connection.run(
					'DELETE FROM history WHERE sequence <= (SELECT max(sequence) FROM history) - ?',
					maxTexts.all,
				);
			});
		},
	};
}
