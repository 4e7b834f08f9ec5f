import {retryInstall} from '../actions/computers.ts';
import {resendMessage} from '../actions/messages.ts';
import {notify} from '../actions/notify.ts';
import {continueLater, continueNow} from '../actions/several-sessions.ts';
import {strings as actionStrings} from '../actions/strings.ts';
import {blockerOf, type OutboxItem} from '../domain/messages/delivery.ts';
import {textOf} from '../domain/sessions/activity.ts';
import type {Lists} from '../state/lists/lists.ts';
import {sessionsToActOn, unmarked} from '../state/sessions/marked-sessions.ts';
import {hasFailedTurn, limitedTogether, type SessionItem} from '../state/sessions/session-items.ts';
import {withNextWaiting} from '../state/view/shown-item.ts';
import {targets} from '../state/view/targets.ts';
import {setView} from '../state/view/view.ts';
import {shortTime} from '../text/values/times.ts';
import {canRetryInstall} from './computers/computer-bindings.ts';
import {bindingsOf, type Enabled, type Now} from './keys/binding.ts';
import {installedOn, sessionOf} from './keys/reasons.ts';
import {offerUndo} from './offer-undo.ts';
import {outgoingTo} from './sessions/sessions-now.ts';
import {selectedMessage} from './stream/stream-bindings.ts';
import type {AppParts} from './use-app.ts';

/** The outgoing message that keys act on. */
export const outgoingOf = (now: Now): OutboxItem | undefined =>
	now.contexts.includes('stream')
		? selectedMessage(now)?.item.outbox
		: outgoingTo(now.parts.stores, now.view, targets(now.view).sessionId);

/** Whether keys act on marked sessions, not on the one at the cursor. */
const hasMarks = ({contexts, view}: Now) =>
	contexts.includes('session-table') && view.sessions.marked.size > 0;

const failedInstall = (now: Now) => (hasMarks(now) ? undefined : installedOn(now));

/** The outgoing message, if it can be sent again, or the unconfirmed one that it waits behind. */
const resendable = (now: Now): OutboxItem | undefined => {
	if (hasMarks(now)) return undefined;
	const outgoing = outgoingOf(now);
	const {bySession} = now.parts.stores.outbox.getState();
	const blocker = outgoing && blockerOf(outgoing, bySession.get(outgoing.sessionId) ?? []);
	if (blocker) return blocker;
	return outgoing && ['failed', 'unconfirmed', 'queued'].includes(outgoing.state) ? outgoing : undefined;
};

/** The sessions that keys act on. */
const itemsOf = (now: Now): readonly SessionItem[] =>
	now.contexts.includes('session-table')
		? sessionsToActOn(now.view, now.lists.all.sessionsById)
		: [sessionOf(now) ?? []].flat();

/** Those whose turn failed, unless a message to them waits already. */
const failedOf = (now: Now): readonly SessionItem[] =>
	itemsOf(now).filter(item => hasFailedTurn(item) && !item.hasQueued);

const canRetry = (now: Now): Enabled => {
	if (failedInstall(now)) return canRetryInstall(now);
	if (resendable(now) || failedOf(now).length > 0) return true;
	if (sessionOf(now)?.hasQueued) return 'A message to this session waits already';
	return 'Only for failed sessions, and messages that failed or wait';
};

/** Tries again what failed: a message, or an agent's turn. */
export const retryBindings = bindingsOf([
	{
		action: 'retry',
		keys: ['R'],
		title: 'Retry: send again, continue, run again or reinstall',
		findBy: 'resend queued now usage limit',
		hint: 'retry',
		hintNow(now) {
			if (failedInstall(now)) return canRetryInstall(now) === true ? 'retry install' : '';
			if (resendable(now)) return undefined;
			const [first] = failedOf(now);
			if (!first) return '';
			const at = timeOf(now.parts);
			const together = limitedTogether(now.lists.all.sessions, first, at).length;
			if (together === 0) return isShell(first) ? 'run again' : 'continue';
			return `continue ${together === 1 ? '' : `${together} `}after ${shortTime(first.limitedUntil ?? at, at)}`;
		},
		isFirst: now => failedOf(now).length > 0,
		isEnabled: canRetry,
		contexts: ['sessions', 'inbox', 'stream', 'session-table'],
		run: retry,
	},
]);

const isShell = ({known}: SessionItem) => known?.session?.agent === 'shell';

const {why} = actionStrings.several;

const timeOf = ({actions}: AppParts) => actions.clock.now();

function retry(parts: AppParts, lists: Lists): void {
	const now = parts.input.now(parts, parts.view.getState(), lists);
	const computer = failedInstall(now);
	const outgoing = resendable(now);
	if (computer) void retryInstall(parts.actions, computer.id);
	else if (outgoing) resendMessage(parts.actions, outgoing);
	else {
		const failed = failedOf(now);
		const leftOut = itemsOf(now)
			.filter(item => !failed.includes(item))
			.map(item => (hasFailedTurn(item) ? why.hasQueued : why.notFailed));
		continueFailed(parts, lists, failed, leftOut);
	}
}

/** Continues the sessions; of those that a usage limit stops still, all of the same login, when it ends. */
function continueFailed(
	parts: AppParts,
	lists: Lists,
	failed: readonly SessionItem[],
	others: readonly string[],
): void {
	const {actions, profile} = parts;
	const at = timeOf(parts);
	const limited = new Set(failed.flatMap(item => limitedTogether(lists.all.sessions, item, at)));
	const now = failed.filter(item => !limited.has(item));
	const known = now.flatMap(item => {
		const words = wordsFor(parts, item);
		return words === undefined ? [] : [{item, id: item.id, words}];
	});
	const leftOut = [...others, ...Array<string>(now.length - known.length).fill(why.noCommand)];
	const [first] = [...known.map(({item}) => item), ...limited];
	if (first) setView(parts.view, view => withNextWaiting(view, lists, first));
	else notify(actions, 'info', "Not sent: the shell's last command isn't known here. Type it again.");
	const waiting = [...limited].filter(({hasQueued}) => !hasQueued);
	const sent = continueNow(actions, known, waiting.length === 0 ? leftOut : []);
	const {done, undo} = continueLater(actions, waiting, profile.continueWords, leftOut);
	offerUndo(parts, {action: 'continue', subjects: done.map(id => ({kind: 'session', id}) as const)}, undo);
	setView(parts.view, view => unmarked(view, [...sent, ...done]));
}

/** What makes a session go on: for the shell, the user's last command, if that is known. */
function wordsFor({actions, profile}: AppParts, item: SessionItem): string | undefined {
	if (!isShell(item)) return profile.continueWords;
	const entries = actions.engine.sessions.preview(item.id)?.entries ?? [];
	const last = entries.findLast(entry => entry.kind === 'message' && entry.role === 'user');
	return last?.kind === 'message' ? textOf(last.message) || undefined : undefined;
}
