import {reportsOf} from '../api/pages.ts';
import type {Service} from '../api/service.ts';
import type {ReadinessReport} from '../domain/readiness.ts';
import {repositoriesOf} from '../domain/readiness-repositories.ts';
import {type CriterionScore, passShareOf, scoresOf} from '../domain/readiness-score.ts';
import {
	criterionColumns,
	type ReportRow,
	reportColumns,
	reportObject,
} from '../domain/sheets/readiness-sheets.ts';
import {percent, signedPoints} from '../text/numbers.ts';
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
	if (output.isJson) printObjects(context, rows.map(reportObject));
	else if (repoId !== undefined && isLatest && first)
		printSheet(context, {columns: criterionSheet(), rows: scoresOf(first.report)});
	else printSheet(context, {columns: reportSheet(clock.now(), isLatest), rows});
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

/** How the columns look to people: shares in percent, times as ages. */
function reportSheet(now: number, isLatest: boolean): SheetColumn<ReportRow>[] {
	const looks: Readonly<Record<string, Partial<SheetColumn<ReportRow>>>> = {
		repository: {grow: true},
		created_at: {
			show: ({report}) => age(report.createdAt === undefined ? undefined : now - report.createdAt),
		},
		passed: {isNumber: true},
		of: {isNumber: true},
		share: {isNumber: true, show: ({report}) => percent(passShareOf(report).share)},
		change: {isNumber: true, show: ({repository}) => signedPoints(repository?.change)},
	};
	return reportColumns
		.filter(({name}) => isLatest || name !== 'change')
		.map(column => ({...column, ...looks[column.name]}));
}

function criterionSheet(): SheetColumn<CriterionScore>[] {
	const looks: Readonly<Record<string, Partial<SheetColumn<CriterionScore>>>> = {
		numerator: {isNumber: true},
		denominator: {isNumber: true},
		rationale: {grow: true},
	};
	return criterionColumns.map(column => ({...column, ...looks[column.name]}));
}
