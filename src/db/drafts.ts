import {randomId} from '../../hooks/random-id.ts';
import type {Connection, Row} from './connection.ts';
import type {Database, DraftContent, StoredDraft} from './database.ts';
import {fromJson} from './json.ts';

type SavedDraft = ReturnType<Database['drafts']['put']>;

const selectDraft =
	'SELECT text, updated_at, revision, folds, images, files FROM drafts LEFT JOIN draft_attachments USING (session_id) WHERE session_id = ?';

/** Drafts are saved while typing: their attachments, which can be large, only when they changed. */
export function draftsTable(connection: Connection): Database['drafts'] {
	const lastWritten = new Map<string, Pick<StoredDraft, 'images' | 'files' | 'revision'>>();

	function get(sessionId: string): StoredDraft | undefined {
		const row = connection.get(selectDraft, sessionId);
		return row && toDraft(row);
	}

	/** Call only inside a write. */
	function addOther(sessionId: string, draft: DraftContent): void {
		removeOlder(sessionId, draft);
		const {text, images, files, folds} = draft;
		const body = JSON.stringify({text, images, files, folds});
		connection.run('INSERT OR IGNORE INTO other_drafts (session_id, body) VALUES (?, ?)', sessionId, body);
	}

	/** Call only inside a write. Two programs displace each other's growing texts: keeps only the newest. */
	function removeOlder(sessionId: string, draft: DraftContent): void {
		const rows = connection.all('SELECT sequence, body FROM other_drafts WHERE session_id = ?', sessionId);
		for (const {sequence, body} of rows) {
			const other = fromJson<DraftContent>(body);
			if (other && draft.text.startsWith(other.text) && isSame({...other, text: draft.text}, draft))
				connection.run('DELETE FROM other_drafts WHERE sequence = ?', Number(sequence));
		}
	}

	function put(
		sessionId: string,
		draft: DraftContent & {readonly updatedAt: number},
		known?: string,
	): SavedDraft {
		const {text, images, files, folds, updatedAt} = draft;
		const revision = randomId();
		const displaced = connection.write('full', () => {
			const before = connection.get('SELECT revision FROM drafts WHERE session_id = ?', sessionId)?.revision;
			const current = before === undefined || before === known ? undefined : get(sessionId);
			const replaced = current && !isSame(current, draft) ? current : undefined;
			if (replaced) {
				addOther(sessionId, replaced);
				removeOlder(sessionId, draft);
			}
			connection.upsert('drafts', ['session_id'], {
				session_id: sessionId,
				text,
				updated_at: updatedAt,
				folds: folds === undefined ? null : JSON.stringify(folds),
				revision,
			});
			const last = lastWritten.get(sessionId);
			const isOurs = last !== undefined && last.revision === before;
			if (!isOurs || last.images !== images || last.files !== files)
				connection.upsert('draft_attachments', ['session_id'], {
					session_id: sessionId,
					images: JSON.stringify(images),
					files: JSON.stringify(files),
				});
			return replaced;
		});
		lastWritten.set(sessionId, {images, files, revision});
		return {revision, ...(displaced && {displaced})};
	}

	return {
		sessions: () =>
			connection.all('SELECT session_id FROM drafts ORDER BY updated_at').map(row => String(row.session_id)),
		get,
		put,
		remove(sessionId, known, sent) {
			return connection.write('full', () => {
				const before = connection.get(
					'SELECT revision FROM drafts WHERE session_id = ?',
					sessionId,
				)?.revision;
				if (before !== undefined && before !== known) {
					const stored = sent && get(sessionId);
					if (!sent || !stored || !isSame(stored, sent)) return false;
				}
				connection.run('DELETE FROM drafts WHERE session_id = ?', sessionId);
				connection.run('DELETE FROM draft_attachments WHERE session_id = ?', sessionId);
				lastWritten.delete(sessionId);
				return true;
			});
		},
		others: sessionId =>
			connection
				.all('SELECT body FROM other_drafts WHERE session_id = ? ORDER BY sequence', sessionId)
				.flatMap(row => fromJson<DraftContent>(row.body) ?? []),
		addOther(sessionId, draft) {
			connection.write('full', () => addOther(sessionId, draft));
		},
		swap(sessionId, draft, updatedAt, known) {
			return connection.write('full', () => {
				const row = connection.get(
					'SELECT sequence, body FROM other_drafts WHERE session_id = ? ORDER BY sequence LIMIT 1',
					sessionId,
				);
				const other = fromJson<DraftContent>(row?.body);
				if (!row || !other) return undefined;
				connection.run('DELETE FROM other_drafts WHERE sequence = ?', Number(row.sequence));
				if (draft) addOther(sessionId, draft);
				const {revision} = put(sessionId, {...other, updatedAt}, known);
				return {...other, updatedAt, revision};
			});
		},
	};
}

function toDraft(row: Row): StoredDraft {
	return {
		text: String(row.text),
		images: fromJson<DraftContent['images']>(row.images) ?? [],
		files: fromJson<DraftContent['files']>(row.files) ?? [],
		...(row.folds !== null && {folds: fromJson<DraftContent['folds']>(row.folds) ?? []}),
		updatedAt: Number(row.updated_at),
		revision: String(row.revision),
	};
}

/** Compares content only: folds are presentation. */
function isSame(a: DraftContent, b: DraftContent): boolean {
	return a.text === b.text && JSON.stringify([a.images, a.files]) === JSON.stringify([b.images, b.files]);
}
