import {dayCount} from '../../domain/usage/range.ts';
import {ratioOf} from '../../domain/usage/ratio.ts';
import {pointsOf} from '../../state/organization/day-columns.ts';
import type {UsageData, UsagePeriod} from '../../state/organization/organization.ts';
import type {Line} from '../../text/cells/line.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {dimLines} from './page.ts';
import {strings} from './strings.ts';
import {breakdown, changeText, compared, type Figure, sharedLabels, type TabSpec} from './usage-tab.ts';

const text = strings.output;

/** What a unit of work costs: the ratio of two measures, over the days with both. */
const costFigures = (
	[
		['credits_per_session', text.creditsPerSession, 'billable_tokens', 'sessions'],
		['credits_per_user_message', text.creditsPerUserMessage, 'billable_tokens', 'user_messages'],
		['credits_per_file', text.creditsPerFile, 'billable_tokens', 'files'],
		['credits_per_commit', text.creditsPerCommit, 'billable_tokens', 'git_commits'],
		['credits_per_pull_request', text.creditsPerPullRequest, 'billable_tokens', 'git_prs_created'],
		['cache_read_per_input_token', text.cacheReadPerInput, 'cache_read_tokens', 'input_tokens'],
		['output_per_input_token', text.outputPerInput, 'output_tokens', 'input_tokens'],
	] as const
).map(
	([key, label, measure, per]): Figure => ({
		key,
		label,
		value: period => ratioOf(pointsOf(period, measure), pointsOf(period, per)).value,
	}),
);

/** The lists of languages and extensions, with their bars aligned. */
const onTheRight = {
	side: 'right',
	maxRows: 20,
	labelColumns: ({output}: UsagePeriod) => sharedLabels(output.languages.entries, output.extensions.entries),
} as const;

/** The Output tab: files, commits and pull requests, their languages, and their cost. */
export const outputTab: TabSpec = {
	name: 'output',
	figures: [
		{key: 'files_created', label: text.created, showsChange: true},
		{key: 'files_edited', label: text.edited, showsChange: true},
		{key: 'git_commits', label: text.commits, showsChange: true},
		{key: 'git_prs_created', label: text.pullRequests, showsChange: true},
	],
	moreFigures: costFigures,
	// Created and edited files can be added up; commits and pull requests can't be added to them.
	charts: period => [
		{
			kind: 'stack',
			unit: text.files,
			combine: 'sum',
			series: [
				[text.edited, pointsOf(period, 'files_edited')],
				[text.createdLayer, pointsOf(period, 'files_created')],
			],
		},
		{
			kind: 'lines',
			unit: text.commitsAndPullRequests,
			combine: 'sum',
			series: [
				[text.commits, pointsOf(period, 'git_commits')],
				[text.pullRequests, pointsOf(period, 'git_prs_created')],
			],
		},
	],
	chartHeight: {alone: 0.18, beside: 0.28},
	sections: [
		{
			side: 'left',
			title: text.efficiency,
			remark: () => text.efficiencyNote,
			lines: (data, {width}) => costTable(data, width),
		},
		breakdown({
			...onTheRight,
			title: text.languages,
			of: ({output}) => output.languages,
			table: () => ['by language', 'language', 'count'],
		}),
		breakdown({
			...onTheRight,
			title: text.extensions,
			of: ({output}) => output.extensions,
			table: () => ['by extension', 'extension', 'count'],
		}),
	],
};

function costTable(data: UsageData, width: number): Line[] {
	const rows = costFigures.map((figure): Cell[] => {
		const {value, change} = compared(figure, data);
		return [
			{text: figure.label, tone: 'dim'},
			{text: exactNumber(value), tone: 'strong'},
			changeText(change),
		];
	});
	return [
		...tableLines([{grow: true}, {align: 'end'}, {}], rows, {width}),
		...(data.before ? dimLines(text.changes(dayCount(data.before.range)), width) : []),
	];
}
