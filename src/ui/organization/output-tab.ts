import type {Efficiency} from '../../domain/usage/efficiency.ts';
import type {OutputMeasure, WorkOutput} from '../../domain/usage/output.ts';
import {dayCount} from '../../domain/usage/range.ts';
import type {UsageData, UsagePeriod} from '../../state/organization/organization.ts';
import type {Line} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {dimLines} from './page.ts';
import {strings} from './strings.ts';
import {breakdown, changeText, compared, type Figure, sharedLabels, type TabSpec} from './usage-tab.ts';

const text = strings.output;

const measures: readonly (readonly [
	key: string,
	label: Safe,
	pick: (output: WorkOutput) => OutputMeasure,
])[] = [
	['files_created', text.created, output => output.filesCreated],
	['files_edited', text.edited, output => output.filesEdited],
	['git_commits', text.commits, output => output.commits],
	['git_prs_created', text.pullRequests, output => output.pullRequests],
];
const figures = measures.map(
	([key, label, pick]): Figure => ({key, label, value: ({output}) => pick(output).total, showsChange: true}),
);

/** What a unit of work costs. */
const costFigures = (
	[
		['credits_per_session', 'creditsPerSession'],
		['credits_per_user_message', 'creditsPerUserMessage'],
		['credits_per_file', 'creditsPerFile'],
		['credits_per_commit', 'creditsPerCommit'],
		['credits_per_pull_request', 'creditsPerPullRequest'],
		['cache_read_per_input_token', 'cacheReadPerInput'],
		['output_per_input_token', 'outputPerInput'],
	] as const satisfies readonly (readonly [key: string, keyof Efficiency])[]
).map(([key, name]): Figure => ({key, label: text[name], value: ({efficiency}) => efficiency[name].value}));

/** The lists of languages and extensions, with their bars aligned. */
const onTheRight = {
	side: 'right',
	maxRows: 20,
	labelColumns: ({output}: UsagePeriod) => sharedLabels(output.languages.entries, output.extensions.entries),
} as const;

/** The Output tab: files, commits and pull requests, their languages, and their cost. */
export const outputTab: TabSpec = {
	name: 'output',
	figures,
	moreFigures: costFigures,
	// Created and edited files can be added up; commits and pull requests can't be added to them.
	charts: ({output}) => [
		{
			kind: 'stack',
			unit: text.files,
			combine: 'sum',
			series: [
				[text.edited, output.filesEdited.trend],
				[text.createdLayer, output.filesCreated.trend],
			],
		},
		{
			kind: 'lines',
			unit: text.commitsAndPullRequests,
			combine: 'sum',
			series: [
				[text.commits, output.commits.trend],
				[text.pullRequests, output.pullRequests.trend],
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
