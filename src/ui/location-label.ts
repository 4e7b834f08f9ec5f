import type {Lists} from '../state/lists.ts';
import {shortId} from '../state/session-items.ts';
import {replyingTo, type View} from '../state/view.ts';
import {views} from '../state/views.ts';
import type {Layout} from './layout.ts';

/**
 * The current location, shown instead of the profile's name: the view's name, or in the Work view the session
 * or computer when only one pane fits.
 */
export function locationLabel(layout: Layout, lists: Lists, view: View): string | undefined {
	if (view.page !== 'work') return views.find(({name}) => name === view.page)?.title.split(' ')[0];
	const isInLists = view.focus === 'lists' || replyingTo(view) !== undefined;
	if (layout.mode !== 'single' || isInLists || !view.shown) return undefined;
	const {kind, id} = view.shown;
	const items = kind === 'session' ? lists.all.sessions : lists.all.computers;
	return items.find(item => item.id === id)?.name ?? shortId(id);
}
