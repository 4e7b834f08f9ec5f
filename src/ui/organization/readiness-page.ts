import type {RepositoryReadiness} from '../../domain/organization/readiness.ts';
import type {Organization} from '../../state/organization/organization.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {
	type ReportRow,
	reportColumns,
	reportsTable,
	shareColumns,
} from '../../state/organization/readiness-columns.ts';
import type {Column} from '../../state/rows/column.ts';
import {type Line, padLine, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {sparkline} from '../../text/charts/bar-chart.ts';
import {widestTexts} from '../kit/columns.ts';
import {criteriaPage} from './criteria-page.ts';
import {listPage} from './list-page.ts';
import {figure, figureHead, type Page, type PageContext, pageTitle, wordMatcher} from './page.ts';
import {reportPage} from './report-page.ts';
import {strings} from './strings.ts';

const text = strings.readiness;

const trendWidth = 12;
/** Minimum width, in columns, for trends. */
const minChartsWidth = 60;

/** The Readiness view: repositories, least ready first, or one repository's report; or the criteria. */
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
	const isMatch = wordMatcher(filter);
	const all = data.map((repository): ReportRow => ({report: repository.latest, repository}));
	const rows = all.filter(({repository}) => isMatch(repository?.key ?? ''));
	const hasCharts = !context.isScreenReader && width >= minChartsWidth;
	const passing = data.filter(({score}) => score.share === 1).length;
	const list = listPage({
		columns: context.isScreenReader ? columns.map(withoutBar) : columns,
		context: {now, width: width - (hasCharts ? trendWidth + 2 : 0)},
		widest: widestTexts(columns, all),
		rows,
		idOf: ({repository}) => repository?.key,
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
		data: () => ({
			name: 'readiness',
			selection: {view: 'readiness', filter},
			tables: [reportsTable('repositories', rows)],
		}),
		empty: data.length === 0 ? text.empty : strings.noMatches,
	});
	if (!hasCharts) return list;
	return {
		...list,
		heading: [...list.heading, span(text.chartTitles, 'dim')],
		row: index => [...list.row(index), ...chartsOf(rows[index]?.repository, context)],
	};
}

function chartsOf(repository: RepositoryReadiness | undefined, {isAscii = false}: PageContext): Line {
	const points = repository?.trend.slice(-trendWidth).map(report => ({label: safe``, value: report.share}));
	const trend = sparkline(points ?? [], {width: trendWidth, combine: 'last', isAscii});
	return [span(safe`  `), ...padLine(trend, trendWidth)];
}

/** A bar says nothing when it is read aloud. */
function withoutBar(column: Column<ReportRow>): Column<ReportRow> {
	return column.name === 'share' ? {...column, size: {width: shareColumns, rank: 1}} : column;
}

/** A command doesn't count them. */
const columns: readonly Column<ReportRow>[] = [
	...reportColumns,
	{
		name: 'reports',
		isNumber: true,
		value: ({repository}) => repository?.reports.length,
		size: {width: 7, rank: 5},
	},
];
