import {compareTotals} from '../usage/comparison.ts';
import type {Efficiency} from '../usage/efficiency.ts';
import type {WorkOutput} from '../usage/output.ts';
import type {ExportTable} from './export-table.ts';
import {nameColumn, rankedTable, tableByDay, totalsTable} from './usage-tables.ts';

const measures = [
	['files_created', 'filesCreated'],
	['files_edited', 'filesEdited'],
	['git_commits', 'commits'],
	['git_prs_created', 'pullRequests'],
] as const;

const ratios = [
	['credits_per_session', 'creditsPerSession'],
	['credits_per_user_message', 'creditsPerUserMessage'],
	['credits_per_file', 'creditsPerFile'],
	['credits_per_commit', 'creditsPerCommit'],
	['credits_per_pull_request', 'creditsPerPullRequest'],
	['cache_read_per_input_token', 'cacheReadPerInput'],
	['output_per_input_token', 'outputPerInput'],
] as const;

type Made = {readonly output: WorkOutput; readonly efficiency: Efficiency};

/** Tables of the output tab: files, commits, pull requests, language breakdowns and the cost of work. */
export function outputTables({output, efficiency}: Made, before: Made | undefined): ExportTable[] {
	const changes = new Map<string, number | undefined>(
		measures.map(([name, key]) => [name, compareTotals(output[key].total, before?.output[key].total).change]),
	);
	return [
		tableByDay(
			'by day',
			measures.map(([name, key]) => [name, output[key].trend]),
		),
		rankedTable('by language', output.languages, [nameColumn('language')], 'count'),
		rankedTable('by extension', output.extensions, [nameColumn('extension')], 'count'),
		totalsTable(
			[
				...measures.map(
					([name, key]) => [name, output[key].total.sum, before?.output[key].total.sum] as const,
				),
				...ratios.map(([name, key]) => [name, efficiency[key].value, before?.efficiency[key].value] as const),
			],
			name => changes.get(name),
		),
	];
}
