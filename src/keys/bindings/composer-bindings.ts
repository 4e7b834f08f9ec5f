import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';
import {editingBindings} from './editing-bindings.ts';
import {interruptAgent} from './session-bindings.ts';

const hasAttachments = (state: KeyState): Enabled =>
	state.attachmentCount > 0 || "Nothing is attached: type @ and a file name, or paste an image's path";
const hasQueued = (state: KeyState): Enabled => state.queuedCount > 0 || 'You have no queued messages';
const hasOtherDraft = (state: KeyState): Enabled =>
	state.otherDraftCount > 0 || 'This session has no other draft';

/**
 * Keys of the composer and the popups over it. Completions come first, so that their keys take precedence
 * while they are shown.
 */
export const composerBindings = [
	...bindingsIn({contexts: ['suggestions'], isPaletteHidden: true}, [
		{
			action: 'suggestion-attach',
			keys: ['enter'],
			title: 'Attach the file; its path stays in the text',
			hint: 'attach',
		},
		{action: 'suggestion-path', keys: ['tab'], title: 'Insert only the path of the file', hint: 'path only'},
	]),
	{
		action: 'use-prompt',
		keys: ['enter', 'tab'],
		title: 'Insert the prompt; if it has arguments, type them first',
		hint: 'insert',
		contexts: ['prompts'],
		isPaletteHidden: true,
	},
	...bindingsIn({contexts: ['suggestions', 'prompts'], isPaletteHidden: true}, [
		{action: 'suggestion-up', keys: ['up', 'ctrl+p'], title: 'Previous suggestion'},
		{action: 'suggestion-down', keys: ['down', 'ctrl+n'], title: 'Next suggestion'},
		{
			action: 'suggestion-close',
			keys: ['escape'],
			title: 'Close the suggestions; the text stays',
			hint: 'close',
			isWayOut: true,
		},
	]),
	...bindingsIn({contexts: ['composer']}, [
		{action: 'send', keys: ['enter'], title: 'Send', hint: 'send'},
		// Early, because a narrow footer keeps the first hints only.
		{
			action: 'leave',
			keys: ['escape'],
			title: 'Leave the composer; the draft stays',
			hint: 'leave',
			isWayOut: true,
		},
	]),
	{
		...interruptAgent,
		title: 'Interrupt the agent at work, if the composer is empty; again quits',
		hintNow: (state: KeyState) => (state.isTurnRunning && state.isComposerEmpty ? 'interrupt' : undefined),
		contexts: ['composer'],
	},
	...bindingsIn({contexts: ['new-session'], isPaletteHidden: true}, [
		{
			action: 'start-session',
			keys: ['enter'],
			title: 'Create the session and send the text',
			hint: 'start',
		},
		{
			action: 'next-part',
			keys: ['tab'],
			title: 'Next: computer, agent, folder; left and right change them',
			hint: 'where it runs',
			hintNow: ({newSessionPart: part}: KeyState) =>
				part === 'folder' ? 'back to the text' : part === 'words' ? undefined : 'next',
		},
		{action: 'previous-part', keys: ['shift+tab'], title: 'Back: folder, agent, computer'},
	]),
	{
		action: 'newline',
		keys: ['ctrl+j', 'shift+enter', 'alt+enter'],
		title: 'New line',
		hint: 'new line',
		contexts: ['composer', 'new-session'],
		isPaletteHidden: true,
		isEnabled: ({newSessionPart = 'words'}: KeyState) =>
			newSessionPart === 'words' || 'Only the text can have several lines',
	},
	...bindingsIn({contexts: ['composer']}, [
		{
			action: 'mention',
			keys: ['@'],
			title: 'Find a file to attach, or its path: @name, @~/name, @/name',
			hint: 'file',
			isFixed: true,
			isPaletteHidden: true,
		},
		{
			action: 'prompt',
			keys: ['/'],
			title: 'Saved prompts, at the start of a message: /name and arguments',
			isFixed: true,
			isPaletteHidden: true,
		},
		{action: 'editor', keys: ['ctrl+g'], title: 'Write in $VISUAL or $EDITOR', hint: 'editor'},
		{
			action: 'attachments',
			keys: ['ctrl+x'],
			title: 'Attachments: view or remove',
			hint: 'attachments',
			isEnabled: hasAttachments,
		},
		{action: 'history-search', keys: ['ctrl+r'], title: 'Search sent messages', hint: 'history'},
	]),
	{
		action: 'keep-draft',
		keys: ['escape'],
		title: 'Close; the text and where it runs are kept for next time',
		hint: 'save and close',
		isWayOut: true,
		contexts: ['new-session'],
		isPaletteHidden: true,
	},
	{
		action: 'take-back',
		keys: ['alt+up'],
		title: 'Take back your newest queued message',
		isEnabled: hasQueued,
		contexts: ['composer', 'stream'],
	},
	...bindingsIn({contexts: ['composer']}, [
		{
			action: 'other-draft',
			keys: ['alt+o'],
			title: "Swap with this session's draft from another window",
			isEnabled: hasOtherDraft,
		},
		{action: 'unfold', keys: ['ctrl+o'], title: 'Show a collapsed paste'},
		{
			action: 'row-up',
			keys: ['up'],
			title: 'Row up; in an empty composer: earlier sent messages',
			isPaletteHidden: true,
		},
		{
			action: 'row-down',
			keys: ['down'],
			title: 'Row down; after Up: later sent messages',
			isPaletteHidden: true,
		},
		{
			action: 'messages-up',
			keys: ['pageup'],
			title: 'Scroll the messages half a page up',
			isPaletteHidden: true,
		},
		{
			action: 'messages-down',
			keys: ['pagedown'],
			title: 'Scroll the messages half a page down',
			isPaletteHidden: true,
		},
	]),
	...editingBindings,
	...bindingsIn({contexts: ['history'], isPaletteHidden: true}, [
		{action: 'history-take', keys: ['enter', 'tab'], title: 'Copy it to the composer', hint: 'take'},
		{action: 'history-older', keys: ['down', 'ctrl+r', 'ctrl+n'], title: 'Previous', hint: 'older'},
		{action: 'history-newer', keys: ['up', 'ctrl+s', 'ctrl+p'], title: 'Next'},
		{
			action: 'history-close',
			keys: ['escape', 'ctrl+g'],
			title: 'Close the search; the text stays',
			hint: 'close',
			isWayOut: true,
		},
	]),
	...bindingsIn({contexts: ['attachments'], isPaletteHidden: true}, [
		{action: 'attachment-down', keys: ['down', 'j'], title: 'Next attachment'},
		{action: 'attachment-up', keys: ['up', 'k'], title: 'Previous attachment'},
		{
			action: 'attachment-remove',
			keys: ['x', 'delete', 'backspace'],
			title: 'Remove the attachment',
			hint: 'remove',
		},
		{
			action: 'attachments-close',
			keys: ['escape', 'enter', 'ctrl+x'],
			title: 'Close the attachments',
			hint: 'close',
			isWayOut: true,
		},
	]),
] as const;
