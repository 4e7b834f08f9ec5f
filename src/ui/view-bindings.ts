import {refresh} from '../actions/context.ts';
import {notify} from '../actions/notify.ts';
import {type Lists, needsAfter} from '../state/lists/lists.ts';
import {sessionsToActOn} from '../state/sessions/marked-sessions.ts';
import {targets} from '../state/view/targets.ts';
import {filterOf, mainItem, setView, withPage} from '../state/view/view.ts';
import {views} from '../state/view/view-states.ts';
import {bindingsIn, bindingsOf, type Enabled, type Now} from './keys/binding.ts';
import {inViews} from './keys/key-contexts.ts';
import {hasService, needsUser, someNeedUser, whenDown} from './keys/reasons.ts';
import type {Move} from './kit/scroll.ts';
import {screenLayout} from './layout-now.ts';
import {moveDivider} from './mouse/use-divider.ts';
import {goToNeeds, openItem} from './open-session.ts';
import {pageOf} from './pages.ts';
import type {AppParts} from './use-app.ts';
import {scrollMessages} from './work/scroll-work.ts';

const somethingNeedsUser = ({lists}: Now): Enabled => lists.all.needs.length > 0 || 'Nothing needs you';

/** Whether Escape clears the kept filter. In the Sessions view, marks and deliveries go first. */
const clearsFilter = (now: Now): boolean => {
	const {view, contexts} = now;
	const {marked, deliveries} = view.sessions;
	const isLater = (view.page === 'sessions' && marked.size + deliveries.size > 0) || closesItem(now);
	const isList = !contexts.some(context => context === 'stream' || context === 'computer');
	return filterOf(view) !== '' && isList && !isLater;
};

/** Whether Escape leads from an opened item of the organization to its list. */
const closesItem = ({view: {page, organization}}: Now): boolean => organization.opened[page] !== undefined;

const inPanes = ['lists', 'stream', 'computer', 'computer-table', 'composer'] as const;

/** Keys for moving within a view, between panes and to other views: the same everywhere. */
export const viewBindings = bindingsOf([
	...bindingsIn({contexts: inViews, isPaletteHidden: true}, [
		{
			action: 'down',
			keys: ['j', 'down'],
			title: 'Down',
			findBy: 'scroll',
			run: scroll({kind: 'step', by: 1}),
		},
		{
			action: 'up',
			keys: ['k', 'up'],
			title: 'Up',
			findBy: 'scroll',
			run: scroll({kind: 'step', by: -1}),
		},
		{
			action: 'top',
			keys: ['home', 'g'],
			title: 'To the top',
			findBy: 'scroll',
			run: scroll({kind: 'edge', by: -1}),
		},
		{
			action: 'bottom',
			keys: ['end', 'G'],
			title: 'To the end, and follow new messages',
			findBy: 'scroll',
			run: scroll({kind: 'edge', by: 1}),
		},
		{
			action: 'page-down',
			keys: ['ctrl+d', 'pagedown'],
			title: 'Scroll half a page down',
			run: scroll({kind: 'page', by: 1}),
		},
		{
			action: 'page-up',
			keys: ['ctrl+u', 'pageup'],
			title: 'Scroll half a page up',
			run: scroll({kind: 'page', by: -1}),
		},
	]),
	...bindingsIn({contexts: ['composer'], isPaletteHidden: true}, [
		{
			action: 'messages-up',
			keys: ['pageup'],
			title: 'Scroll the messages half a page up',
			run: parts => scrollMessages(parts, {kind: 'page', by: -1}),
		},
		{
			action: 'messages-down',
			keys: ['pagedown'],
			title: 'Scroll the messages half a page down',
			run: parts => scrollMessages(parts, {kind: 'page', by: 1}),
		},
	]),
	...bindingsIn({contexts: inViews, isEnabled: somethingNeedsUser}, [
		{
			action: 'next-needs',
			keys: [']'],
			title: 'Open the next session or computer that needs you',
			hint: 'next that needs you',
			hintNow: now => (needsUser(now) ? 'next' : 'needs you'),
			isFirst: someNeedUser,
			run: (parts, lists) => jump(parts, lists, 1),
		},
		{
			action: 'previous-needs',
			keys: ['['],
			title: 'Open the previous session or computer that needs you',
			run: (parts, lists) => jump(parts, lists, -1),
		},
	]),
	{
		action: 'refresh',
		keys: ['r'],
		title: 'Refresh, marked sessions too; while offline, try again now',
		findBy: 'reconnect retry',
		...whenDown('try again'),
		isEnabled: hasService,
		contexts: ['lists', 'stream', 'session-table', 'computer', 'computer-table', 'events'],
		run(parts, lists) {
			const {state} = parts.stores.connection.getState();
			const {name, keyFrom} = parts.profile;
			// Read a rejected key again from its source.
			if (state === 'unauthorized' && (keyFrom === 'file' || keyFrom === 'command')) {
				parts.program.profiles.switchTo(name);
				return;
			}
			const view = parts.view.getState();
			const {sessionId, computerId} = targets(view);
			const marked = view.page === 'sessions' ? sessionsToActOn(view, lists.all.sessionsById) : [];
			if (marked.length > 0) refresh(parts.actions, ...marked.map(({id}) => id));
			else refresh(parts.actions, ...[sessionId ?? computerId ?? []].flat());
		},
	},
	{
		action: 'undo',
		keys: ['u'],
		title: 'Undo the last forget, archive, rename, acknowledge, snooze',
		isEnabled: ({parts}) => parts.undos.length > 0 || 'There is nothing to undo',
		contexts: ['lists', 'stream', 'session-table', 'computer', 'computer-table', 'events', 'inbox'],
		run: ({undos}) => undos.pop()?.(),
	},
	{
		action: 'back',
		keys: ['escape'],
		title: 'Back',
		hintNow: now => (clearsFilter(now) ? 'clear filter' : closesItem(now) ? 'list' : undefined),
		isFirst: now => clearsFilter(now) || (closesItem(now) && 'then'),
		// These have their own, which name what it leads to.
		contexts: inViews.filter(context => context !== 'stream' && context !== 'computer'),
		run: (parts, lists) => pageOf(parts.view.getState()).back(parts, lists),
	},
	...bindingsIn({contexts: inPanes, isPaletteHidden: true}, [
		{
			action: 'next-pane',
			keys: ['tab'],
			title: 'Next pane',
			hint: 'next pane',
			// In the other panes, the footer names what leads back.
			hintNow: ({contexts}) => (contexts.includes('lists') ? undefined : ''),
			run: nextPane(1),
		},
		{
			action: 'previous-pane',
			keys: ['shift+tab'],
			title: 'Previous pane',
			// In the composer, the key changes the agent's mode.
			contexts: [...inPanes.filter(context => context !== 'composer'), 'events'],
			run: nextPane(-1),
		},
	]),
	...bindingsIn(
		{contexts: inViews},
		views.map(({name, key, title, command}) => ({
			action: `view-${name}` as const,
			command,
			keys: [key],
			title: `View ${key}: ${title}`,
			run: ({view}) => setView(view, now => withPage(now, name)),
		})),
	),
]);

export const screenBindings = bindingsIn({contexts: inViews}, [
	{
		action: 'mouse',
		keys: ['M'],
		title: 'Mouse on or off (on: hold Shift to select text)',
		run({mouse, actions}) {
			mouse.turn(!mouse.isOn());
			notify(
				actions,
				'info',
				mouse.isOn()
					? 'Mouse on: hold Shift while dragging to select text'
					: 'Mouse off for this run: dragging selects text; "mouse": false keeps it off',
			);
		},
	},
	{
		action: 'narrow-left',
		keys: ['{'],
		title: 'Shrink the left or top panes',
		run: (parts, lists) => moveViewDivider(parts, lists, -1),
	},
	{
		action: 'widen-left',
		keys: ['}'],
		title: 'Grow the left or top panes',
		run: (parts, lists) => moveViewDivider(parts, lists, 1),
	},
]);

function scroll(move: Move) {
	return (parts: AppParts, lists: Lists) => pageOf(parts.view.getState()).scroll(parts, lists, move);
}

function nextPane(by: 1 | -1) {
	return (parts: AppParts, lists: Lists) => pageOf(parts.view.getState()).nextPane?.(parts, lists, by);
}

/** Opens the next session or computer that needs the user, wrapping around. If a filter hides it, that is cleared. */
function jump(parts: AppParts, lists: Lists, by: 1 | -1): void {
	const {needs} = lists.all;
	const view = parts.view.getState();
	const shown = mainItem(view);
	const {sessionId, computerId} = targets(view);
	const next =
		needsAfter(lists.all, sessionId ?? computerId ?? view.cursor?.id).at(by > 0 ? 0 : -1) ?? needs[0];
	if (!next) return;
	const isOpen = view.focus === 'main' && shown?.id === next.id && shown.kind === next.kind;
	// With more than one, the cursor was on another.
	if (isOpen && needs.length === 1) notify(parts.actions, 'info', 'Nothing else needs you');
	goToNeeds(parts, lists, next);
	openItem(parts, next);
}

function moveViewDivider(parts: AppParts, lists: Lists, by: 1 | -1): void {
	const view = parts.view.getState();
	const layout = screenLayout(parts, view, lists);
	const first = pageOf(view).beforeDivider?.(parts, view, lists, layout);
	if (first) moveDivider(parts.view, view.page, layout, first, by);
	else notify(parts.actions, 'info', 'There is only one pane here');
}
