import {notify} from '../actions/notify.ts';
import {isDelivered} from '../domain/messages/delivery.ts';
import type {KeyPress} from '../keys/key-press.ts';
import {type Lists, type NeedsItem, needsAfter} from '../state/lists/lists.ts';
import {isRequesting, type SessionItem} from '../state/sessions/session-items.ts';
import {targets} from '../state/view/targets.ts';
import {isTypingIn, replyingTo, setView, tableMessage, type View} from '../state/view/view.ts';
import {canReplyTo} from './agent-bindings.ts';
import {isComposerEmpty, sendComposer} from './composer/composers.ts';
import {quickReply, withoutReply} from './composer/quick-reply.ts';
import {keyWait} from './dialogs/dialog-module.ts';
import {bindingsOf} from './keys/binding.ts';
import {allOf, isOutside} from './keys/reasons.ts';
import {goToNeeds, openItem, openSession} from './open-session.ts';
import {archive} from './sessions/archive.ts';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/** The keys that send and go on: to the next session, or from this one for good. */
export const sendNextBindings = bindingsOf([
	{
		action: 'send-next',
		keys: ['ctrl+s'],
		title: 'Send, then go to the next that needs you',
		hint: 'send, next',
		isEnabled({view, lists}) {
			if (isToSeveral(view)) return 'Only for a message to one session';
			return waitingAfter(view, lists).length > 0 || 'Nothing else needs you';
		},
		contexts: ['composer'],
		run: sendAndGoOn,
	},
	{
		action: 'send-archive',
		keys: ['ctrl+l'],
		title: 'Send, and archive the session once it is delivered',
		hint: 'send, archive',
		hintNow: now => (replyingTo(now.view) === undefined || canSendAndArchive(now) !== true ? '' : undefined),
		isEnabled: now => canSendAndArchive(now),
		contexts: ['composer'],
		run: sendAndArchive,
	},
]);

function isToSeveral(view: View): boolean {
	return (tableMessage(view)?.recipients.length ?? 1) > 1;
}

const canSendAndArchive = allOf(
	({view}) => !tableMessage(view) || 'Not in the Sessions view: only the message is sent from there',
	now => !isOutside(now) || "This session runs in another terminal: the service can't archive it",
	({parts, view}) => !isComposerEmpty(parts.composers, targets(view).sessionId) || 'Write the message first',
);

/** The session stays if the service doesn't take the message. */
function sendAndArchive(parts: AppParts): void {
	const {outbox} = parts.stores;
	const sent = sendComposer(parts);
	if (!sent) return;
	// An open session is left: what is typed from now on isn't for it.
	setView(parts.view, view => (isTypingIn(view, sent.sessionId) ? {...view, focus: 'main'} : view));
	const stop = outbox.subscribe(({bySession}) => {
		const row = bySession.get(sent.sessionId)?.find(({id}) => id === sent.id);
		if (row?.state === 'queued' || row?.state === 'sending') return;
		stop();
		const session = listsNow(parts).all.sessionsById.get(sent.sessionId);
		if (row && session && isDelivered(row)) void archive(parts, [session]);
		else if (row) notify(parts.actions, 'info', "Not archived: the message isn't confirmed as delivered");
	});
}

/** What needs the user besides the session that they write to: first what comes after it. */
function waitingAfter(view: View, {all}: Lists): readonly NeedsItem[] {
	return needsAfter(all, targets(view).sessionId);
}

/** Whether it is a session whose agent waits for a message, not for an answer to its request. */
function takesMessage(item: NeedsItem): item is SessionItem {
	return item.kind === 'session' && !isRequesting(item) && canReplyTo(item) === true;
}

/** When the last text was typed right after a key that left the composer for what takes no message, Unix ms. */
const typedOnAt = new WeakMap<AppParts, number>();

/** Whether a key is text that the user types on though nothing takes it. It does nothing until they pause. */
export function isTypedOn(parts: AppParts, {name, text}: KeyPress): boolean {
	const now = parts.actions.clock.now();
	const isText = text !== '' || name === 'enter';
	const isSoon = now - (typedOnAt.get(parts) ?? Number.NEGATIVE_INFINITY) < keyWait;
	if (isText && isSoon) typedOnAt.set(parts, now);
	else typedOnAt.delete(parts);
	return isText && isSoon;
}

/**
 * Sends what is written, and goes to what needs the user next: to write, if that takes a message. If it doesn't, no
 * composer opens, and its request is answered in the dialog only.
 */
function sendAndGoOn(parts: AppParts, lists: Lists): void {
	const view = parts.view.getState();
	const [next] = waitingAfter(view, lists);
	const isShort = replyingTo(view) !== undefined || tableMessage(view) !== undefined;
	sendComposer(parts);
	// It could not be saved: it stays in the composer.
	if (!next || !isComposerEmpty(parts.composers, targets(view).sessionId)) return;
	const takesReply = takesMessage(next);
	const isReply = isShort || (takesReply && next.client !== undefined);
	if (isReply) setView(parts.view, view => withoutReply({...view, page: 'work'}));
	goToNeeds(parts, lists, next);
	if (isReply && takesReply) quickReply(parts, lists);
	else if (takesReply) openSession(parts, next.id, 'composer');
	else if (!isReply) openItem(parts, next);
	if (!takesReply) typedOnAt.set(parts, parts.actions.clock.now());
}
