import {reportsOf} from '../api/pages.ts';
import type {Service} from '../api/service.ts';
import type {ReadinessReport} from '../domain/readiness.ts';
import {type RepositoryReadiness, repositoriesOf} from '../domain/readiness-repositories.ts';
import {type CriterionScore, passShareOf, scoresOf} from '../domain/readiness-score.ts';
import {repositoryKey} from '../domain/repository-key.ts';
import {percent, signedPercent} from '../text/numbers.ts';
import {age} from '../text/times.ts';
import {completeness} from './collect.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes} from './exit-codes.ts';
import {createProgress} from './progress.ts';
import {checkFormat, printObjects, printSheet, type SheetColumn} from './sheet.ts';

/**
 * Readiness reports, newest first; with `--latest` the newest of each repository, least ready first. The newest report
 * of one repository is shown by its criteria, failing first.
 */
export async function readiness(context: CommandContext): Promise<ExitCode> {
	const {flags, output, wiring, clock} = context;
	checkFormat(context);
	const repoId = flags.text('repo');
	const isLatest = flags.is('latest');
	const service = await (await wiring()).connect();
	const {reports, skipped} = await read(context, service, repoId, isLatest);
	const repositories = repositoriesOf(reports);
	if (repoId !== undefined && reports.length === 0) {
		output.note(`there is no readiness report of ${repoId}`);
		return exitCodes.notFound;
	}
	const rows = isLatest
		? repositories.map(one => ({report: one.latest, repository: one}))
		: [...new Map(reports.map(report => [report.reportId, report])).values()].map(report => ({
				report,
				repository: undefined,
			}));
	const [first] = rows;
	if (output.isJson) printObjects(context, rows.map(reportJson));
	else if (repoId !== undefined && isLatest && first)
		printSheet(context, {columns: criterionColumns, rows: scoresOf(first.report)});
	else printSheet(context, {columns: reportColumns(clock.now(), isLatest), rows});
	return completeness(context, {skipped, isWhole: true});
}

async function read(
	{clock, signal}: CommandContext,
	service: Service,
	repoId: string | undefined,
	isLatest: boolean,
): Promise<{readonly reports: readonly ReadinessReport[]; readonly skipped: number}> {
	const filter = repoId === undefined ? {} : {repoId};
	if (repoId !== undefined && isLatest) {
		// The contract's own way to the latest report of one repository (4.1).
		const {items, skipped} = await service.readiness.list({...filter, limit: 1}, {signal});
		return {reports: items.slice(0, 1), skipped};
	}
	const progress = createProgress(process.stderr, clock);
	const reports: ReadinessReport[] = [];
	let skipped = 0;
	try {
		for await (const page of reportsOf(service.readiness.list, {...filter, limit: pageSize}, {signal})) {
			for (const report of page.items) reports.push(report);
			skipped += page.skipped;
			progress.tell(`reading readiness reports: ${reports.length}`);
		}
	} finally {
		progress.end();
	}
	return {reports, skipped};
}

const pageSize = 50;

type ReportRow = {readonly report: ReadinessReport; readonly repository: RepositoryReadiness | undefined};

function reportColumns(now: number, isLatest: boolean): SheetColumn<ReportRow>[] {
	const change: SheetColumn<ReportRow> = {
		name: 'change',
		isNumber: true,
		value: ({repository}) => repository?.change,
		show: ({repository}) => signedPercent(repository?.change),
	};
	return [
		{name: 'report_id', value: ({report}) => report.reportId},
		{name: 'repository', grow: true, value: ({report}) => report.repoUrl},
		{
			name: 'created_at',
			value: ({report}) =>
				report.createdAt === undefined ? undefined : new Date(report.createdAt).toISOString(),
			show: ({report}) => age(report.createdAt === undefined ? undefined : now - report.createdAt),
		},
		{name: 'passed', isNumber: true, value: ({report}) => passShareOf(report).passed},
		{name: 'of', isNumber: true, value: ({report}) => passShareOf(report).of},
		{
			name: 'share',
			isNumber: true,
			value: ({report}) => passShareOf(report).share,
			show: ({report}) => percent(passShareOf(report).share),
		},
		...(isLatest ? [change] : []),
		{name: 'branch', value: ({report}) => report.branch},
		{name: 'commit', value: ({report}) => report.commitHash?.slice(0, 12)},
		{name: 'local_changes', value: ({report}) => report.hasLocalChanges},
		{name: 'unpushed', value: ({report}) => report.hasNonRemoteCommits},
		{name: 'model', value: ({report}) => report.modelUsed?.id},
	];
}

const criterionColumns: readonly SheetColumn<CriterionScore>[] = [
	{name: 'criterion', value: ({id}) => id},
	{name: 'state', value: ({state, isOdd}) => (isOdd ? `${state} (odd numbers)` : state)},
	{name: 'numerator', isNumber: true, value: ({numerator}) => numerator},
	{name: 'denominator', isNumber: true, value: ({denominator}) => denominator},
	{name: 'rationale', grow: true, value: ({rationale}) => rationale},
];

function reportJson({report, repository}: ReportRow): object {
	return {
		...report,
		quarterdeck: {
			repository: repositoryKey(report.repoUrl ?? ''),
			...passShareOf(report),
			...(repository?.change !== undefined && {change: repository.change}),
		},
	};
}
