import {completeFilter, type FilterChoice} from '../domain/list-filter/complete-filter.ts';
import type {Lists} from '../state/lists.ts';
import type {View} from '../state/view.ts';
import type {AppParts} from './use-app.ts';

/** How the filter of the lists can go on; none for the filters of other views, which take words alone. */
export function filterChoices(
	{lister}: Pick<AppParts, 'lister'>,
	{page, filter}: Pick<View, 'page' | 'filter'>,
	lists: Pick<Lists, 'all'>,
): FilterChoice[] {
	return page === 'work' ? completeFilter(filter, lister.words(lists.all)) : [];
}
