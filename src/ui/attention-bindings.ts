import {acknowledge} from '../actions/acknowledge-and-snooze.ts';
import {itemAt} from '../state/lists/lists.ts';
import {pushDialog} from '../state/view/dialogs.ts';
import {withNextWaiting} from '../state/view/shown-item.ts';
import {targets} from '../state/view/targets.ts';
import {setView} from '../state/view/view.ts';
import {bindingsIn, type Enabled, type Now} from './keys/binding.ts';
import {allOf, isAsking, markOf, needsUser} from './keys/reasons.ts';
import {offerUndo, returnToNeeds} from './offer-undo.ts';

/** The marks would suggest that it is for all of them. */
const noMarks = ({view, contexts}: Now): Enabled =>
	!contexts.includes('session-table') ||
	view.sessions.marked.size === 0 ||
	'Only one session can be snoozed at a time: {back} clears the marks';

const inLists = ['sessions', 'stream', 'computers', 'computer', 'inbox'] as const;

/** Keys for sessions and computers that need the user: acknowledge and snooze. */
export const attentionBindings = bindingsIn({contexts: inLists, isEnabled: isAsking}, [
	{
		action: 'acknowledge',
		keys: ['m'],
		title: 'Acknowledge until there is news, or undo it',
		hint: 'acknowledge',
		hintNow: now => (markOf(now) === 'acknowledged' ? 'back to Needs you' : undefined),
		isFirst: needsUser,
		run(parts, lists) {
			const item = itemAt(lists.all, targets(parts.view.getState()));
			if (item?.mark?.kind === 'acknowledged') returnToNeeds(parts, item.mark.subject);
			else if (item?.episode !== undefined) {
				const {kind, id, episode} = item;
				const subject = {kind, id};
				setView(parts.view, view => withNextWaiting(view, lists, item));
				const state = item.kind === 'session' ? item.state : undefined;
				offerUndo(
					parts,
					{action: 'acknowledge', subjects: [subject]},
					acknowledge(parts.actions, {subject, episode}, state),
				);
			}
		},
	},
	{
		action: 'snooze',
		keys: ['z'],
		contexts: [...inLists, 'session-table'],
		isEnabled: allOf(noMarks, isAsking),
		title: 'Snooze: 15 minutes, an hour or until tomorrow; or undo it',
		hint: 'snooze',
		hintNow: now => (markOf(now) === 'snoozed' ? 'end the snooze' : undefined),
		// In a stream, the way back has the room.
		isFirst: now => needsUser(now) && now.contexts.includes('lists') && 'then',
		run(parts, lists) {
			const item = itemAt(lists.all, targets(parts.view.getState()));
			if (item?.mark?.kind === 'snoozed') returnToNeeds(parts, item.mark.subject);
			else if (item?.episode !== undefined) {
				const {kind, id, episode} = item;
				const subject = {kind, id};
				setView(parts.view, view => pushDialog(view, {kind: 'snooze', subject, episode, index: 0}));
			}
		},
	},
]);
