import {reportsOf} from '../../api/pages.ts';
import {repositoriesOf, scoresOf} from '../../domain/organization/readiness.ts';
import {
	criterionColumns,
	type ReportRow,
	reportColumns,
	reportObject,
} from '../../state/organization/readiness-columns.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, NothingFoundError} from '../cli/errors.ts';
import {completeness, keepItems, printPages} from '../output/print-pages.ts';
import {checkFormat, createRowFormatter, limitOf, outputColumns, printRows} from '../output/print-rows.ts';
import {strings} from './strings.ts';

/** Prints readiness reports, newest first. `--latest` prints the newest of each repository, least ready first. */
export async function readiness(context: CommandContext): Promise<ExitCode> {
	const {flags, output, wiring, clock, signal} = context;
	checkFormat(context);
	const repoId = flags.text('repo');
	const isLatest = flags.is('latest');
	const service = await (await wiring()).connect();
	const filter = repoId === undefined ? {} : {repoId};
	const noMatches = repoId === undefined ? undefined : strings.readiness.none(repoId);
	const columns = reportColumns.filter(({name}) => isLatest || name !== 'change');
	const format = {columns: outputColumns(columns, {now: clock.now()}), objectOf: reportObject};
	const limit = isLatest ? pageSize : Math.min(pageSize, limitOf(context));
	const list = {
		what: 'readiness reports',
		pages: reportsOf(service.readiness.list, {...filter, limit}, {signal}),
		linesOf: createRowFormatter(context, format),
		none: strings.readiness.noReports,
		noMatches,
	};
	if (!isLatest)
		return printPages(context, {
			...list,
			rowsOf: reports => reports.map((report): ReportRow => ({report})),
		});
	if (repoId === undefined) {
		const {items, ...kept} = keepItems(list.pages);
		return printPages(context, {
			...list,
			...kept,
			lastRows: () => repositoriesOf(items).map(one => ({report: one.latest, repository: one})),
		});
	}
	// The contract's way to get one repository's latest report.
	const {items, skipped} = await service.readiness.list({...filter, limit: 1}, {signal});
	const [report] = items;
	const [repository] = repositoriesOf(items.slice(0, 1));
	if (!report || !repository) throw new NothingFoundError(noMatches ?? '');
	if (output.isJson) await printRows(context, format, [{report, repository}]);
	else
		await printRows(
			context,
			{columns: outputColumns(criterionColumns, {now: clock.now()}), objectOf: score => score},
			scoresOf(report),
			limitOf(context),
		);
	return completeness(context, skipped);
}

const pageSize = 50;
