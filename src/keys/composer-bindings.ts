import {editingBindings} from './editing-bindings.ts';
import type {Enabled, KeyState} from './key-state.ts';

const hasAttachments = (facts: KeyState): Enabled =>
	facts.attachmentCount > 0 || 'Nothing is attached: type @ and a file name, or paste the path of an image';
const hasQueued = (facts: KeyState): Enabled =>
	facts.queuedCount > 0 || 'No message of yours is waiting to be sent';
const hasOtherDraft = (facts: KeyState): Enabled =>
	facts.otherDraftCount > 0 || 'Nothing else was written to this session';

/**
 * Keys of the composer and of what opens over it. Suggestions stand first: while they are shown their keys go before
 * the composer's.
 */
export const composerBindings = [
	{
		keys: ['enter'],
		action: 'suggestion-attach',
		title: 'Attach the file; its path stays in the text',
		contexts: ['suggestions'],
		hint: 'attach',
		isMotion: true,
	},
	{
		keys: ['tab'],
		action: 'suggestion-path',
		title: 'Only put the path of the file in the text',
		contexts: ['suggestions'],
		hint: 'path only',
		isMotion: true,
	},
	{
		keys: ['up', 'ctrl+p'],
		action: 'suggestion-up',
		title: 'Suggestion before',
		contexts: ['suggestions'],
		isMotion: true,
	},
	{
		keys: ['down', 'ctrl+n'],
		action: 'suggestion-down',
		title: 'Next suggestion',
		contexts: ['suggestions'],
		isMotion: true,
	},
	{
		keys: ['escape'],
		action: 'suggestion-close',
		title: 'Close the suggestions; the text stays',
		contexts: ['suggestions'],
		hint: 'close',
		isMotion: true,
		isWayOut: true,
	},
	{keys: ['enter'], action: 'send', title: 'Send', contexts: ['composer'], hint: 'send'},
	{
		keys: ['ctrl+j', 'shift+enter', 'alt+enter'],
		action: 'newline',
		title: 'New line',
		contexts: ['composer'],
		hint: 'new line',
		isMotion: true,
	},
	{
		keys: ['@'],
		action: 'mention',
		title: 'Find a file to attach, or its path: @name, @~/name, @/name',
		contexts: ['composer'],
		hint: 'file',
		isMotion: true,
		isFixed: true,
	},
	{
		keys: ['ctrl+g'],
		action: 'editor',
		title: 'Write in $VISUAL or $EDITOR',
		contexts: ['composer'],
		hint: 'editor',
	},
	{
		keys: ['ctrl+x'],
		action: 'attachments',
		title: 'Attachments: look at them, remove one',
		contexts: ['composer'],
		hint: 'attachments',
		isEnabled: hasAttachments,
	},
	{
		keys: ['ctrl+r'],
		action: 'history-search',
		title: 'Search what you sent before',
		contexts: ['composer'],
		hint: 'history',
	},
	{
		keys: ['alt+up'],
		action: 'take-back',
		title: 'Take your newest queued message back, before it is on its way',
		contexts: ['composer', 'stream'],
		isEnabled: hasQueued,
	},
	{
		keys: ['alt+o'],
		action: 'other-draft',
		title: 'Swap with what was written to this session in another window',
		contexts: ['composer'],
		isEnabled: hasOtherDraft,
	},
	{
		keys: ['ctrl+o'],
		action: 'unfold',
		title: 'Show what a folded paste holds',
		contexts: ['composer'],
	},
	{
		keys: ['escape'],
		action: 'leave',
		title: 'Leave the composer; the draft stays',
		contexts: ['composer'],
		hint: 'leave',
		isWayOut: true,
	},
	{
		keys: ['up'],
		action: 'row-up',
		title: 'Row up; in an empty composer: what you sent before',
		contexts: ['composer'],
		isMotion: true,
	},
	{
		keys: ['down'],
		action: 'row-down',
		title: 'Row down; after Up: what you sent later',
		contexts: ['composer'],
		isMotion: true,
	},
	...editingBindings,
	{
		keys: ['enter', 'tab'],
		action: 'history-take',
		title: 'Put it in the composer',
		contexts: ['history'],
		hint: 'take',
		isMotion: true,
	},
	{
		keys: ['down', 'ctrl+r', 'ctrl+n'],
		action: 'history-older',
		title: 'The one before it',
		contexts: ['history'],
		hint: 'older',
		isMotion: true,
	},
	{
		keys: ['up', 'ctrl+s', 'ctrl+p'],
		action: 'history-newer',
		title: 'The one after it',
		contexts: ['history'],
		isMotion: true,
	},
	{
		keys: ['escape', 'ctrl+g'],
		action: 'history-close',
		title: 'Close the search; the text stays',
		contexts: ['history'],
		hint: 'close',
		isMotion: true,
		isWayOut: true,
	},
	{
		keys: ['down', 'j'],
		action: 'attachment-down',
		title: 'Next attachment',
		contexts: ['attachments'],
		isMotion: true,
	},
	{
		keys: ['up', 'k'],
		action: 'attachment-up',
		title: 'Attachment before',
		contexts: ['attachments'],
		isMotion: true,
	},
	{
		keys: ['x', 'delete', 'backspace'],
		action: 'attachment-remove',
		title: 'Remove the attachment',
		contexts: ['attachments'],
		hint: 'remove',
		isMotion: true,
	},
	{
		keys: ['escape', 'enter', 'ctrl+x'],
		action: 'attachments-close',
		title: 'Close the attachments',
		contexts: ['attachments'],
		hint: 'close',
		isMotion: true,
		isWayOut: true,
	},
] as const;
