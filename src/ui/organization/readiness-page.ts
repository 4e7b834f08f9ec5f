import {createExportTable} from '../../domain/export-table.ts';
import {
	type CriterionAcross,
	type CriterionScore,
	criteriaAcross,
	type RepositoryReadiness,
} from '../../domain/organization/readiness.ts';
import type {Organization} from '../../state/organization/organization.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {
	type ReportRow,
	reportsTable,
	repositoryColumns,
	repositoryRow,
	repositoryRows,
	shareColumns,
} from '../../state/organization/readiness-columns.ts';
import type {Column} from '../../state/rows/column.ts';
import {rememberEach} from '../../state/rows/remember.ts';
import {wordMatcher} from '../../state/rows/table-rows.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {type Line, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {sparkline} from '../../text/charts/bar-chart.ts';
import {widestTexts} from '../kit/columns.ts';
import {
	counted,
	figure,
	figureHead,
	listed,
	listPage,
	type Page,
	type PageContext,
	pageTitle,
	textPage,
} from './page.ts';
import {criterionLines, reportPage} from './report-page.ts';
import {strings} from './strings.ts';

const trendWidth = 12;
/** Minimum width, in columns, for trends. */
const minTrendWidth = 60;

/** The Readiness view: repositories, or one repository's report; or the criteria. */
export function readinessPage(
	{readiness: {data}}: Organization,
	viewState: OrganizationViewState,
	context: PageContext,
): Page | undefined {
	if (!data) return undefined;
	const {width, now, label, filter = ''} = context;
	if (viewState.showsCriteria) return criteriaPage(data, viewState, context);
	const open = data.find(({key}) => key === viewState.opened.readiness);
	if (open) return reportPage(open, viewState, context);
	const order = viewState.readiness;
	const indexes = repositoryRows(data, {...order, words: filter});
	const rowOf = (index: number) => repositoryRow(data, index);
	const hasTrend = !context.isScreenReader && width >= minTrendWidth;
	const passing = data.filter(({score}) => score.share === 1).length;
	return listPage({
		columns: context.isScreenReader ? repositoryColumns.map(withoutBar) : repositoryColumns,
		context: {now, width: width - (hasTrend ? trendWidth + 2 : 0)},
		widest: widestOf(data),
		order: {...order, hidden: context.hidden},
		...listed(indexes.map(rowOf)),
		idOf: ({repository}) => repository?.key,
		beside: hasTrend ? {heading: [span(safe`  TREND`, 'dim')], row: row => trendOf(row, context)} : undefined,
		title: pageTitle('readiness', {filter}),
		head: figureHead(
			[
				figure(data.length, counted(data.length, safe`repository`, safe`repositories`), indexes.length),
				figure(passing, safe`pass everything`),
				[span(safe`${label('readiness-tab')} shows the criteria`, 'dim')],
			],
			width,
		),
		data: () => ({
			name: 'readiness',
			selection: {view: 'readiness', filter, ...order},
			tables: [reportsTable('repositories', indexes.map(rowOf))],
		}),
		empty: data.length === 0 ? safe`No readiness reports yet` : strings.noMatches,
	});
}

const widestOf = rememberEach((data: readonly RepositoryReadiness[]) =>
	widestTexts(
		repositoryColumns,
		[...data.keys()].map(index => repositoryRow(data, index)),
	),
);

function trendOf({repository}: ReportRow, {isAscii = false}: PageContext): Line {
	const points = repository?.trend.slice(-trendWidth).map(value => ({label: safe``, value}));
	const trend = sparkline(points ?? [], {width: trendWidth, combine: 'last', isAscii});
	return [span(safe`  `), ...padLine(trend, trendWidth)];
}

/** A bar says nothing when it is read aloud. */
function withoutBar(column: Column<ReportRow>): Column<ReportRow> {
	return column.name === 'share' ? {...column, size: {width: shareColumns, rank: 1}} : column;
}

/** Width of the criteria's names, in columns. */
const idWidth = {min: 20, max: 44} as const;

/** The newest reports by criterion, those that fail in most repositories first; or one criterion in full. */
function criteriaPage(
	repositories: readonly RepositoryReadiness[],
	{opened}: OrganizationViewState,
	context: PageContext,
): Page {
	const {width, label, filter = ''} = context;
	const all = criteriaAcross(repositories);
	const open = all.find(({id}) => id === opened.readiness);
	if (open) return criterionPage(open, repositories, width);
	const isMatch = wordMatcher(filter);
	const rows = all.filter(({id}) => isMatch(id));
	const everywhere = all.filter(({failing, evaluated}) => failing === evaluated && evaluated > 0).length;
	const columns = columnsOf(repositories);
	return listPage({
		columns,
		context,
		widest: widestTexts(columns, all),
		...listed(rows),
		idOf: ({id}) => id,
		title: pageTitle('readiness', {item: safe`Criteria`, filter}),
		head: figureHead(
			[
				figure(all.length, counted(all.length, safe`criterion`, safe`criteria`), rows.length),
				figure(everywhere, counted(everywhere, safe`fails everywhere`, safe`fail everywhere`)),
				[span(safe`most failing first`, 'dim')],
				[span(safe`${label('readiness-tab')} shows the reports`, 'dim')],
			],
			width,
		),
		data: () => ({
			name: 'readiness-criteria',
			selection: {view: 'readiness', tab: 'criteria', filter},
			tables: [createExportTable('criteria', columnsOf(repositories), rows)],
		}),
		empty: all.length === 0 ? safe`No readiness reports yet` : strings.noMatches,
	});
}

/** The screen names the repositories that fail a criterion; exports have a column for each repository, too. */
function columnsOf(repositories: readonly RepositoryReadiness[]): readonly Column<CriterionAcross>[] {
	return [
		{
			name: 'criterion',
			value: ({id}) => id,
			size: (_, widest) => ({
				width: idWidth.min,
				max: Math.min(idWidth.max, widest),
				rank: 0,
				growAfter: 0,
			}),
			cell: ({id}, _, width) => [span(cutMiddle(cleanLine(id, 120), width), 'strong')],
		},
		{
			name: 'failing',
			title: safe`FAILS`,
			isNumber: true,
			value: ({failing}) => failing,
			size: {width: 7, rank: 1},
			cell({failing, evaluated}) {
				const tone = failing === 0 ? 'dim' : failing === evaluated ? 'bad' : 'warn';
				return [span(safe`${failing}/${evaluated}`, tone)];
			},
		},
		{name: 'evaluated', value: ({evaluated}) => evaluated},
		{
			name: 'fails_in',
			value: ({scores}) =>
				repositories
					.filter((_, index) => isFailing(scores[index]))
					.map(shortName)
					.join(', '),
			size: {width: 16, max: Number.POSITIVE_INFINITY, rank: 2},
		},
		...repositories.map(
			({key}, index): Column<CriterionAcross> => ({
				name: key,
				value: ({scores}) => scores[index]?.state,
			}),
		),
	];
}

function isFailing(score: CriterionScore | undefined): boolean {
	return score?.state === 'fail' || score?.state === 'partial';
}

/** The last part of its URL: `shop` for `github.com/acme/shop`. */
function shortName({name}: RepositoryReadiness): Safe {
	return cleanLine(name.split('/').at(-1) || name || '(no URL)', 60);
}

/** One criterion in each repository, failing ones first, with the reason. */
function criterionPage(
	criterion: CriterionAcross,
	repositories: readonly RepositoryReadiness[],
	width: number,
): Page {
	const {id, scores, failing, evaluated} = criterion;
	const rows = repositories.map(({name}, index) => ({name, score: scores[index]}));
	const lines = (['fail', 'partial', 'unknown', 'pass'] as const).flatMap(state =>
		rows.flatMap(({name, score}) =>
			score?.state === state ? criterionLines({...score, id: name}, width) : [],
		),
	);
	return {
		...textPage(
			pageTitle('readiness', {item: cleanLine(id, 100)}),
			[[span(safe`fails in ${failing} of ${evaluated} repositories`, 'dim')], []],
			lines,
		),
		data: () => ({
			name: 'readiness-criterion',
			selection: {view: 'readiness', criterion: id},
			tables: [createExportTable('criteria', columnsOf(repositories), [criterion])],
		}),
	};
}
