import {completeFilter, type FilterChoice} from '../../domain/list-filter/complete-filter.ts';
import type {FilterProblem} from '../../domain/list-filter/parse-filter.ts';
import {computersFilter} from '../../state/computer-rows.ts';
import {filterWords} from '../../state/list-filtering.ts';
import type {Lists} from '../../state/lists.ts';
import type {View} from '../../state/view.ts';
import type {AppParts} from '../use-app.ts';

/** Completions for the lists' filter; none for the filters of other views, which take plain words only. */
export function filterChoices(
	{listBuilder}: Pick<AppParts, 'listBuilder'>,
	{page, filter, computers}: Pick<View, 'page' | 'filter' | 'computers'>,
	{all}: Pick<Lists, 'all'>,
): FilterChoice[] {
	if (page === 'work') return completeFilter(filter, listBuilder.words(all));
	if (page !== 'computers') return [];
	return completeFilter(computers.words, filterWords(all.computers.map(listBuilder.filterables.computer)));
}

/** Problems in the filter being typed. */
export function filterProblems(
	{page, isFiltering, computers}: Pick<View, 'page' | 'isFiltering' | 'computers'>,
	{all, problems}: Pick<Lists, 'all' | 'problems'>,
): readonly FilterProblem[] {
	if (page === 'work') return problems;
	return page === 'computers' && isFiltering ? computersFilter(all, computers.words).problems : [];
}
