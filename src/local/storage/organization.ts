import type {DatabaseSync} from 'node:sqlite';
import type {ReadinessReport} from '../../domain/organization/readiness.ts';
import type {Row} from './row.ts';

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

type StoredReport = {readonly seq: number; readonly report: ReadinessReport};

export type ReadinessTable = {
	/** Whether there is a report on this repository in this state. */
	has(repoUrl: string, state: string): boolean;
	add(repoUrl: string, state: string, report: ReadinessReport): void;
	get(reportId: string): StoredReport | undefined;
	/** Newest first, older than the seq `before`. */
	list(before: number | undefined): StoredReport[];
};

export function createReadinessTable(database: DatabaseSync): ReadinessTable {
	const has = database.prepare('SELECT 1 FROM readiness_reports WHERE repo_url = ? AND state = ?');
	const insert = database.prepare(
		`INSERT INTO readiness_reports (id, repo_url, state, report, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`,
	);
	const select = database.prepare('SELECT * FROM readiness_reports WHERE id = ?');
	const list = database.prepare('SELECT * FROM readiness_reports WHERE seq < ? ORDER BY seq DESC');
	return {
		has: (repoUrl, state) => has.get(repoUrl, state) !== undefined,
		add(repoUrl, state, report) {
			insert.run(report.reportId, repoUrl, state, JSON.stringify(report), report.createdAt ?? Date.now());
		},
		get(reportId) {
			const row = select.get(reportId);
			return row && toReport(row);
		},
		list: before => list.all(before ?? Number.MAX_SAFE_INTEGER).map(toReport),
	};
}

function toReport(row: Row): StoredReport {
	return {seq: Number(row.seq), report: JSON.parse(String(row.report)) as ReadinessReport};
}
