import {repositoriesTable} from '../../domain/export-tables/readiness-tables.ts';
import type {RepositoryReadiness} from '../../domain/organization/readiness.ts';
import type {Organization} from '../../state/organization/organization.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {type Line, padLine, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {barLine} from '../../text/charts/bar.ts';
import {sparkline} from '../../text/charts/bar-chart.ts';
import {percent, signedPoints} from '../../text/values/numbers.ts';
import {age} from '../../text/values/times.ts';
import {type TableColumn, tableHeading, tableRow} from '../kit/columns.ts';
import {criteriaPage} from './criteria-page.ts';
import {figure, figureHead, type Page, type PageContext, pageTitle, wordMatcher} from './page.ts';
import {fitColumns, type PageColumn, widestOf} from './page-columns.ts';
import {reportPage} from './report-page.ts';
import {strings} from './strings.ts';

const text = strings.readiness;

const barWidth = 12;
const trendWidth = 12;
/** Minimum width, in columns, for bars and trends. */
const minChartsWidth = 60;

/** The Readiness view: repositories, least ready first, or one repository's report; or the criteria. */
export function readinessPage(
	{readiness: {data}}: Organization,
	viewState: OrganizationViewState,
	context: PageContext,
): Page | undefined {
	if (!data) return undefined;
	const {width, now, label} = context;
	if (viewState.showsCriteria) return criteriaPage(data, viewState, context);
	const filter = viewState.filters.readiness;
	const open = data.find(({key}) => key === viewState.opened.readiness);
	if (open) return reportPage(open, viewState, context);
	const isMatch = wordMatcher(filter);
	const rows = data.filter(({key}) => isMatch(key));
	const hasCharts = !context.isScreenReader && width >= minChartsWidth;
	const room = width - (hasCharts ? barWidth + trendWidth + 4 : 0);
	const columns = fitColumns(columnsAt(data, now, room), room);
	const passing = data.filter(({score}) => score.share === 1).length;
	return {
		title: pageTitle('readiness', {filter}),
		head: figureHead(
			[
				figure(data.length, text.repository(data.length)),
				figure(passing, text.passing),
				[span(text.order, 'dim')],
				[span(text.showCriteria(label('readiness-tab')), 'dim')],
			],
			width,
		),
		heading: [...tableHeading(columns), ...(hasCharts ? [span(text.chartTitles, 'dim')] : [])],
		count: rows.length,
		idOf: index => rows[index]?.key,
		row: index => repositoryRow(rows[index] as RepositoryReadiness, columns, context, hasCharts),
		data: () => ({
			name: 'readiness',
			selection: {view: 'readiness', filter: filter ?? ''},
			tables: [repositoriesTable(rows)],
		}),
		empty: [[span(data.length === 0 ? text.empty : strings.noMatches, 'dim')]],
	};
}

function repositoryRow(
	repository: RepositoryReadiness,
	columns: readonly TableColumn<RepositoryReadiness>[],
	{isAscii = false}: PageContext,
	hasCharts: boolean,
): Line {
	// The charts only repeat the columns.
	if (!hasCharts) return tableRow(columns, repository);
	const {share} = repository.score;
	const points = repository.trend.slice(-trendWidth).map(report => ({label: safe``, value: report.share}));
	const trend = sparkline(points, {width: trendWidth, combine: 'last', isAscii});
	return [
		...tableRow(columns, repository),
		span(safe`  `),
		...padLine(barLine(share ?? 0, barWidth, toneOf(share)), barWidth),
		span(safe`  `),
		...padLine(trend, trendWidth),
	];
}

function columnsAt(
	all: readonly RepositoryReadiness[],
	now: number,
	room: number,
): readonly PageColumn<RepositoryReadiness>[] {
	const widest = widestOf(all, nameOf);
	return [
		{
			title: text.columns.repository,
			// On a wide screen, a whole name goes before the branch.
			width: room < 80 ? 22 : Math.max(22, Math.min(44, widest)),
			fullWidth: widest,
			cell: (repository, width) => [cutMiddle(nameOf(repository), width)],
		},
		{
			title: text.columns.pass,
			width: 5,
			isNumber: true,
			cell: ({score: {share}}) => [percent(share), toneOf(share)],
		},
		{
			title: text.columns.of,
			width: 7,
			isNumber: true,
			cell: ({score: {passed, of}}) => [safe`${passed}/${of}`, 'dim'],
		},
		{
			title: text.columns.age,
			width: 4,
			isNumber: true,
			cell: ({latest: {createdAt}}) => [age(createdAt === undefined ? undefined : now - createdAt), 'dim'],
		},
		{
			title: text.columns.change,
			width: 7,
			isNumber: true,
			cell: ({change}) => [
				signedPoints(change),
				change === undefined || change === 0 ? 'dim' : change > 0 ? 'good' : 'bad',
			],
		},
		{
			title: text.columns.reports,
			width: 7,
			isNumber: true,
			cell: ({reports}) => [safe`${reports.length}`, 'dim'],
		},
		{title: text.columns.branch, width: 14, cell: ({latest}) => [cleanLine(latest.branch ?? '-', 60), 'dim']},
	];
}

function nameOf({name, url}: RepositoryReadiness): Safe {
	return cleanLine(name || url || text.noUrl, 200);
}

function toneOf(share: number | undefined): Tone {
	if (share === undefined) return 'dim';
	return share >= 0.8 ? 'good' : share >= 0.5 ? 'warn' : 'bad';
}
