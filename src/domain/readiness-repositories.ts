import {maskText} from './masking.ts';
import type {ReadinessReport} from './readiness.ts';
import {type PassShare, passShareOf} from './readiness-score.ts';
import {repositoryKey} from './repository-key.ts';

/** One repository and its reports. */
export type RepositoryReadiness = {
	readonly key: string;
	/** Its URL from the newest report, without credentials. */
	readonly url: string;
	/** Newest first. */
	readonly reports: readonly ReadinessReport[];
	readonly latest: ReadinessReport;
	readonly score: PassShare;
	/**
	 * Pass rate of each report, oldest first; `at` is Unix ms. Reports without a readable score are left out.
	 */
	readonly trend: readonly {readonly at: number | undefined; readonly share: number}[];
	/** Change in pass rate since the previous report: -0.1 is ten points lower. */
	readonly change: number | undefined;
};

/**
 * Groups reports by repository, least ready first; duplicates are dropped and unreadable scores come last.
 */
export function repositoriesOf(reports: Iterable<ReadinessReport>): RepositoryReadiness[] {
	const unique = new Map<string, ReadinessReport>();
	for (const report of reports) if (!unique.has(report.reportId)) unique.set(report.reportId, report);
	const groups = Map.groupBy(unique.values(), ({repoUrl}) => repositoryKey(repoUrl ?? ''));
	return [...groups]
		.flatMap(([key, group]) => {
			// The service lists newest first; keep its order where times are equal or missing.
			const ordered = group.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
			const [latest, before] = ordered;
			if (!latest) return [];
			const score = passShareOf(latest);
			const past = before && passShareOf(before).share;
			return [
				{
					key,
					url: maskText(latest.repoUrl ?? ''),
					reports: ordered,
					latest,
					score,
					trend: trendOf(ordered),
					change: score.share === undefined || past === undefined ? undefined : score.share - past,
				},
			];
		})
		.sort((a, b) => (a.score.share ?? 2) - (b.score.share ?? 2) || (a.key < b.key ? -1 : 1));
}

function trendOf(reports: readonly ReadinessReport[]): RepositoryReadiness['trend'] {
	return reports.toReversed().flatMap(report => {
		const {share} = passShareOf(report);
		return share === undefined ? [] : [{at: report.createdAt, share}];
	});
}
