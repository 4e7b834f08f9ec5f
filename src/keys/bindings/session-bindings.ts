import {allOf, canCreate, hasMessage, hasService, hasSession, needsUser, someNeedUser} from '../enabled.ts';
import type {KeyContext} from '../key-contexts.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

const canResend = (state: KeyState): Enabled =>
	state.canResend || 'Only for your queued, failed or unconfirmed messages';

const canTakeBack = (state: KeyState): Enabled =>
	state.canTakeBack || 'Only for your queued, failed or unconfirmed messages';

const canReply = (state: KeyState): Enabled =>
	!state.isOutside || 'This session runs outside the service: answer it in its own terminal';

/** In place of writing to a session outside the service. */
const canWriteOrGo = (state: KeyState): Enabled => !state.isOutside || state.terminal;

const isAtService = (state: KeyState): Enabled =>
	!state.isOutside || "This session runs outside the service, which can't change it";

const hasRequest = (state: KeyState): Enabled => {
	if (state.hasRequest || !state.isOutside) return state.hasRequest || 'No agent waits for an answer';
	const jump = state.terminal === true ? ': {go-to-terminal} jumps there' : '';
	return `Answer this session in its own terminal${jump}`;
};

const canInterrupt = (state: KeyState): Enabled =>
	state.isEmbedded || "This service can't interrupt an agent: only the embedded service can";

const isTurnRunning = (state: KeyState): Enabled => state.isTurnRunning || 'No agent is at work here';

const isInterruptible = (state: KeyState): Enabled =>
	state.isOutside
		? 'This session runs outside the service: interrupt it in its own terminal'
		: allOf(canInterrupt, isTurnRunning)(state);

const canShowFolder = (state: KeyState): Enabled =>
	state.isEmbedded || "This service can't show a session's folder: only the embedded service can";

const hasFolder = (state: KeyState): Enabled =>
	!state.isOutside || "This session runs outside the service, which doesn't know its folder";

const canCollapseGroup = (state: KeyState): Enabled =>
	state.isGroupCollapsed === undefined
		? 'There is no group here: {group-sessions} groups the other sessions'
		: !state.isGroupCollapsed || 'This group is collapsed: {expand-group} expands it';

const canExpandGroup = (state: KeyState): Enabled =>
	state.isGroupCollapsed === true || 'Only for a collapsed group';

const editsSession = {
	action: 'edit-session',
	title: 'Edit the session: local name, models, tags, tools',
	isEnabled: allOf(hasSession, hasService, isAtService),
} as const;

const reply = {
	action: 'reply',
	keys: ['space'],
	title: 'Reply to the session; from a list, without opening it',
	isEnabled: allOf(hasSession, canReply),
} as const;

const answer = {
	action: 'answer-request',
	title: 'Answer request: what the agent at the cursor asks, or the oldest request of any',
	isEnabled: hasRequest,
} as const;

/** Interrupts the session's agent. */
export const interruptAgent = {
	action: 'interrupt-agent',
	keys: ['ctrl+c'],
	title: 'Interrupt the agent at work; again quits',
	isEnabled: allOf(hasSession, isInterruptible),
	isOffered: canInterrupt,
} as const;

const workingDiff = {
	action: 'working-diff',
	title: "Changes in the session's folder since its last commit",
	isEnabled: allOf(hasSession, canShowFolder, hasFolder),
	isOffered: canShowFolder,
} as const;

const newSession = {
	action: 'new-session',
	keys: ['n'],
	title: 'New session: asks what it should do',
	hint: 'new session',
	isEnabled: canCreate,
} as const;

const onSession = ['sessions', 'stream', 'session-table'] as const;

/** A notice leaves room for the first hints only. Keys of a search or a mark come before it. */
const isWritingFirst = (state: KeyState, contexts: readonly KeyContext[]) =>
	someNeedUser(state, contexts) || (contexts[0] === 'stream' && 'then');

/** Keys for a session and the message at its cursor. */
export const sessionBindings = [
	{...reply, hint: 'reply', isFirst: needsUser, contexts: ['sessions', 'inbox']},
	// There, the key that writes is the same.
	{...reply, contexts: ['stream']},
	{
		...answer,
		keys: ['!'],
		hint: 'answer',
		isFirst: () => true,
		contexts: ['sessions', 'stream', 'inbox', 'session-table'],
	},
	{...answer, keys: ['!'], contexts: ['computers', 'computer', 'computer-table', 'events', 'organization']},
	{...answer, keys: [], contexts: ['composer']},
	{...workingDiff, keys: ['d'], contexts: onSession},
	{...workingDiff, keys: [], contexts: ['composer']},
	...bindingsIn({contexts: onSession}, [
		{
			action: 'remove-worktree',
			keys: [],
			title: "Remove the worktree: delete the session's own git worktree, once merged",
			isEnabled: allOf(hasSession, state => state.hasWorktree || 'This session has no worktree of its own'),
		},
		{
			action: 'go-to-terminal',
			keys: ['J'],
			title: 'Jump to the terminal of a session outside the service: its tmux pane',
			isEnabled: allOf(hasSession, state => state.terminal),
		},
		{
			action: 'continue-here',
			keys: ['C'],
			title: 'Continue an ended session of another terminal here, in the embedded service',
			isEnabled: allOf(hasSession, state => state.continuation),
		},
	]),
	{
		...interruptAgent,
		keys: [],
		title: 'Interrupt the agent at work ({interrupt} in its stream)',
		contexts: ['sessions', 'session-table'],
	},
	{
		action: 'pin',
		keys: ['p'],
		title: 'Pin the session to the top of its group, or unpin it',
		isEnabled: hasSession,
		contexts: onSession,
	},
	{
		action: 'rename-session',
		keys: ['e'],
		title: 'Rename the session on this machine',
		isEnabled: hasSession,
		contexts: ['sessions', 'session-table'],
	},
	...bindingsIn({contexts: ['sessions']}, [
		{action: 'sort-sessions', keys: ['o'], title: 'Sort sessions: by attention, last activity, name'},
		{
			action: 'group-sessions',
			keys: ['O'],
			title: 'Group sessions: by state, computer, first tag, folder, or not',
		},
		{
			action: 'density',
			keys: ['L'],
			title: 'Lines of a session: two for busy ones, two for all, one for all',
		},
		{action: 'collapse-group', keys: ['h', 'left'], title: 'Collapse the group', isEnabled: canCollapseGroup},
		{action: 'expand-group', keys: ['l', 'right'], title: 'Expand the group', isEnabled: canExpandGroup},
	]),
	{
		action: 'expand-group',
		keys: ['enter'],
		title: 'Expand the group',
		hint: 'expand',
		isEnabled: canExpandGroup,
		contexts: ['heading'],
	},
	{
		action: 'compose',
		keys: ['enter'],
		title: 'Write a message; to a session outside the service, jump to its terminal',
		hint: 'write',
		hintNow: ({isOutside}: KeyState) => (isOutside ? 'terminal' : undefined),
		isFirst: isWritingFirst,
		isEnabled: allOf(hasSession, canWriteOrGo),
		contexts: ['stream'],
	},
	{
		action: 'write-in-editor',
		keys: ['ctrl+g'],
		title: 'Write to the session in $VISUAL or $EDITOR',
		isEnabled: allOf(hasSession, canReply),
		contexts: ['sessions', 'stream'],
	},
	// The key arrives as `interrupt`, which does this first and quits when pressed again.
	{
		...interruptAgent,
		hintNow: (state: KeyState) => (state.isTurnRunning ? 'interrupt' : undefined),
		contexts: ['stream'],
	},
	{...newSession, contexts: onSession},
	{...newSession, contexts: ['computers', 'computer']},
	{
		action: 'session-form',
		keys: ['S'],
		title: 'New session, with a form: computer, folder, models, tags and tools',
		findBy: 'worktree agent mode',
		isEnabled: canCreate,
		contexts: onSession,
	},
	...bindingsIn({contexts: ['stream']}, [
		{
			action: 'expand',
			keys: ['e'],
			title: 'Expand or collapse the message',
			hint: 'expand',
			hintNow: state => (state.isMessageExpanded ? 'collapse' : undefined),
			isEnabled: allOf(hasMessage, state => state.canCollapse || 'Nothing in this message is collapsed'),
		},
		{action: 'expand-all', keys: ['E'], title: 'Expand or collapse all messages', isEnabled: hasMessage},
		{action: 'copy', keys: ['y'], title: 'Copy the message', hint: 'copy', isEnabled: hasMessage},
	]),
	...bindingsIn({contexts: ['stream', 'session-table']}, [
		{
			action: 'resend',
			keys: ['R'],
			title: 'Send an unconfirmed or failed message again, or a queued one now',
			isEnabled: canResend,
		},
		{
			action: 'discard',
			keys: ['x'],
			title: 'Take a queued, unconfirmed or failed message back into the composer',
			isEnabled: canTakeBack,
		},
	]),
	{
		action: 'details',
		keys: ['i'],
		title: 'Session details: settings, tokens, sources and ages',
		isEnabled: hasSession,
		contexts: onSession,
	},
	{...editsSession, keys: ['E', 'ctrl+e'], contexts: ['sessions', 'session-table']},
	{...editsSession, keys: ['ctrl+e'], contexts: ['stream']},
	{
		action: 'tag-session',
		keys: ['t'],
		title: 'Tag the session: add and remove tags',
		isEnabled: allOf(hasSession, hasService, isAtService),
		contexts: ['sessions', 'stream'],
	},
	{
		action: 'mark-session',
		keys: ['v'],
		title: 'Mark sessions, to act on several at once',
		isEnabled: () => 'Sessions are marked in the Sessions view: {view-sessions} opens it',
		contexts: ['sessions'],
	},
	{
		action: 'archive',
		keys: ['X'],
		title: 'Archive the session, or show it here again',
		isEnabled: allOf(hasSession, hasService, isAtService),
		contexts: ['sessions', 'stream'],
	},
] as const;
