import type {ProductivityRow} from '../organization/analytics.ts';
import {createAttribution, type Part} from './attribution.ts';
import type {DayRange} from './range.ts';
import {type DayPoint, seriesOf, type Total, totalOf} from './series.ts';

/** One output measure. */
export type OutputMeasure = {readonly trend: readonly DayPoint[]; readonly total: Total};

/** Output of the work: files, commits, pull requests. */
export type WorkOutput = ReturnType<typeof outputOf>;

export function outputOf(rows: Iterable<ProductivityRow>, range: DayRange) {
	const days = [...rows];
	const measure = (pick: (row: ProductivityRow) => number | undefined): OutputMeasure => {
		const trend = seriesOf(days, range, pick);
		return {trend, total: totalOf(trend)};
	};
	const languages = createAttribution();
	const extensions = createAttribution();
	for (const row of days) {
		const files = filesOf(row);
		languages.addDay(files, languageParts(row));
		extensions.addDay(
			files,
			row.by_extension?.map(({extension, count}) => ({key: extension, value: count})),
		);
	}
	return {
		filesCreated: measure(row => row.files_created),
		filesEdited: measure(row => row.files_edited),
		commits: measure(row => row.git_commits),
		pullRequests: measure(row => row.git_prs_created),
		/** Over all files created or edited, as are the extensions. */
		languages: languages.done(),
		extensions: extensions.done(),
	};
}

/** Files created or edited on a day; undefined if neither was reported. */
export function filesOf({files_created: created, files_edited: edited}: ProductivityRow): number | undefined {
	return created === undefined && edited === undefined ? undefined : (created ?? 0) + (edited ?? 0);
}

/** The language breakdown of a day. */
function languageParts({by_language: parts}: ProductivityRow): Part[] | undefined {
	return parts?.map(({language, count}) => ({key: language, value: count}));
}
