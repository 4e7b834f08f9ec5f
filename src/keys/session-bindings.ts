import {allOf, canCreate, hasMessage, hasService, hasSession} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const isUnsettled = (state: KeyState): Enabled =>
	state.isUnsettled || 'Only for your failed or unconfirmed messages';

const canTakeBack = (state: KeyState): Enabled =>
	state.canTakeBack || 'Only for your queued, failed or unconfirmed messages';

const canReply = (state: KeyState): Enabled =>
	!state.isOutside || 'This session runs outside the service: answer it in its own terminal';

/** In place of writing to a session outside the service. */
const canWriteOrGo = (state: KeyState): Enabled => !state.isOutside || state.terminal;

const isAtService = (state: KeyState): Enabled =>
	!state.isOutside || 'This session runs outside the service, which has nothing to change';

const hasRequest = (state: KeyState): Enabled =>
	state.hasRequest ||
	(state.sessionId === undefined
		? 'No agent waits for an answer'
		: 'No request is open here: {reply} answers a question in plain words');

const isInterruptible = (state: KeyState): Enabled =>
	!state.isOutside || 'This session runs outside the service: interrupt it in its own terminal';

const hasFolder = (state: KeyState): Enabled => {
	if (!state.isEmbedded) return "This service can't show a session's folder: only the embedded service can";
	return !state.isOutside || "This session runs outside the service, which doesn't know its folder";
};

const canCollapseGroup = (state: KeyState): Enabled =>
	state.isGroupCollapsed === undefined
		? 'There is no group here: {group-sessions} groups the other sessions'
		: !state.isGroupCollapsed || 'This group is collapsed: {expand-group} expands it';

const canExpandGroup = (state: KeyState): Enabled =>
	state.isGroupCollapsed === true || 'Only for a collapsed group';

const onSession = {contexts: ['sessions', 'stream']} as const;
const onSessionAndRow = {contexts: ['sessions', 'stream', 'session-table']} as const;
const inStream = {contexts: ['stream']} as const;
const onOutgoing = {contexts: ['stream', 'session-table']} as const;

const editsSession = {
	action: 'edit-session',
	title: 'Edit the session: local name, models, tags, tools',
	isEnabled: allOf(hasSession, hasService, isAtService),
} as const;

const answer = {
	action: 'answer-request',
	title: 'Answer request: what the agent asks here, or the oldest request if no session is selected',
	isEnabled: hasRequest,
} as const;

const workingDiff = {
	action: 'working-diff',
	title: "Changes in the session's folder since its last commit",
	isEnabled: allOf(hasSession, hasFolder),
} as const;

const newSession = {
	action: 'new-session',
	keys: ['n'],
	title: 'New session: asks what it should do',
	hint: 'new session',
	hintNow: ({hasComputer}: KeyState) => (hasComputer ? undefined : 'first session'),
	isEnabled: canCreate,
} as const;

/** Keys for a session and the message at its cursor. */
export const sessionBindings = [
	{
		action: 'reply',
		keys: ['space'],
		title: 'Reply to the session; from a list, without opening it',
		hint: 'reply',
		contexts: ['sessions', 'stream', 'inbox'],
		isEnabled: allOf(hasSession, canReply),
	},
	{
		...answer,
		keys: ['!'],
		hint: 'answer',
		contexts: ['sessions', 'stream', 'inbox', 'session-table'],
	},
	{
		...answer,
		keys: ['!'],
		contexts: ['computers', 'computer', 'computer-table', 'events', 'organization'],
	},
	{...answer, keys: [], contexts: ['composer']},
	{
		...workingDiff,
		keys: ['d'],
		contexts: ['sessions', 'stream', 'session-table'],
	},
	{...workingDiff, keys: [], contexts: ['composer']},
	{
		action: 'remove-worktree',
		keys: [],
		title: "Remove the worktree: delete the session's own git worktree, once merged",
		contexts: ['sessions', 'stream', 'session-table'],
		isEnabled: allOf(hasSession, state => state.hasWorktree || 'This session has no worktree of its own'),
	},
	{
		action: 'go-to-terminal',
		keys: ['J'],
		title: 'Jump to the terminal of a session outside the service: its tmux pane',
		contexts: ['sessions', 'stream', 'session-table'],
		isEnabled: allOf(hasSession, state => state.terminal),
	},
	{
		action: 'continue-here',
		keys: ['C'],
		title: 'Continue an ended session of another terminal here, in the embedded service',
		contexts: ['sessions', 'stream', 'session-table'],
		isEnabled: allOf(hasSession, state => state.continuation),
	},
	{
		action: 'interrupt-agent',
		keys: [],
		title: 'Interrupt the agent',
		contexts: ['sessions', 'stream', 'session-table', 'composer'],
		isEnabled: allOf(hasSession, isInterruptible),
	},
	{
		...onSessionAndRow,
		action: 'pin',
		keys: ['p'],
		title: 'Pin the session to the top of its group, or unpin it',
		isEnabled: hasSession,
	},
	{
		action: 'rename-session',
		keys: ['e'],
		title: 'Rename the session on this machine',
		contexts: ['sessions', 'session-table'],
		isEnabled: hasSession,
	},
	{
		action: 'sort-sessions',
		keys: ['o'],
		title: 'Sort sessions: by attention, last activity, name',
		contexts: ['sessions'],
	},
	{
		action: 'group-sessions',
		keys: ['O'],
		title: 'Group sessions: by state, computer, first tag, folder, or not',
		contexts: ['sessions'],
	},
	{
		action: 'density',
		keys: ['L'],
		title: 'Lines of a session: two for busy ones, two for all, one for all',
		contexts: ['sessions'],
	},
	{
		action: 'collapse-group',
		keys: ['h', 'left'],
		title: 'Collapse the group',
		contexts: ['sessions'],
		isEnabled: canCollapseGroup,
	},
	{
		action: 'expand-group',
		keys: ['l', 'right'],
		title: 'Expand the group',
		contexts: ['sessions'],
		isEnabled: canExpandGroup,
	},
	{
		action: 'expand-group',
		keys: ['enter'],
		title: 'Expand the group',
		hint: 'expand',
		contexts: ['heading'],
		isEnabled: canExpandGroup,
	},
	{
		...inStream,
		action: 'compose',
		keys: ['enter'],
		title: 'Write a message; to a session outside the service, jump to its terminal',
		hint: 'write',
		hintNow: ({isOutside}: KeyState) => (isOutside ? 'terminal' : undefined),
		isEnabled: allOf(hasSession, canWriteOrGo),
	},
	{...onSessionAndRow, ...newSession},
	{contexts: ['computers', 'computer'], ...newSession},
	{
		...onSessionAndRow,
		action: 'session-form',
		keys: ['S'],
		title: 'New session, with a form: computer, folder, models, tags and tools',
		isEnabled: canCreate,
	},
	{
		...inStream,
		action: 'expand',
		keys: ['e'],
		title: 'Expand or collapse the message',
		hint: 'expand',
		isEnabled: allOf(hasMessage, state => state.canCollapse || 'Nothing in this message is collapsed'),
	},
	{
		...inStream,
		action: 'expand-all',
		keys: ['E'],
		title: 'Expand or collapse all messages',
		isEnabled: hasMessage,
	},
	{...inStream, action: 'copy', keys: ['y'], title: 'Copy the message', hint: 'copy', isEnabled: hasMessage},
	{
		...onOutgoing,
		action: 'resend',
		keys: ['R'],
		title: 'Send an unconfirmed or failed message again',
		isEnabled: isUnsettled,
	},
	{
		...onOutgoing,
		action: 'discard',
		keys: ['x'],
		title: 'Take a queued, unconfirmed or failed message back into the composer',
		isEnabled: canTakeBack,
	},
	{
		...onSessionAndRow,
		action: 'details',
		keys: ['i'],
		title: 'Session details: settings, tokens, sources and ages',
		isEnabled: hasSession,
	},
	{
		...editsSession,
		keys: ['E'],
		contexts: ['sessions', 'session-table'],
	},
	{...editsSession, ...inStream, keys: ['ctrl+e']},
	{
		...onSession,
		action: 'archive',
		keys: ['X'],
		title: 'Archive the session, or show it here again',
		isEnabled: allOf(hasSession, hasService, isAtService),
	},
] as const;
