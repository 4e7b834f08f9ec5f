import type {Connection} from './connection.ts';
import type {Database, KeptDraft} from './database.ts';
import {fromJson} from './json.ts';

/**
 * A draft is saved a few times a second while it is typed: its attachments, which may be large, only when they have
 * changed, or when someone else has written the draft since.
 */
export function draftsTable(connection: Connection): Database['drafts'] {
	const written = new Map<string, Omit<KeptDraft, 'text' | 'folds'>>();
	return {
		get(sessionId) {
			const row = connection.get(
				'SELECT text, updated_at, folds, images, files FROM drafts LEFT JOIN draft_attachments USING (session_id) WHERE session_id = ?',
				sessionId,
			);
			if (!row) return undefined;
			return {
				text: String(row.text),
				images: fromJson<KeptDraft['images']>(row.images) ?? [],
				files: fromJson<KeptDraft['files']>(row.files) ?? [],
				...(row.folds !== null && {folds: fromJson<KeptDraft['folds']>(row.folds) ?? []}),
				updatedAt: Number(row.updated_at),
			};
		},
		put(sessionId, {text, images, files, folds, updatedAt}) {
			connection.write('full', () => {
				const before = connection.get('SELECT updated_at FROM drafts WHERE session_id = ?', sessionId);
				connection.run(
					'INSERT INTO drafts (session_id, text, updated_at, folds) VALUES (?, ?, ?, ?) ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at, folds = excluded.folds',
					sessionId,
					text,
					updatedAt,
					folds === undefined ? null : JSON.stringify(folds),
				);
				const last = written.get(sessionId);
				const isOurs = last !== undefined && last.updatedAt === before?.updated_at;
				if (isOurs && last.images === images && last.files === files) return;
				connection.run(
					'INSERT INTO draft_attachments (session_id, images, files) VALUES (?, ?, ?) ON CONFLICT (session_id) DO UPDATE SET images = excluded.images, files = excluded.files',
					sessionId,
					JSON.stringify(images),
					JSON.stringify(files),
				);
			});
			written.set(sessionId, {images, files, updatedAt});
		},
		remove(sessionId) {
			connection.write('full', () => {
				connection.run('DELETE FROM drafts WHERE session_id = ?', sessionId);
				connection.run('DELETE FROM draft_attachments WHERE session_id = ?', sessionId);
			});
			written.delete(sessionId);
		},
	};
}
