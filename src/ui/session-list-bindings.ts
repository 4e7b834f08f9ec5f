import {notify} from '../actions/notify.ts';
import {groupOf} from '../state/lists/lists.ts';
import {densities, densityTitles} from '../state/sessions/session-density.ts';
import {groupings, groupingTitles} from '../state/sessions/session-groups.ts';
import {sessionSorts, sortTitles} from '../state/sessions/session-sort.ts';
import {setView} from '../state/view/view.ts';
import {nextOf} from '../state/view/view-states.ts';
import {bindingsIn, bindingsOf, type Enabled, type Now} from './keys/binding.ts';
import {collapseGroup} from './panes/session-panes.tsx';
import type {ListParts} from './use-lists.ts';

/** Whether the group of the cursor's row in the lists is collapsed; undefined if there is no group. */
const isGroupCollapsed = ({view: {cursor}, lists}: Now): boolean | undefined => {
	if (cursor?.group !== undefined) return true;
	if (cursor?.section !== 'sessions' || cursor.id === undefined) return undefined;
	return groupOf(lists, cursor.id)?.isCollapsed;
};

const canCollapseGroup = (now: Now): Enabled => {
	const isCollapsed = isGroupCollapsed(now);
	return isCollapsed === undefined
		? 'There is no group here: {group-sessions} groups the other sessions'
		: !isCollapsed || 'This group is collapsed: {expand-group} expands it';
};

const canExpandGroup = (now: Now): Enabled => isGroupCollapsed(now) === true || 'Only for a collapsed group';

/** Keys that arrange the list of sessions: its order, its groups and the lines of a row. */
export const sessionListBindings = bindingsOf([
	...bindingsIn({contexts: ['sessions']}, [
		{
			action: 'sort',
			keys: ['o'],
			title: 'Sort sessions: by attention, last activity, name',
			run(parts) {
				const sort = nextOf(sessionSorts, parts.view.getState().sort);
				setView(parts.view, view => ({...view, sort}));
				notify(parts.actions, 'info', `Sessions sorted ${sortTitles[sort]}`);
			},
		},
		{
			action: 'group-sessions',
			keys: ['O'],
			title: 'Group sessions by state, computer, first tag or folder',
			run(parts) {
				const grouping = nextOf(groupings, parts.view.getState().grouping);
				setView(parts.view, view => ({...view, grouping}));
				const how = grouping === 'none' ? 'not grouped' : `grouped ${groupingTitles[grouping]}`;
				notify(parts.actions, 'info', `Sessions ${how}`);
			},
		},
		{
			action: 'density',
			keys: ['L'],
			title: 'Lines per session: two if busy, always two, or one',
			run(parts) {
				const density = nextOf(densities, parts.view.getState().density);
				setView(parts.view, view => ({...view, density}));
				notify(parts.actions, 'info', `Sessions: ${densityTitles[density]}`);
			},
		},
		{
			action: 'collapse-group',
			keys: ['h', 'left'],
			title: 'Collapse the group',
			isEnabled: canCollapseGroup,
			run(parts, lists) {
				const group = groupOf(lists, parts.view.getState().cursor?.id ?? '');
				if (group) collapseGroup(parts, group.key, true);
			},
		},
		{
			action: 'expand-group',
			keys: ['l', 'right'],
			title: 'Expand the group',
			isEnabled: canExpandGroup,
			run: expandGroup,
		},
	]),
	{
		action: 'expand-group',
		keys: ['enter'],
		title: 'Expand the group',
		hint: 'expand',
		isEnabled: canExpandGroup,
		contexts: ['heading'],
		run: expandGroup,
	},
]);

/** Expands the collapsed group whose heading has the cursor. */
export function expandGroup(parts: ListParts): void {
	const {cursor} = parts.view.getState();
	if (cursor?.group !== undefined) collapseGroup(parts, cursor.group, false);
}
