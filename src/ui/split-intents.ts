import {notify} from '../actions/notify.ts';
import {besideOf, splitMoved, splitWith, splitWithout} from '../state/split.ts';
import {targets} from './contexts.ts';
import {openSession} from './open-session.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

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
	'move-stream-left': (parts: AppParts) => move(parts, -1),
	'move-stream-right': (parts: AppParts) => move(parts, 1),
};

/** Removes a stream from the split and focuses its neighbor. */
function close({view, actions}: AppParts, sessionId: string): void {
	setView(view, now => {
		const beside = besideOf(now.split, sessionId, -1);
		const isShown = now.shown?.id === sessionId;
		const next = isShown ? beside : now.lastSession;
		return {
			...now,
			split: splitWithout(now.split, sessionId),
			...(isShown && beside !== undefined && {shown: {kind: 'session', id: beside}}),
			...(next !== undefined && {lastSession: next}),
		};
	});
	notify(actions, 'info', 'Pane closed; the session keeps running');
}

function focusBeside(parts: AppParts, by: 1 | -1): void {
	const {split, shown} = parts.view.getState();
	const id = besideOf(split, shown?.id ?? '', by);
	if (id !== undefined) openSession(parts, id, 'main');
}

function move({view}: AppParts, by: 1 | -1): void {
	setView(view, now => ({...now, split: splitMoved(now.split, now.shown?.id ?? '', by)}));
}
