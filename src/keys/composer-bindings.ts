import {editingBindings} from './editing-bindings.ts';
import type {Enabled, KeyState} from './key-state.ts';

const hasAttachments = (state: KeyState): Enabled =>
	state.attachmentCount > 0 || "Nothing is attached: type @ and a file name, or paste an image's path";
const hasQueued = (state: KeyState): Enabled => state.queuedCount > 0 || 'You have no queued messages';
const hasOtherDraft = (state: KeyState): Enabled =>
	state.otherDraftCount > 0 || 'This session has no other draft';

const inSuggestions = {contexts: ['suggestions'], isMotion: true} as const;
const inPopup = {contexts: ['suggestions', 'prompts'], isMotion: true} as const;
const inNewSession = {contexts: ['new-session'], isMotion: true} as const;
const inHistory = {contexts: ['history'], isMotion: true} as const;
const inAttachments = {contexts: ['attachments'], isMotion: true} as const;
const whileWriting = {contexts: ['composer'], isMotion: true} as const;
const inComposer = {contexts: ['composer']} as const;

/**
 * Keys of the composer and the popups over it. Completions come first, so that their keys take precedence
 * while they are shown.
 */
export const composerBindings = [
	{
		...inSuggestions,
		action: 'suggestion-attach',
		keys: ['enter'],
		title: 'Attach the file; its path stays in the text',
		hint: 'attach',
	},
	{
		...inSuggestions,
		action: 'suggestion-path',
		keys: ['tab'],
		title: 'Insert only the path of the file',
		hint: 'path only',
	},
	{
		action: 'use-prompt',
		keys: ['enter', 'tab'],
		title: 'Insert the prompt; one with arguments first takes them',
		hint: 'insert',
		contexts: ['prompts'],
		isMotion: true,
	},
	{...inPopup, action: 'suggestion-up', keys: ['up', 'ctrl+p'], title: 'Previous suggestion'},
	{...inPopup, action: 'suggestion-down', keys: ['down', 'ctrl+n'], title: 'Next suggestion'},
	{
		...inPopup,
		action: 'suggestion-close',
		keys: ['escape'],
		title: 'Close the suggestions; the text stays',
		hint: 'close',
		isWayOut: true,
	},
	{...inComposer, action: 'send', keys: ['enter'], title: 'Send', hint: 'send'},
	{
		...inNewSession,
		action: 'start-session',
		keys: ['enter'],
		title: 'Create the session and send it the words',
		hint: 'start',
	},
	{
		...inNewSession,
		action: 'next-part',
		keys: ['tab'],
		title: 'Next: computer, agent, folder; left and right change them',
		hint: 'where it runs',
	},
	{
		...inNewSession,
		action: 'previous-part',
		keys: ['shift+tab'],
		title: 'Back: folder, agent, computer',
	},
	{
		...whileWriting,
		contexts: ['composer', 'new-session'],
		action: 'newline',
		keys: ['ctrl+j', 'shift+enter', 'alt+enter'],
		title: 'New line',
		hint: 'new line',
	},
	{
		...whileWriting,
		action: 'mention',
		keys: ['@'],
		title: 'Find a file to attach, or its path: @name, @~/name, @/name',
		hint: 'file',
		isFixed: true,
	},
	{
		...whileWriting,
		action: 'prompt',
		keys: ['/'],
		title: 'Saved prompts, at the start of a message: /name and arguments',
		isFixed: true,
	},
	{...inComposer, action: 'editor', keys: ['ctrl+g'], title: 'Write in $VISUAL or $EDITOR', hint: 'editor'},
	{
		...inComposer,
		action: 'attachments',
		keys: ['ctrl+x'],
		title: 'Attachments: view or remove',
		hint: 'attachments',
		isEnabled: hasAttachments,
	},
	{...inComposer, action: 'history-search', keys: ['ctrl+r'], title: 'Search sent messages', hint: 'history'},
	{
		...inNewSession,
		action: 'keep-draft',
		keys: ['escape'],
		title: 'Close; the words stay for the next time',
		hint: 'keep the words',
		isWayOut: true,
	},
	{
		action: 'take-back',
		keys: ['alt+up'],
		title: 'Take back your newest queued message',
		contexts: ['composer', 'stream'],
		isEnabled: hasQueued,
	},
	{
		...inComposer,
		action: 'other-draft',
		keys: ['alt+o'],
		title: "Swap with this session's draft from another window",
		isEnabled: hasOtherDraft,
	},
	{...inComposer, action: 'unfold', keys: ['ctrl+o'], title: 'Show a collapsed paste'},
	{
		...inComposer,
		action: 'leave',
		keys: ['escape'],
		title: 'Leave the composer; the draft stays',
		hint: 'leave',
		isWayOut: true,
	},
	{
		...whileWriting,
		action: 'row-up',
		keys: ['up'],
		title: 'Row up; in an empty composer: earlier sent messages',
	},
	{...whileWriting, action: 'row-down', keys: ['down'], title: 'Row down; after Up: later sent messages'},
	...editingBindings,
	{
		...inHistory,
		action: 'history-take',
		keys: ['enter', 'tab'],
		title: 'Copy it to the composer',
		hint: 'take',
	},
	{
		...inHistory,
		action: 'history-older',
		keys: ['down', 'ctrl+r', 'ctrl+n'],
		title: 'Previous',
		hint: 'older',
	},
	{...inHistory, action: 'history-newer', keys: ['up', 'ctrl+s', 'ctrl+p'], title: 'Next'},
	{
		...inHistory,
		action: 'history-close',
		keys: ['escape', 'ctrl+g'],
		title: 'Close the search; the text stays',
		hint: 'close',
		isWayOut: true,
	},
	{...inAttachments, action: 'attachment-down', keys: ['down', 'j'], title: 'Next attachment'},
	{...inAttachments, action: 'attachment-up', keys: ['up', 'k'], title: 'Previous attachment'},
	{
		...inAttachments,
		action: 'attachment-remove',
		keys: ['x', 'delete', 'backspace'],
		title: 'Remove the attachment',
		hint: 'remove',
	},
	{
		...inAttachments,
		action: 'attachments-close',
		keys: ['escape', 'enter', 'ctrl+x'],
		title: 'Close the attachments',
		hint: 'close',
		isWayOut: true,
	},
] as const;
