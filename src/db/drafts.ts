import {randomId} from '../../hooks/random-id.ts';
import type {DraftImage} from '../domain/messages/attachment.ts';
import type {FileAttachment} from '../domain/messages/message.ts';
import type {CollapsedRange} from '../domain/messages/timeline.ts';
import type {Connection, Row} from './file/connection.ts';
import {fromJson} from './file/json.ts';

/** A session's unsent draft. */
export type DraftContent = {
	readonly text: string;
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	/** Collapsed parts of the text: [start, end] in UTF-16 units, in order. */
	readonly folds?: readonly CollapsedRange[];
};

/** A draft as stored. `revision` changes with each save by any program. */
export type StoredDraft = DraftContent & {readonly updatedAt: number; readonly revision: string};

const selectDraft =
	'SELECT text, updated_at, revision, folds, images, files FROM drafts LEFT JOIN draft_attachments USING (session_id) WHERE session_id = ?';

const selectSessions = `SELECT session_id FROM (
	SELECT session_id, updated_at FROM drafts UNION ALL SELECT session_id, 0 FROM other_drafts
) GROUP BY session_id ORDER BY max(updated_at)`;

/**
 * Drafts are saved while typing: their attachments, which can be large, only when they changed. Two programs may
 * write to one session: neither overwrites or removes a draft it hasn't seen.
 */
export function draftsTable(connection: Connection) {
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

	/**
	 * Saves a draft based on revision `known`. If another revision is stored by now, it becomes one of the
	 * session's other drafts and is returned as `displaced`.
	 */
	function put(
		sessionId: string,
		draft: DraftContent & {readonly updatedAt: number},
		known?: string,
	): {readonly revision: string; readonly displaced?: DraftContent} {
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
		return {revision, displaced};
	}

	return {
		/** Sessions with a draft, oldest draft first, after those that only have other drafts. */
		sessions: () => connection.all(selectSessions).map(row => String(row.session_id)),
		get,
		put,
		/** False, removing nothing, if another revision with content other than `sent` is stored. */
		remove(sessionId: string, known: string | undefined, sent?: DraftContent): boolean {
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
		/** The session's other drafts, oldest first. */
		others: (sessionId: string): DraftContent[] =>
			connection
				.all('SELECT body FROM other_drafts WHERE session_id = ? ORDER BY sequence', sessionId)
				.flatMap(row => fromJson<DraftContent>(row.body) ?? []),
		addOther(sessionId: string, draft: DraftContent): void {
			connection.write('full', () => addOther(sessionId, draft));
		},
		/** Makes the oldest other draft the draft, replacing revision `known`; `draft` becomes the newest other. */
		swap(
			sessionId: string,
			draft: DraftContent | undefined,
			updatedAt: number,
			known: string | undefined,
		): StoredDraft | undefined {
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
