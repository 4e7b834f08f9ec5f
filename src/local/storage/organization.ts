import type {DatabaseSync} from 'node:sqlite';
import type {ReadinessReport} from '../../domain/organization/readiness.ts';
import {rowAs, rowInserter, rowReader} from './row.ts';

/** A state of the settings file. `updatedAt` is Unix ms. */
type StoredRevision = {
	readonly revision: number;
	readonly settings: Record<string, unknown>;
	readonly updatedAt: number;
};

export function createControlTable(database: DatabaseSync) {
	const insert = database.prepare(
		`INSERT INTO control_revisions (revision, settings, updated_at)
		VALUES ((SELECT coalesce(max(revision), 0) + 1 FROM control_revisions), ?, ?)`,
	);
	const list = database.prepare(
		'SELECT * FROM control_revisions WHERE revision < ? ORDER BY revision DESC LIMIT ?',
	);
	const toRevision = rowReader<StoredRevision>({settings: 'json'});
	const read = (before: number | undefined, limit: number) =>
		list.all(before ?? Number.MAX_SAFE_INTEGER, limit).map(toRevision);
	return {
		latest: () => read(undefined, 1)[0],
		add: (settings: Record<string, unknown>, at: number) => void insert.run(JSON.stringify(settings), at),
		/** Newest first, older than the revision `before`. */
		list: read,
	};
}

type StoredReport = {readonly seq: number; readonly report: ReadinessReport};

export function createReadinessTable(database: DatabaseSync) {
	const has = database.prepare('SELECT 1 FROM readiness_reports WHERE repo_url = ? AND state = ?');
	const insert = rowInserter(database, 'readiness_reports', 'ON CONFLICT DO NOTHING');
	const select = database.prepare('SELECT * FROM readiness_reports WHERE id = ?');
	const list = database.prepare('SELECT * FROM readiness_reports WHERE seq < ? ORDER BY seq DESC');
	const toReport = rowReader<StoredReport>({report: 'json'});
	return {
		/** Whether there is a report on this repository in this state. */
		has: (repoUrl: string, state: string) => has.get(repoUrl, state) !== undefined,
		add(repoUrl: string, state: string, report: ReadinessReport): void {
			insert({id: report.reportId, repoUrl, state, report, createdAt: report.createdAt ?? Date.now()});
		},
		get: (reportId: string) => rowAs(select.get(reportId), toReport),
		/** Newest first, older than the seq `before`. */
		list: (before: number | undefined) => list.all(before ?? Number.MAX_SAFE_INTEGER).map(toReport),
	};
}
