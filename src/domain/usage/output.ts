import type {ProductivityRow} from '../organization/analytics.ts';
import {attributionOf} from './attribution.ts';

/** The languages and extensions of all files that were created or edited. */
export type WorkOutput = ReturnType<typeof outputOf>;

export function outputOf(rows: readonly ProductivityRow[]) {
	return {
		languages: attributionOf(rows, filesOf, row =>
			row.by_language?.map(({language, count}) => ({key: language, value: count})),
		),
		extensions: attributionOf(rows, filesOf, row =>
			row.by_extension?.map(({extension, count}) => ({key: extension, value: count})),
		),
	};
}

/** Files created or edited on a day; undefined if neither was reported. */
export function filesOf({files_created: created, files_edited: edited}: ProductivityRow): number | undefined {
	return created === undefined && edited === undefined ? undefined : (created ?? 0) + (edited ?? 0);
}
