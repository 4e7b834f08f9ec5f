import type {DatabaseSync} from 'node:sqlite';
import type {ReadinessReport} from '../../domain/organization/readiness.ts';
import {rowAs, rowInserter, rowReader} from './row.ts';

type StoredReport = {readonly seq: number; readonly report: ReadinessReport};

export function createReadinessTable(database: DatabaseSync) {
	const has = database.prepare('SELECT 1 FROM readiness_reports WHERE repo_url = ? AND state = ?');
	const insert = rowInserter(database, 'readiness_reports', 'ON CONFLICT DO NOTHING');
	const select = database.prepare('SELECT * FROM readiness_reports WHERE id = ?');
	const list = database.prepare('SELECT * FROM readiness_reports WHERE seq < ? ORDER BY seq DESC');
	const toReport = rowReader<StoredReport>({report: 'json'});
	return {
		has: (repoUrl: string, state: string) => has.get(repoUrl, state) !== undefined,
		add(repoUrl: string, state: string, report: ReadinessReport): void {
			insert({id: report.reportId, repoUrl, state, report, createdAt: report.createdAt ?? Date.now()});
		},
		get: (reportId: string) => rowAs(select.get(reportId), toReport),
		/** Newest first, older than the seq `before`. */
		list: (before: number | undefined) => list.all(before ?? Number.MAX_SAFE_INTEGER).map(toReport),
	};
}
