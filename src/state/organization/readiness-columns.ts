import {createExportTable, type ExportTable} from '../../domain/export-table.ts';
import {maskText} from '../../domain/masking.ts';
import {
	type CriterionScore,
	compareReports,
	passShareOf,
	type ReadinessReport,
	type RepositoryReadiness,
	repositoryKey,
	repositoryName,
	scoresOf,
} from '../../domain/organization/readiness.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle, pad} from '../../text/cells/cut.ts';
import {type Line, padLine, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {barLine} from '../../text/charts/bar.ts';
import {percent, signedPoints} from '../../text/values/numbers.ts';
import {age, isoTime} from '../../text/values/times.ts';
import type {Column} from '../rows/column.ts';
import {createRowIndex} from '../rows/row-index.ts';
import {largestFirst} from '../rows/table-rows.ts';

/** A report, with its repository when only the newest report of each repository is listed. */
export type ReportRow = {
	readonly report: ReadinessReport;
	readonly repository?: RepositoryReadiness;
};

/** Columns of ` 100 %` and of `   6/13`, which a narrow table leaves out. */
const [shareWidth, countWidth] = [6, 7] as const;
export const shareColumns = shareWidth + countWidth;
/** A shorter bar is unreadable. */
const minBarWidth = 4;

/** A bar where there is room, the share, and how many of how many pass. */
function shareCell({report}: ReportRow, _: unknown, width: number): Line {
	const {share, passed, of} = passShareOf(report);
	const text = span(percent(share), shareTone(share));
	const room = width - shareColumns;
	if (room < 0 || !Number.isFinite(width)) return [text];
	return [
		...(room < minBarWidth ? [] : padLine(barLine(share ?? 0, room, shareTone(share)), room)),
		...padLine([text], shareWidth, 'end'),
		span(pad(safe`${passed}/${of}`, countWidth, 'end'), 'dim'),
	];
}

/** Columns of a list of reports. `share` and `change` are fractions of 1. */
export const reportColumns: readonly Column<ReportRow>[] = [
	{name: 'report_id', value: ({report}) => report.reportId},
	{
		name: 'repository',
		value: ({report}) => report.repoUrl,
		sortKey: ({report}) => repositoryKey(report.repoUrl ?? ''),
		// On a wide screen, a whole name goes before the branch.
		size: ({width}, widest) => ({
			width: width < 60 ? 22 : Math.max(22, Math.min(width < 80 ? 30 : 48, widest)),
			max: widest,
			rank: 0,
			growAfter: 10,
		}),
		text: nameOf,
		cell: (row, _, width) => [span(cutMiddle(nameOf(row), width))],
	},
	{
		name: 'share',
		title: safe`PASS`,
		isNumber: true,
		value: ({report}) => passShareOf(report).share,
		size: ({width}) =>
			width < 60 ? {width: shareWidth, rank: 1} : {width: shareColumns, max: shareColumns + 14, rank: 1},
		cell: shareCell,
	},
	{name: 'passed', isOnlyCsv: true, value: ({report}) => passShareOf(report).passed},
	{
		name: 'of',
		isNumber: true,
		value: ({report}) => passShareOf(report).of,
		show({report}) {
			const {passed, of} = passShareOf(report);
			return safe`${passed}/${of}`;
		},
	},
	{
		name: 'created_at',
		title: safe`AGE`,
		isNumber: true,
		value: ({report}) => isoTime(report.createdAt),
		// By age: the oldest is the largest.
		sortKey: ({report}) => largestFirst(report.createdAt),
		size: {width: 4, rank: 3},
		cell: ({report: {createdAt}}, {now}) => [
			span(age(createdAt === undefined ? undefined : now - createdAt), 'dim'),
		],
	},
	{
		name: 'change',
		isNumber: true,
		value: ({repository}) => repository?.change,
		size: {width: 7, rank: 4},
		cell({repository: {change} = {}}) {
			return [span(signedPoints(change), !change ? 'dim' : change > 0 ? 'good' : 'bad')];
		},
	},
	{name: 'branch', value: ({report}) => report.branch, size: {width: 14, rank: 6}},
	{
		name: 'commit',
		value: ({report}) => report.commitHash,
		show: ({report}) => cleanLine(report.commitHash?.slice(0, 12) ?? '-'),
	},
	{name: 'local_changes', value: ({report}) => report.hasLocalChanges},
	{name: 'unpushed', value: ({report}) => report.hasNonRemoteCommits},
	{name: 'model', value: ({report}) => report.modelUsed?.id},
	{name: 'reasoning_effort', value: ({report}) => report.modelUsed?.reasoningEffort},
	{name: 'agent_version', value: ({report}) => report.agentVersion},
];

/** Columns of the newest report of each repository. A command doesn't count the reports. */
export const repositoryColumns: readonly Column<ReportRow>[] = [
	...reportColumns,
	{
		name: 'reports',
		isNumber: true,
		value: ({repository}) => repository?.reports.length,
		size: {width: 7, rank: 5},
	},
];

export const repositoryRows = createRowIndex<readonly RepositoryReadiness[], ReportRow>({
	columns: repositoryColumns,
	count: ({length}) => length,
	rowOf: repositoryRow,
	textOf: ({repository}) => repository?.key ?? '',
});

export function repositoryRow(repositories: readonly RepositoryReadiness[], index: number): ReportRow {
	const repository = repositories[index] as RepositoryReadiness;
	return {report: repository.latest, repository};
}

function nameOf({report: {repoUrl = ''}}: ReportRow): Safe {
	return cleanLine(maskText(repositoryName(repoUrl) || repoUrl) || '(no URL)', 200);
}

function shareTone(share: number | undefined): Tone {
	if (share === undefined) return 'dim';
	return share >= 0.8 ? 'good' : share >= 0.5 ? 'warn' : 'bad';
}

export const criterionColumns: readonly Column<CriterionScore>[] = [
	{name: 'criterion', value: ({id}) => id},
	{name: 'state', value: ({state, isOdd}) => (isOdd ? `${state} (odd numbers)` : state)},
	{name: 'numerator', isNumber: true, value: ({numerator}) => numerator},
	{name: 'denominator', isNumber: true, value: ({denominator}) => denominator},
	{name: 'rationale', value: ({rationale}) => rationale},
];

export function reportObject({report, repository}: ReportRow): object {
	return {
		...report,
		quarterdeck: {
			repository: repositoryKey(report.repoUrl ?? ''),
			...passShareOf(report),
			change: repository?.change,
		},
	};
}

export function reportsTable(name: string, rows: readonly ReportRow[]): ExportTable {
	return createExportTable(name, reportColumns, rows, reportObject);
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
