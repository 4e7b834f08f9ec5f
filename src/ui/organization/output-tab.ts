import {dayCount} from '../../domain/usage/range.ts';
import {ratioOf} from '../../domain/usage/series.ts';
import {pointsOf} from '../../state/organization/day-columns.ts';
import type {UsageData, UsagePeriod} from '../../state/organization/organization.ts';
import type {Line} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {breakdown, sharedLabels} from './bar-sections.ts';
import {dimLines} from './page.ts';
import {strings} from './strings.ts';
import {changeText, compared, type Figure, type TabSpec} from './usage-tab.ts';

/** What a unit of work costs: the ratio of two measures, over the days with both. */
const costFigures = (
	[
		['credits_per_session', safe`credits per session`, 'billable_tokens', 'sessions'],
		['credits_per_user_message', safe`credits per user message`, 'billable_tokens', 'user_messages'],
		['credits_per_file', safe`credits per file`, 'billable_tokens', 'files'],
		['credits_per_commit', safe`credits per commit`, 'billable_tokens', 'git_commits'],
		['credits_per_pull_request', safe`credits per pull request`, 'billable_tokens', 'git_prs_created'],
		['cache_read_per_input_token', safe`cached tokens per input token`, 'cache_read_tokens', 'input_tokens'],
		['output_per_input_token', safe`output tokens per input token`, 'output_tokens', 'input_tokens'],
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
		{key: 'files_created', label: safe`files created`, showsChange: true},
		{key: 'files_edited', label: safe`edited`, showsChange: true},
		{key: 'git_commits', label: safe`commits`, showsChange: true},
		{key: 'git_prs_created', label: safe`pull requests`, showsChange: true},
	],
	moreFigures: costFigures,
	// Created and edited files can be added up; commits and pull requests can't be added to them.
	charts: period => [
		{
			kind: 'stack',
			unit: safe`files`,
			combine: 'sum',
			series: [
				[safe`edited`, pointsOf(period, 'files_edited')],
				[safe`created`, pointsOf(period, 'files_created')],
			],
		},
		{
			kind: 'lines',
			unit: safe`commits and pull requests`,
			combine: 'sum',
			series: [
				[safe`commits`, pointsOf(period, 'git_commits')],
				[safe`pull requests`, pointsOf(period, 'git_prs_created')],
			],
		},
	],
	chartHeight: 0.18,
	sections: [
		{
			side: 'left',
			title: safe`Efficiency`,
			remark: () => safe`over days with both values`,
			lines: (data, {width}) => costTable(data, width),
		},
		breakdown({
			...onTheRight,
			title: safe`Languages`,
			of: ({output}) => output.languages,
			table: () => ['by language', 'language', 'count'],
		}),
		breakdown({
			...onTheRight,
			title: safe`Extensions`,
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
		...(data.before
			? dimLines(
					safe`Changes${strings.usage.vsPrevious(dayCount(data.before.range), data.whole !== undefined)}`,
					width,
				)
			: []),
	];
}
