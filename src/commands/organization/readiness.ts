import {reportsOf, type WalkEnd} from '../../api/pages.ts';
import type {Service} from '../../api/service.ts';
import {
	criterionColumns,
	type ReportRow,
	reportColumns,
	reportObject,
} from '../../domain/export-tables/readiness-tables.ts';
import {
	type CriterionScore,
	passShareOf,
	type ReadinessReport,
	repositoriesOf,
	repositoryKey,
	scoresOf,
} from '../../domain/organization/readiness.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {percent, signedPoints} from '../../text/values/numbers.ts';
import {age} from '../../text/values/times.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, NothingFoundError} from '../cli/errors.ts';
import {completeness, printPages} from '../output/print-pages.ts';
import {
	checkFormat,
	createRowFormatter,
	limitOf,
	type OutputColumn,
	printRows,
	withLooks,
} from '../output/print-rows.ts';
import {createProgress} from '../output/progress.ts';

/**
 * Prints readiness reports, newest first. `--latest` prints the newest of each repository, least ready first.
 * The newest report of a single repository lists its criteria, failing ones first.
 */
export async function readiness(context: CommandContext): Promise<ExitCode> {
	const {flags, output, wiring, clock, signal} = context;
	checkFormat(context);
	const repoId = flags.text('repo');
	const isLatest = flags.is('latest');
	const service = await (await wiring()).connect();
	const filter = repoId === undefined ? {} : {repoId};
	const nothing = repoId === undefined ? undefined : `there is no readiness report for ${repoId}`;
	const form = {columns: reportColumnsFor(clock.now(), isLatest), objectOf: reportObject};
	const limit = Math.min(pageSize, limitOf(context));
	if (!isLatest)
		return printPages(context, {
			what: 'readiness reports',
			pages: reportsOf(service.readiness.list, {...filter, limit}, {signal}),
			rowsOf: reports => reports.map((report): ReportRow => ({report, repository: undefined})),
			linesOf: createRowFormatter(context, form),
			nothing,
		});
	if (repoId === undefined) {
		const {reports, skipped, isWhole} = await readLatest(context, service);
		const rows = repositoriesOf(reports).map(one => ({report: one.latest, repository: one}));
		await printRows(context, form, rows, limitOf(context));
		return completeness(context, {skipped, isWhole});
	}
	// The contract's way to get one repository's latest report.
	const {items, skipped} = await service.readiness.list({...filter, limit: 1}, {signal});
	const [report] = items;
	const [repository] = repositoriesOf(items.slice(0, 1));
	if (!report || !repository) throw new NothingFoundError(nothing ?? '');
	if (output.isJson) await printRows(context, form, [{report, repository}]);
	else
		await printRows(
			context,
			{columns: scoreColumns, objectOf: score => score},
			scoresOf(report),
			limitOf(context),
		);
	return completeness(context, {skipped, isWhole: true});
}

/** Bound on the newest reports of all repositories, in UTF-16 units of JSON. */
const maxSize = 256 * 1024 * 1024;

/**
 * Reads every report, keeping the two newest of each repository: the latest and the one to compare it with.
 */
async function readLatest({clock, signal, output}: CommandContext, service: Service) {
	const progress = createProgress(process.stderr, clock);
	const newest = new Map<string, readonly ReadinessReport[]>();
	const pages = reportsOf(service.readiness.list, {limit: pageSize}, {signal});
	let read = 0;
	let skipped = 0;
	let size = 0;
	let end: WalkEnd | undefined;
	try {
		while (end === undefined) {
			const {value, done} = await pages.next();
			if (done) {
				end = value;
				break;
			}
			for (const report of value.items) {
				const key = repositoryKey(report.repoUrl ?? '');
				const known = newest.get(key) ?? [];
				const newestTwo = [...known, report]
					.sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))
					.slice(0, 2);
				newest.set(key, newestTwo);
				size += sizeOf(newestTwo) - sizeOf(known);
			}
			read += value.items.length;
			skipped += value.skipped;
			progress.show(`reading readiness reports: ${read}`);
			if (size > maxSize) {
				output.note(`too many reports to compare: only the first ${read} were read`);
				break;
			}
		}
	} finally {
		progress.end();
	}
	return {reports: [...newest.values()].flat(), skipped, isWhole: end === 'end'};
}

function sizeOf(reports: readonly ReadinessReport[]): number {
	return reports.reduce((sum, report) => sum + JSON.stringify(report).length, 0);
}

const pageSize = 50;

/** Column formatting for the table: shares in percent, times as ages. */
function reportColumnsFor(now: number, isLatest: boolean): OutputColumn<ReportRow>[] {
	const columns = reportColumns.filter(({name}) => isLatest || name !== 'change');
	return withLooks<ReportRow>(columns, {
		created_at: {
			show: ({report}) => age(report.createdAt === undefined ? undefined : now - report.createdAt),
		},
		commit: {show: ({report}) => cleanLine(report.commitHash?.slice(0, 12) ?? '-')},
		passed: {isNumber: true},
		of: {isNumber: true},
		share: {isNumber: true, show: ({report}) => percent(passShareOf(report).share)},
		change: {isNumber: true, show: ({repository}) => signedPoints(repository?.change)},
	});
}

const scoreColumns = withLooks<CriterionScore>(criterionColumns, {
	numerator: {isNumber: true},
	denominator: {isNumber: true},
});
