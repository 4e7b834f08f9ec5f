import type {Lists} from '../state/lists/lists.ts';
import type {NeedsItem} from '../state/lists/needs-items.ts';
import {runsOutside} from '../state/sessions/runs-outside.ts';
import {isRequesting} from '../state/sessions/session-items.ts';
import {nextWaiting} from '../state/view/next-waiting.ts';
import {targets} from '../state/view/targets.ts';
import {replyingTo, setView, tableMessage, type View} from '../state/view/view.ts';
import {isComposerEmpty} from './composer/composers.ts';
import {quickReply, withoutReply} from './composer/quick-reply.ts';
import {sendComposer} from './composer/send-composer.ts';
import {answerRequest} from './dialogs/answer/answer-keys.ts';
import {bindingsOf} from './keys/binding.ts';
import {goToNeeds, openItem, openSession} from './open-session.ts';
import type {AppParts} from './use-app.ts';

/** The key that answers one session after the other. */
export const sendNextBindings = bindingsOf([
	{
		action: 'send-next',
		keys: ['ctrl+s'],
		title: 'Send, and write to the next that needs you; without a text, only the latter',
		hint: 'send, next',
		hintNow: now => (waitingAfter(now.view, now.lists) ? undefined : ''),
		isEnabled({view, lists}) {
			if (tableMessage(view)) return 'Only for a message to one session';
			return waitingAfter(view, lists) !== undefined || 'Nothing else needs you';
		},
		contexts: ['composer'],
		run: sendAndGoOn,
	},
]);

/** What needs the user after the session that they write to. */
function waitingAfter(view: View, lists: Lists): NeedsItem | undefined {
	const {sessionId = ''} = targets(view);
	return nextWaiting(lists, {kind: 'session', id: sessionId});
}

/** Sends what is written; then writes to the next session that needs the user, or shows what it asks. */
function sendAndGoOn(parts: AppParts, lists: Lists): void {
	const view = parts.view.getState();
	const next = waitingAfter(view, lists);
	if (!next) return;
	const isOverLists = replyingTo(view) !== undefined;
	sendComposer(parts);
	// It could not be saved: it stays in the composer.
	if (!isComposerEmpty(parts.composers, targets(view).sessionId)) return;
	if (isOverLists) setView(parts.view, withoutReply);
	goToNeeds(parts, lists, next);
	if (!isOverLists || next.kind === 'computer') openItem(parts, next);
	if (next.kind === 'computer') return;
	if (isRequesting(next)) answerRequest(parts);
	else if (isOverLists) quickReply(parts, lists);
	else if (!runsOutside(next, undefined)) openSession(parts, next.id, 'composer');
}
