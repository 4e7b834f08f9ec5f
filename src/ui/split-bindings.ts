import {notify} from '../actions/notify.ts';
import {
	maxSplit,
	neighborOf,
	splitMoved,
	splitWith,
	splitWithout,
	streamsOf,
	withSelected,
} from '../state/view/shown-item.ts';
import {targets} from '../state/view/targets.ts';
import {setView, type View, type ViewStore} from '../state/view/view.ts';
import {bindingsIn, bindingsOf, type Enabled, type Now} from './keys/binding.ts';
import {allOf, hasSession} from './keys/reasons.ts';
import {streamsIn, streamsWidth} from './layout.ts';
import {openSession} from './open-session.ts';
import type {AppParts} from './use-app.ts';

const hasSplit = ({view}: Now): Enabled =>
	streamsOf(view).length > 1 || 'Only one session is open: {split} in a list opens another beside it';

/** Whether the session can be added to the split, or removed from it. */
const canSplit = ({view, layout}: Now): Enabled => {
	const {sessionId} = targets(view);
	if (sessionId === undefined || view.split.includes(sessionId)) return true;
	if (view.shown?.kind !== 'session') return true;
	if (view.shown.id === sessionId) return 'It is already open: select another session';
	const count = streamsOf(view).length + 1;
	if (count > maxSplit) return `${maxSplit} are already open side by side: {split} on one of them closes it`;
	const width = (layout.main ?? layout.sessions)?.width ?? layout.columns;
	const needed = streamsWidth(count);
	return streamsIn(width) >= count || `${count} side by side need ${needed} columns; there are ${width}`;
};

export const splitBindings = bindingsOf([
	{
		action: 'split',
		keys: ['|'],
		title: 'Open the session beside the others, or close it',
		isEnabled: allOf(hasSession, canSplit),
		contexts: ['sessions', 'stream'],
		run(parts) {
			const view = parts.view.getState();
			const {sessionId} = targets(view);
			if (sessionId === undefined) return;
			if (view.split.includes(sessionId)) {
				close(parts, sessionId);
				return;
			}
			if (view.lastSession !== undefined && view.shown?.kind === 'session')
				setView(parts.view, now => ({...now, split: splitWith(now, sessionId)}));
			openSession(parts, sessionId, view.focus === 'lists' ? 'lists' : 'main');
		},
	},
	...bindingsIn({contexts: ['stream'], isEnabled: hasSplit}, [
		{
			action: 'stream-left',
			keys: ['h', 'left'],
			title: 'To the column on the left: the session beside this one',
			isPaletteHidden: true,
			run: parts => focusBeside(parts, -1),
		},
		{
			action: 'stream-right',
			keys: ['l', 'right'],
			title: 'To the column on the right: the session beside this one',
			hint: 'next column',
			isFirst: () => 'then',
			isPaletteHidden: true,
			run: parts => focusBeside(parts, 1),
		},
		{
			action: 'move-stream-left',
			keys: ['<'],
			title: 'Move this stream to the left',
			run: parts => move(parts.view, -1),
		},
		{
			action: 'move-stream-right',
			keys: ['>'],
			title: 'Move this stream to the right',
			run: parts => move(parts.view, 1),
		},
	]),
]);

/** Removes a stream from the split and focuses its neighbor. */
function close({view, actions}: AppParts, sessionId: string): void {
	setView(view, now => {
		const beside = neighborOf(now.split, sessionId, -1);
		const isShown = now.shown?.id === sessionId;
		const next = isShown ? beside : now.lastSession;
		const left: View = {
			...now,
			split: splitWithout(now.split, sessionId),
			shown: isShown && beside !== undefined ? {kind: 'session', id: beside} : now.shown,
			lastSession: next ?? now.lastSession,
		};
		// In the lists, a preview of the closed one would hide what stays.
		return next === undefined ? left : withSelected(left, {kind: 'session', id: next});
	});
	notify(actions, 'info', 'Pane closed; the session keeps running');
}

function focusBeside(parts: AppParts, by: 1 | -1): void {
	const {split, shown} = parts.view.getState();
	const id = neighborOf(split, shown?.id ?? '', by);
	if (id !== undefined) openSession(parts, id, 'main');
}

function move(view: ViewStore, by: 1 | -1): void {
	setView(view, now => ({...now, split: splitMoved(now.split, now.shown?.id ?? '', by)}));
}
