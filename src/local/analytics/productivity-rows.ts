import type {ProductivityRow} from '../../domain/analytics.ts';
import type {FileChange} from '../storage/usage.ts';
import {byDay, countBy} from './days.ts';
import {extensionOf, languageOf} from './languages.ts';

/** Changes that turns made in git work trees. */
export type WorkData = {
	readonly files: readonly FileChange[];
	readonly commits: readonly {readonly date: string; readonly hash: string}[];
};

/** Rows of `/productivity`. This service can't see pull requests, so their count is omitted. */
export function productivityRows({files, commits}: WorkData): ProductivityRow[] {
	const facts: {date: string; file?: FileChange}[] = [
		...files.map(file => ({date: file.date, file})),
		...commits.map(({date}) => ({date})),
	];
	return byDay(facts, ({date}) => date).map(([date, ofDay]) => {
		const changed = ofDay.flatMap(({file}) => file ?? []);
		const paths = changed.map(({path}) => path);
		return {
			date,
			files_created: changed.filter(({kind}) => kind === 'created').length,
			files_edited: changed.filter(({kind}) => kind === 'edited').length,
			by_extension: countBy(paths.map(extensionOf).filter(Boolean), String).map(([extension, count]) => ({
				extension,
				count,
			})),
			by_language: countBy(
				paths.flatMap(path => languageOf(path) ?? []),
				String,
			).map(([language, count]) => ({language, count})),
			git_commits: ofDay.length - changed.length,
		};
	});
}
