import {notify} from '../actions/notify.ts';
import type {Lists} from '../state/lists/lists.ts';
import {setView, type View, type ViewStore, withPage} from '../state/view/view.ts';
import type {ViewName} from '../state/view/views.ts';
import {computersNow} from './computers/computers-now.ts';
import {openFormDialog} from './dialogs/form/open-form-dialog.ts';
import {beforeEventsDivider, eventsNow} from './events/events-layout.ts';
import {beforeWorkDivider, type Layout, type Rect} from './layout.ts';
import {screenLayout} from './layout-now.ts';
import {moveDivider} from './mouse/use-divider.ts';
import {strings} from './strings.ts';
import type {AppParts, Parts} from './use-app.ts';

/** Actions that choose the service. */
export const profileIntents = {
	connect: (parts: AppParts) => openFormDialog(parts, {name: 'connect'}),
	'replace-key': (parts: AppParts) => {
		const {name, keyFile} = parts.profile;
		openFormDialog(parts, {name: 'replace-key', profile: name, ...(keyFile && {keyFile})});
	},
	'work-locally': ({program, keys}: AppParts) =>
		program.profiles.workLocally(strings.localProfile(keys.label('profiles'))),
};

/** Actions that switch the view, and what all views have: the mouse and a divider. */
export const viewIntents = {
	'view-work': (parts: AppParts) => showView(parts.view, 'work'),
	'view-sessions': (parts: AppParts) => showView(parts.view, 'sessions'),
	'view-computers': (parts: AppParts) => showView(parts.view, 'computers'),
	'view-usage': (parts: AppParts) => showView(parts.view, 'usage'),
	'view-readiness': (parts: AppParts) => showView(parts.view, 'readiness'),
	'view-controls': (parts: AppParts) => showView(parts.view, 'controls'),
	'view-users': (parts: AppParts) => showView(parts.view, 'users'),
	'view-events': (parts: AppParts) => showView(parts.view, 'events'),
	mouse: turnMouse,
	'narrow-left': (parts: AppParts, lists: Lists) => moveViewDivider(parts, lists, -1),
	'widen-left': (parts: AppParts, lists: Lists) => moveViewDivider(parts, lists, 1),
};

function showView(view: ViewStore, page: ViewName): void {
	setView(view, now => withPage(now, page));
}

function moveViewDivider(parts: AppParts, lists: Lists, by: 1 | -1): void {
	const view = parts.view.getState();
	const layout = screenLayout(parts, view, lists);
	const first = beforeDivider(parts, view, lists, layout);
	if (first) moveDivider(parts.view, view.page, layout, first, by);
	else notify(parts.actions, 'info', strings.onePane);
}

/** The part before the view's divider, if it has one. */
function beforeDivider(parts: AppParts, view: View, lists: Lists, layout: Layout): Rect | undefined {
	if (view.page === 'work') return beforeWorkDivider(layout);
	if (view.page === 'events') return beforeEventsDivider(eventsNow(parts, view, layout));
	if (view.page !== 'computers') return undefined;
	const {table, detail} = computersNow(parts, view, lists, layout);
	return detail && table;
}

function turnMouse({mouse, actions}: Parts<'mouse' | 'actions'>): void {
	mouse.turn(!mouse.isOn());
	notify(actions, 'info', mouse.isOn() ? strings.mouseOn : strings.mouseOff);
}
