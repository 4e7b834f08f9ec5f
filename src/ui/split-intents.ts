import {notify} from '../actions/notify.ts';
import type {Lists} from '../state/lists/lists.ts';
import {type Section, sections} from '../state/lists/row-positions.ts';
import type {Stores} from '../state/stores.ts';
import {type Cursor, cursorAt, positionOf} from '../state/view/cursor.ts';
import {withCursor} from '../state/view/shown-item.ts';
import {neighborOf, splitMoved, splitWith, splitWithout} from '../state/view/split.ts';
import {targets} from '../state/view/targets.ts';
import {type Focus, setView, type View, type ViewStore} from '../state/view/view.ts';
import {hasComposer} from './layout-now.ts';
import {openSession, prepareComposer} from './open-session.ts';
import {strings} from './strings.ts';
import type {AppParts, Parts} from './use-app.ts';

/** Actions on streams side by side: add, remove, focus and move. */
export const splitIntents = {
	split(parts: AppParts) {
		const view = parts.view.getState();
		const {sessionId} = targets(view);
		if (sessionId === undefined) return;
		if (view.split.includes(sessionId)) close(parts, sessionId);
		else if (view.lastSession === undefined || view.shown?.kind !== 'session')
			openSession(parts, sessionId, view.focus === 'lists' ? 'lists' : 'main');
		else {
			setView(parts.view, now => ({...now, split: splitWith(now, sessionId)}));
			openSession(parts, sessionId, view.focus === 'lists' ? 'lists' : 'main');
		}
	},
	'stream-left': (parts: AppParts) => focusBeside(parts, -1),
	'stream-right': (parts: AppParts) => focusBeside(parts, 1),
	'move-stream-left': (parts: AppParts) => move(parts.view, -1),
	'move-stream-right': (parts: AppParts) => move(parts.view, 1),
};

/** Removes a stream from the split and focuses its neighbor. */
function close({view, actions}: Parts<'view' | 'actions'>, sessionId: string): void {
	setView(view, now => {
		const beside = neighborOf(now.split, sessionId, -1);
		const isShown = now.shown?.id === sessionId;
		const next = isShown ? beside : now.lastSession;
		return {
			...now,
			split: splitWithout(now.split, sessionId),
			...(isShown && beside !== undefined && {shown: {kind: 'session', id: beside}}),
			...(next !== undefined && {lastSession: next}),
		};
	});
	notify(actions, 'info', strings.split.closed);
}

function focusBeside(parts: AppParts, by: 1 | -1): void {
	const {split, shown} = parts.view.getState();
	const id = neighborOf(split, shown?.id ?? '', by);
	if (id !== undefined) openSession(parts, id, 'main');
}

function move(view: ViewStore, by: 1 | -1): void {
	setView(view, now => ({...now, split: splitMoved(now.split, now.shown?.id ?? '', by)}));
}

type Stop = Section | Exclude<Focus, 'lists'>;

/**
 * Moves the focus to the next pane, wrapping around. In a list, the cursor goes to the open item, or else to the
 * first row.
 */
export function movePane(parts: AppParts, lists: Lists, by: 1 | -1): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const stops = stopsOf(parts.stores, view, lists);
		const now: Stop = view.focus === 'lists' ? (view.cursor?.section ?? 'sessions') : view.focus;
		const next = stops[(stops.indexOf(now) + by + stops.length) % stops.length] ?? 'sessions';
		if (next === 'main' || next === 'composer') {
			if (next === 'composer' && view.shown) prepareComposer(parts, view.shown.id);
			return {...view, focus: next};
		}
		return {...withCursor(view, cursorIn(view, lists, next)), focus: 'lists'};
	});
}

function stopsOf(stores: Stores, view: View, lists: Lists): Stop[] {
	const filled = sections.filter(section => section !== 'needs' || lists.needs.length > 0);
	if (!view.shown) return filled;
	return hasComposer(stores, view, lists) ? [...filled, 'main', 'composer'] : [...filled, 'main'];
}

/** A cursor on the row of the open item, or on the first row if the list doesn't contain it. */
function cursorIn(view: View, lists: Lists, section: Section): Cursor {
	const position = view.shown && positionOf(lists, {section, id: view.shown.id});
	return cursorAt(lists, section, position?.section === section ? position.index : 0);
}
