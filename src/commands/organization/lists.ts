import {addNew, pagesOf, reportsOf} from '../../api/pages.ts';
import {pageLimit} from '../../domain/limits.ts';
import {
	differencesOf,
	isAbout,
	type RevisionDifference,
	settingsInForce,
} from '../../domain/organization/controls.ts';
import {repositoriesOf, scoresOf} from '../../domain/organization/readiness.ts';
import {listedUser, type User} from '../../domain/organization/user.ts';
import {
	type ControlRow,
	controlColumns,
	controlRows,
	differenceObject,
	inForceObject,
	settingColumns,
	withChangesTo,
} from '../../state/organization/control-columns.ts';
import {
	criterionColumns,
	type ReportRow,
	reportColumns,
	reportObject,
} from '../../state/organization/readiness-columns.ts';
import {listedUserColumns, type UserRow} from '../../state/organization/user-columns.ts';
import {withOurs, wordsOf} from '../../state/rows/column.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, NothingFoundError} from '../cli/errors.ts';
import {completeness, keepItems, printPages} from '../output/print-pages.ts';
import {checkFormat, createRowFormatter, limitOf, outputColumns, printRows} from '../output/print-rows.ts';
import {strings} from './strings.ts';

/** Prints changes to the organization's settings, newest first, with author and time. */
export async function controls(context: CommandContext): Promise<ExitCode> {
	const {flags, output, wiring, clock, signal} = context;
	checkFormat(context);
	const setting = flags.text('setting');
	const parts = await wiring();
	const service = await parts.connect();
	// A record may omit settings, so each revision may be compared with any older one.
	const {items: history, ...kept} = keepItems(
		pagesOf(service.controls.history, {limit: pageLimit.max}, {signal}),
	);
	const list = {what: 'revisions', ...kept};
	if (flags.is('in-force'))
		return printPages(context, {
			...list,
			lastRows: () => settingsInForce(differencesOf(history)).filter(one => isAbout(one, setting ?? '')),
			none: parts.isEmbedded ? strings.controls.embedded : strings.controls.noSettings,
			linesOf: createRowFormatter(context, {
				columns: outputColumns(settingColumns, {now: clock.now()}),
				objectOf: inForceObject,
			}),
			noMatches: setting === undefined ? undefined : strings.controls.noneContains(setting),
		});
	const objects = createRowFormatter(context, {columns: [], objectOf: differenceObject});
	const rows = createRowFormatter(context, {
		columns: outputColumns(controlColumns, {now: clock.now()}),
		objectOf: (row: ControlRow) => row,
	});
	return printPages(context, {
		...list,
		lastRows: () => withChangesTo(setting, differencesOf(history)),
		none: parts.isEmbedded ? strings.controls.embedded : strings.controls.none,
		linesOf: (differences: readonly RevisionDifference[]) =>
			output.isJson ? objects(differences) : rows(controlRows(differences)),
		noMatches: setting === undefined ? undefined : strings.controls.noneChanged(setting),
	});
}

/** A row, and the user as the service told it. */
type ToldUser = UserRow & {readonly told: User};

/** Prints the organization's users; `--filter` keeps those whose id, e-mail, name or metadata contains every word. */
export async function users(context: CommandContext): Promise<ExitCode> {
	const {flags, wiring, clock, signal} = context;
	checkFormat(context);
	const filter = flags.text('filter');
	const words = (filter ?? '').toLowerCase().split(/\s+/);
	const limit = filter === undefined ? Math.min(limitOf(context), pageLimit.max) : pageLimit.max;
	const service = await (await wiring()).connect();
	const printed = new Set<string>();
	return printPages(context, {
		what: 'users',
		pages: pagesOf(service.users.list, {limit}, {signal}),
		rowsOf: items =>
			items
				.filter(({id}) => addNew(printed, id))
				.map((told): ToldUser => ({told, user: listedUser(told)}))
				.filter(row => {
					const text = wordsOf(listedUserColumns, row).toLowerCase();
					return words.every(word => text.includes(word));
				}),
		linesOf: createRowFormatter<ToldUser>(context, {
			columns: outputColumns(listedUserColumns, {now: clock.now()}),
			objectOf: row => withOurs(row.told, listedUserColumns, row),
		}),
		none: strings.users.noUsers,
		noMatches: filter === undefined ? undefined : strings.users.none(filter),
	});
}

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
