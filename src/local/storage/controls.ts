import type {DatabaseSync} from 'node:sqlite';

/** A state of the settings file. `updatedAt` is Unix ms. */
type StoredRevision = {
	readonly revision: number;
	readonly settings: Record<string, unknown>;
	readonly updatedAt: number;
};

export type ControlTable = {
	latest(): StoredRevision | undefined;
	add(settings: Record<string, unknown>, at: number): void;
	/** Newest first, older than the revision `before`. */
	list(before: number | undefined, limit: number): StoredRevision[];
};

export function createControlTable(database: DatabaseSync): ControlTable {
	const insert = database.prepare(
		`INSERT INTO control_revisions (revision, settings, updated_at)
		VALUES ((SELECT coalesce(max(revision), 0) + 1 FROM control_revisions), ?, ?)`,
	);
	const list = database.prepare(
		'SELECT * FROM control_revisions WHERE revision < ? ORDER BY revision DESC LIMIT ?',
	);
	const read = (before: number | undefined, limit: number): StoredRevision[] =>
		list.all(before ?? Number.MAX_SAFE_INTEGER, limit).map(row => ({
			revision: Number(row.revision),
			settings: JSON.parse(String(row.settings)) as Record<string, unknown>,
			updatedAt: Number(row.updated_at),
		}));
	return {
		latest: () => read(undefined, 1)[0],
		add(settings, at) {
			insert.run(JSON.stringify(settings), at);
		},
		list: read,
	};
}
