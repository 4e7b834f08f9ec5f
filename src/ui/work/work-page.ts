import {completeFilter} from '../../domain/list-filter/complete-filter.ts';
import {listFields} from '../../state/lists/list-filtering.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {isWaiting} from '../../state/lists/needs-items.ts';
import {isOnComputer, positionOf} from '../../state/view/cursor.ts';
import {withLeft} from '../../state/view/shown-item.ts';
import {filterOf, setView, type View, withFilter} from '../../state/view/view.ts';
import {writingContexts} from '../composer/composer-bindings.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import {beforeWorkDivider} from '../layout.ts';
import {layoutNow, previewNow} from '../layout-now.ts';
import type {ScreenPage} from '../screen-page.ts';
import {streamContexts} from '../stream/stream-bindings.ts';
import type {Parts} from '../use-app.ts';
import {movePane} from './move-pane.ts';
import {scrollWork} from './scroll-work.ts';
import {WorkView} from './work-view.tsx';

export const workPage: ScreenPage = {
	Component: WorkView,
	contexts,
	scroll: scrollWork,
	back,
	nextPane: movePane,
	beforeDivider: (_, __, ___, layout) => beforeWorkDivider(layout),
	filter: {
		choices({listBuilder: {filterables}}, view, {all}) {
			const {needsOnly, showsArchived} = view;
			const sessions = all.sessions.map(item => ({
				item,
				row: filterables.session(item),
				isPast: item.isPast,
			}));
			const computers = all.computers.map(item => ({item, row: filterables.computer(item)}));
			const rows = [...sessions, ...computers].filter(({item}) => !needsOnly || isWaiting(item));
			return completeFilter(filterOf(view), rows, showsArchived, listFields);
		},
		problems: (_, {problems}) => problems,
		hidden: ({hidden}) => hidden,
	},
	computer(parts, view) {
		const {shown, focus} = view;
		const isShown = shown?.kind === 'computer' && layoutNow(parts).main !== undefined;
		return isShown && !previewNow(parts.stores, view)
			? {id: shown.id, isFocused: focus === 'main'}
			: undefined;
	},
};

function contexts(view: View): readonly KeyContext[] {
	const {focus, shown, cursor} = view;
	if (focus === 'composer') return writingContexts(view);
	if (focus === 'main') return shown?.kind === 'computer' ? ['computer'] : streamContexts(view);
	if (cursor?.group !== undefined) return ['heading', 'sessions', 'lists'];
	return [cursor && isOnComputer(cursor) ? 'computers' : 'sessions', 'lists'];
}

/** To the lists, or to the view where the item was opened; there, clears the filter, then ends browsing. */
function back({view}: Parts<'view'>, lists: Lists): void {
	const now = view.getState();
	const {focus, needsOnly, shown} = now;
	if (focus !== 'lists') setView(view, withLeft);
	else if (filterOf(now) !== '' || needsOnly) view.setState({...withFilter(now, ''), needsOnly: false});
	else if (shown?.kind === 'session') {
		// The cursor returns to the open session's row or, if it has none, the focus to its stream.
		const position = positionOf(lists, {section: 'sessions', id: shown.id});
		setView(view, now =>
			position ? {...now, cursor: {section: position.section, id: shown.id}} : {...now, focus: 'main'},
		);
	}
}
