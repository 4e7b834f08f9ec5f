import {notify} from '../actions/notify.ts';
import {continueHere, goToTerminal} from '../actions/outside-sessions.ts';
import {updateSession} from '../actions/sessions.ts';
import {isOutsideService} from '../domain/known.ts';
import {canDiscard, isDelivered} from '../domain/messages/delivery.ts';
import {type PermissionMode, permissionModes} from '../domain/sessions/session.ts';
import type {Lists} from '../state/lists/lists.ts';
import {someRequest} from '../state/sessions/session-counts.ts';
import {isRequesting, runsOutside, type SessionItem} from '../state/sessions/session-items.ts';
import {targets} from '../state/view/targets.ts';
import {interruptAgent, isTurnRunning, writeInEditor} from './composer/composer-bindings.ts';
import {quickReply} from './composer/quick-reply.ts';
import {newestQueued, takeBack} from './composer/take-back.ts';
import {answerRequest} from './dialogs/answer/answer-keys.ts';
import {openDiff} from './dialogs/diff/diff-keys.ts';
import {watchInput} from './input.ts';
import {type BindingOf, bindingsIn, bindingsOf, type Enabled, type Now} from './keys/binding.ts';
import {
	allOf,
	hasSession,
	isAnswerable,
	isAtService,
	isEmbedded,
	isOutside,
	needsUser,
	sessionOf,
	someNeedUser,
} from './keys/reasons.ts';
import {openSession, showNewSession} from './open-session.ts';
import {outgoingOf} from './retry.ts';
import {inSessions, onSession} from './session-bindings.ts';
import type {AppParts} from './use-app.ts';

/** The id of the outgoing message to take back; in the lists, the newest queued one if none needs a decision. */
const takenBack = (now: Now): string | undefined => {
	const outgoing = outgoingOf(now);
	if (outgoing && canDiscard(outgoing)) return outgoing.id;
	if (now.contexts.includes('stream')) return undefined;
	return newestQueued(now.parts.stores, targets(now.view).sessionId ?? '');
};

const canTakeBack = (now: Now): Enabled => {
	if (takenBack(now) !== undefined) return true;
	const outgoing = outgoingOf(now);
	return outgoing && isDelivered(outgoing)
		? "The service has this message: it can't be taken back"
		: 'Only a queued, failed or unconfirmed message can be taken back';
};

const canWrite = (now: Now): Enabled =>
	!isOutside(now) || 'This session runs in another terminal: answer it there';

const canReply = (now: Now): Enabled => {
	const item = sessionOf(now);
	return item?.client === undefined ? canWrite(now) : canReplyTo(item);
};

/** At the service, or in the terminal of a client that is idle. */
export function canReplyTo(item: SessionItem): Enabled {
	if (item.client === undefined) return true;
	const terminal = hasTerminalOf(item);
	if (terminal !== true) return terminal;
	if (item.client !== 'claude')
		return 'Only Claude Code can be written to in its own terminal: {go-to-terminal} goes there';
	const {state} = item.signal ?? {};
	if (state === 'working') return 'Its agent is at work: {go-to-terminal} goes to its terminal';
	const asks = state === 'needs-permission' || state === 'needs-input';
	return !asks || 'It asks something in its own terminal: {go-to-terminal} goes there';
}

const ownTerminalOnly = 'Only for a session that runs in a terminal of its own';
const onOtherComputer = 'Its terminal is on another computer';

/** Whether there may be a terminal to go to. */
const hasTerminal = (now: Now): Enabled => hasTerminalOf(sessionOf(now));

function hasTerminalOf(item: SessionItem | undefined): Enabled {
	if (item?.client === undefined) return ownTerminalOnly;
	if (item.signal?.computer) return onOtherComputer;
	if (item.state === 'ended') return 'This session has ended: {continue-here} continues it here';
	return item.signal?.process !== undefined || 'Its terminal is not known: no hook has reported its process';
}

/** In place of writing to a session outside the service. */
const canWriteOrGo = (now: Now): Enabled => !isOutside(now) || hasTerminal(now);

/** Whether the embedded service may continue the session of another terminal. */
const canContinue = (now: Now): Enabled => {
	const item = sessionOf(now);
	if (item?.client === undefined) return ownTerminalOnly;
	if (item.signal?.computer) return onOtherComputer;
	if (!isEmbedded(now))
		return 'Only the embedded service (--local) can continue a session of another terminal';
	const hasEnded = item.state === 'ended' || item.state === 'unknown';
	return hasEnded || 'This session still runs: {go-to-terminal} goes to its terminal';
};

/** Whether the session at the cursor asks in the words of a message, which only a reply answers. */
const asksInWords = (now: Now): boolean => {
	const item = sessionOf(now);
	return item?.state === 'input' && item.client === undefined && !isRequesting(item);
};

/** Whether the agent at the cursor waits for an answer that can be given here. */
const requests = (now: Now): boolean => {
	const item = sessionOf(now);
	return item !== undefined && isAnswerable(now.parts, item);
};

/** Whether an agent waits for an answer; a session that asks in its own terminal can only be answered there. */
const hasRequest = (now: Now): Enabled => {
	const item = sessionOf(now);
	const asks = item?.state === 'permission' || item?.state === 'input';
	if (item && isRequesting(item) && !isAnswerable(now.parts, item))
		return 'This service takes no answers from here: answer where the agent runs';
	const isAskedThere = item?.client !== undefined && asks && !isRequesting(item);
	const hasOther = isEmbedded(now)
		? someRequest(now.lists.all.sessions)
		: now.parts.stores.fleet.getState().requests.size > 0;
	if (asksInWords(now) || (!isAskedThere && hasOther)) return true;
	if (!item || !isOutside(now))
		return now.lists.all.needs.some(item => item.kind === 'session' && item.state === 'input')
			? 'No agent waits for a permission: {next-needs} goes to what needs you'
			: 'No agent waits for an answer';
	const jump = hasTerminal(now) === true ? ': {go-to-terminal} jumps there' : '';
	return `Answer this session in its own terminal${jump}`;
};

const canShowFolder = (now: Now): Enabled =>
	isEmbedded(now) || "This service can't show a session's folder: only the embedded service can";

const hasFolder = (now: Now): Enabled =>
	!isOutside(now) || "This session runs in another terminal: the service doesn't know its folder";

/** A notice leaves room for the first hints only. Keys of a search come before it. */
const isWritingFirst = (now: Now) => someNeedUser(now) || (now.contexts[0] === 'stream' && 'then');

const reply = {
	action: 'reply',
	keys: ['space'],
	title: 'Reply to the session',
	isEnabled: allOf(hasSession, canReply),
	run(parts, lists) {
		const {focus, dialogs} = parts.view.getState();
		const isOver = focus === 'lists' || dialogs.length > 0;
		const {sessionId = ''} = targets(parts.view.getState());
		if (isOver || isOutsideService(parts.stores.fleet.getState().sessions.get(sessionId)))
			quickReply(parts, lists);
		else compose(parts, lists);
	},
} as const satisfies Partial<BindingOf<string>>;

const answer = {
	action: 'answer-request',
	command: 'sessions answer',
	title: "Answer the agent's request at the cursor, or the oldest one",
	isEnabled: hasRequest,
	run(parts, lists) {
		const now = parts.input.now(parts, parts.view.getState(), lists);
		if (asksInWords(now)) reply.run(parts, lists);
		else answerRequest(parts);
	},
} as const satisfies Partial<BindingOf<string>>;

const workingDiff = {
	action: 'working-diff',
	command: 'sessions diff',
	title: "Changes in the session's folder since its last commit",
	/** In the footer once something has changed. */
	hintNow(now) {
		const {added = 0, removed = 0} = sessionOf(now)?.known?.session?.workFolder ?? {};
		return added + removed > 0 ? 'changes' : undefined;
	},
	isEnabled: allOf(hasSession, canShowFolder, hasFolder),
	isOffered: canShowFolder,
	run: onSession(openDiff),
} as const satisfies Partial<BindingOf<string>>;

const hasMode = (now: Now): Enabled => {
	const {agent, mode} = sessionOf(now)?.known?.session ?? {};
	return (mode !== undefined && agent !== 'shell') || 'This session has no agent whose mode could change';
};

/** The mode that a key asked for last, while the service hasn't answered: the next key goes on from it. */
const modesAsked = new WeakMap<
	AppParts,
	{readonly sessionId: string; readonly mode: PermissionMode; readonly updating: Promise<void>}
>();

const changesMode = {
	action: 'change-mode',
	command: 'sessions update',
	title: 'Mode of the agent: ask, accept edits, plan',
	isEnabled: allOf(hasSession, isAtService, hasMode),
	isOffered: hasMode,
	run: onSession((parts, sessionId) => {
		const before = modesAsked.get(parts);
		const known = parts.stores.fleet.getState().sessions.get(sessionId)?.session?.mode;
		const current = before?.sessionId === sessionId ? before.mode : known;
		const mode =
			permissionModes[permissionModes.indexOf(current as PermissionMode) + 1] ?? permissionModes[0];
		const update = async () => {
			await before?.updating;
			await updateSession(parts.actions, sessionId, {mode});
			if (modesAsked.get(parts) === own) modesAsked.delete(parts);
		};
		const own = {sessionId, mode, updating: Promise.resolve().then(update)};
		modesAsked.set(parts, own);
	}),
} as const satisfies Partial<BindingOf<string>>;

/** Keys for what the agent of a session asks and does, and for what it is told. */
export const agentBindings = bindingsOf([
	{
		...reply,
		hint: 'reply',
		isFirst: now => needsUser(now) && !requests(now),
		contexts: ['sessions', 'inbox'],
	},
	// There, the key that writes is the same.
	{...reply, contexts: ['stream']},
	{
		...answer,
		keys: ['!'],
		hint: 'answer',
		// Elsewhere it answers another agent's request.
		hintNow: now => (requests(now) ? undefined : ''),
		isFirst: requests,
		contexts: ['sessions', 'stream', 'inbox', 'session-table'],
	},
	{...answer, keys: ['!'], contexts: ['computers', 'computer', 'computer-table', 'events', 'organization']},
	{...answer, keys: [], contexts: ['composer']},
	{...workingDiff, keys: ['d'], contexts: inSessions},
	{...workingDiff, keys: [], contexts: ['composer']},
	{...changesMode, keys: ['shift+tab'], hint: 'mode', contexts: ['composer']},
	{...changesMode, keys: [], contexts: inSessions},
	...bindingsIn({contexts: inSessions}, [
		{
			action: 'go-to-terminal',
			keys: ['J'],
			title: 'Jump to the tmux pane of a session in another terminal',
			isEnabled: allOf(hasSession, hasTerminal),
			run: onSession((parts, sessionId, {all}) => {
				const signal = all.sessionsById.get(sessionId)?.signal;
				if (signal) void goToTerminal(parts.actions, signal);
			}),
		},
		{
			action: 'continue-here',
			command: 'sessions continue',
			keys: ['C'],
			title: 'Continue an ended session of another terminal here',
			isEnabled: allOf(hasSession, canContinue),
			run: onSession(async (parts, sessionId, {all}) => {
				const signal = all.sessionsById.get(sessionId)?.signal;
				if (!signal || parts.creating.has(signal.sessionId)) return;
				parts.creating.add(signal.sessionId);
				const hasMovedOn = watchInput(parts);
				const result = await continueHere(parts.actions, signal).finally(() => {
					parts.creating.delete(signal.sessionId);
				});
				if (result.isDone) showNewSession(parts, result.value.sessionId, hasMovedOn());
			}),
		},
	]),
	{
		...interruptAgent,
		keys: [],
		title: 'Interrupt the agent at work ({interrupt} in the open session)',
		contexts: ['sessions', 'session-table'],
	},
	{
		action: 'compose',
		keys: ['enter'],
		title: "Write a message, or jump to the session's own terminal",
		hint: 'write',
		hintNow: now => (isOutside(now) ? 'terminal' : undefined),
		isFirst: isWritingFirst,
		isEnabled: allOf(hasSession, canWriteOrGo),
		contexts: ['stream'],
		run: compose,
	},
	{
		action: 'write-in-editor',
		keys: ['ctrl+g'],
		title: 'Write to the session in $VISUAL or $EDITOR',
		isEnabled: allOf(hasSession, canWrite),
		contexts: ['sessions', 'stream'],
		run(parts, lists) {
			compose(parts, lists);
			writeInEditor(parts);
		},
	},
	{
		...interruptAgent,
		hintNow: now => (isTurnRunning(now) ? 'interrupt' : undefined),
		contexts: ['stream'],
	},
	{
		action: 'discard',
		command: 'outbox discard',
		keys: ['x'],
		title: 'Take an undelivered message back into the composer',
		isEnabled: canTakeBack,
		contexts: inSessions,
		run(parts, lists) {
			const id = takenBack(parts.input.now(parts, parts.view.getState(), lists));
			if (id !== undefined) takeBack(parts, id);
		},
	},
]);

/** Opens the session's composer; for a session outside the service, goes to its terminal. */
function compose(parts: AppParts, lists: Lists): void {
	const {sessionId} = targets(parts.view.getState());
	if (sessionId === undefined) return;
	const item = lists.all.sessions.find(({id}) => id === sessionId);
	const stream = parts.stores.streams.getState().open.get(sessionId);
	if (!runsOutside(item, stream)) {
		openSession(parts, sessionId, 'composer');
		return;
	}
	openSession(parts, sessionId, 'main');
	if (item?.signal?.process) void goToTerminal(parts.actions, item.signal);
	else notify(parts.actions, 'info', 'This session runs in another terminal: answer it there');
}
