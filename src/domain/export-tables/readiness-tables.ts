import {
	type CriterionAcross,
	type CriterionScore,
	compareReports,
	passShareOf,
	type ReadinessReport,
	type RepositoryReadiness,
	repositoryKey,
	scoresOf,
} from '../organization/readiness.ts';
import {unreadableOf} from '../unreadable.ts';
import {createExportTable, type ExportColumn, type ExportTable} from './export-table.ts';

/** A report, with its repository when only the newest report of each repository is listed. */
export type ReportRow = {
	readonly report: ReadinessReport;
	readonly repository: RepositoryReadiness | undefined;
};

/** Columns of a list of reports. `share` and `change` are fractions of 1. */
export const reportColumns = [
	{name: 'report_id', value: ({report}) => report.reportId},
	{name: 'repository', value: ({report}) => report.repoUrl},
	{
		name: 'created_at',
		value: ({report}) =>
			report.createdAt === undefined ? undefined : new Date(report.createdAt).toISOString(),
	},
	{name: 'passed', value: ({report}) => passShareOf(report).passed},
	{name: 'of', value: ({report}) => passShareOf(report).of},
	{name: 'share', value: ({report}) => passShareOf(report).share},
	{name: 'change', value: ({repository}) => repository?.change},
	{name: 'branch', value: ({report}) => report.branch},
	{name: 'commit', value: ({report}) => report.commitHash},
	{name: 'local_changes', value: ({report}) => report.hasLocalChanges},
	{name: 'unpushed', value: ({report}) => report.hasNonRemoteCommits},
	{name: 'model', value: ({report}) => report.modelUsed?.id},
	{name: 'reasoning_effort', value: ({report}) => report.modelUsed?.reasoningEffort},
	{name: 'agent_version', value: ({report}) => report.agentVersion},
] as const satisfies readonly ExportColumn<ReportRow>[];

/** Columns of the criteria of one report. */
export const criterionColumns = [
	{name: 'criterion', value: ({id}) => id},
	{name: 'state', value: ({state, isOdd}) => (isOdd ? `${state} (odd numbers)` : state)},
	{name: 'numerator', value: ({numerator}) => numerator},
	{name: 'denominator', value: ({denominator}) => denominator},
	{name: 'rationale', value: ({rationale}) => rationale},
] as const satisfies readonly ExportColumn<CriterionScore>[];

/** A report with all contract fields. */
export function reportObject({report, repository}: ReportRow): object {
	return {
		...report,
		quarterdeck: {
			repository: repositoryKey(report.repoUrl ?? ''),
			...passShareOf(report),
			...(repository?.change !== undefined && {change: repository.change}),
			...unreadableOf(report),
		},
	};
}

/** The newest report of each repository, in the given order. */
export function repositoriesTable(repositories: readonly RepositoryReadiness[]): ExportTable {
	const rows = repositories.map((repository): ReportRow => ({report: repository.latest, repository}));
	return createExportTable('repositories', reportColumns, rows, reportObject);
}

/** All reports of a repository, newest first. */
export function reportsTable(reports: readonly ReadinessReport[]): ExportTable {
	const rows = reports.map((report): ReportRow => ({report, repository: undefined}));
	return createExportTable('reports', reportColumns, rows, reportObject);
}

/** One report: its criteria, failing first, and its applications. */
export function reportTables(report: ReadinessReport): ExportTable[] {
	return [
		createExportTable('criteria', criterionColumns, scoresOf(report)),
		createExportTable(
			'applications',
			[
				{name: 'path', value: ([path]) => path},
				{name: 'description', value: ([, {description}]) => description},
			],
			Object.entries(report.apps ?? {}),
		),
	];
}

/** One row per criterion, with its state in each repository. */
export function criteriaTable(
	criteria: readonly CriterionAcross[],
	repositories: readonly RepositoryReadiness[],
): ExportTable {
	return createExportTable(
		'criteria',
		[
			{name: 'criterion', value: ({id}: CriterionAcross) => id},
			{name: 'failing', value: ({failing}) => failing},
			{name: 'evaluated', value: ({evaluated}) => evaluated},
			...repositories.map(({key}, index) => ({
				name: key,
				value: ({scores}: CriterionAcross) => scores[index]?.state,
			})),
		],
		criteria,
		({id, scores, failing, evaluated}) => ({
			criterion: id,
			repositories: repositories.flatMap(({key}, index) => {
				const {id: _, ...score} = scores[index] ?? {};
				return scores[index] ? [{repository: key, ...score}] : [];
			}),
			quarterdeck: {failing, evaluated},
		}),
	);
}

/** Changes between two reports, in display order. */
export function comparisonTable(before: ReadinessReport, after: ReadinessReport): ExportTable {
	const {newlyPassing, newlyFailing, denominatorChanged, added, removed} = compareReports(before, after);
	const kinds = {
		newly_failing: newlyFailing,
		newly_passing: newlyPassing,
		denominator_changed: denominatorChanged,
		added,
		removed,
	};
	const rows = Object.entries(kinds).flatMap(([kind, changes]) => changes.map(change => ({kind, ...change})));
	return createExportTable(
		'changes',
		[
			{name: 'change', value: ({kind}) => kind},
			{name: 'criterion', value: ({id}) => id},
			{name: 'state_before', value: row => row.before?.state},
			{name: 'numerator_before', value: row => row.before?.numerator},
			{name: 'denominator_before', value: row => row.before?.denominator},
			{name: 'state', value: row => row.after?.state},
			{name: 'numerator', value: row => row.after?.numerator},
			{name: 'denominator', value: row => row.after?.denominator},
			{name: 'rationale', value: row => row.after?.rationale},
		],
		rows,
	);
}
