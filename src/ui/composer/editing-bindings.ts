import type {EditorAction} from '../../text/editor/editor-state.ts';
import {bindingsIn} from '../keys/binding.ts';
import type {AppParts} from '../use-app.ts';
import {removeAttachment} from './composer-attachments.ts';
import {edit, inComposer} from './composer-edit.ts';

/** Shell-style keys of every editable text, and what they do to it. */
const editing = [
	{action: 'left', keys: ['left', 'ctrl+b'], title: 'Character left', edit: {type: 'left'}},
	{action: 'right', keys: ['right', 'ctrl+f'], title: 'Character right', edit: {type: 'right'}},
	{
		action: 'word-left',
		keys: ['ctrl+left', 'alt+left', 'alt+b'],
		title: 'Word left',
		edit: {type: 'word-left'},
	},
	{
		action: 'word-right',
		keys: ['ctrl+right', 'alt+right', 'alt+f'],
		title: 'Word right',
		edit: {type: 'word-right'},
	},
	{action: 'line-start', keys: ['home', 'ctrl+a'], title: 'Start of the line', edit: {type: 'line-start'}},
	{action: 'line-end', keys: ['end', 'ctrl+e'], title: 'End of the line', edit: {type: 'line-end'}},
	{
		action: 'text-start',
		keys: ['ctrl+home', 'alt+<'],
		title: 'Start of the text',
		edit: {type: 'text-start'},
	},
	{action: 'text-end', keys: ['ctrl+end', 'alt+>'], title: 'End of the text', edit: {type: 'text-end'}},
	{
		action: 'delete-back',
		keys: ['backspace', 'shift+backspace'],
		title: 'Delete the previous character; in an empty composer: the last attachment',
		edit: {type: 'delete-back'},
	},
	{
		action: 'delete-forward',
		keys: ['delete', 'ctrl+d'],
		title: 'Delete the next character',
		edit: {type: 'delete-forward'},
	},
	{
		action: 'delete-blank-back',
		keys: ['ctrl+w'],
		title: 'Delete back to the last space',
		edit: {type: 'delete-blank-back'},
	},
	{
		action: 'delete-word-back',
		keys: ['alt+backspace', 'ctrl+backspace'],
		title: 'Delete the previous word',
		edit: {type: 'delete-word-back'},
	},
	{
		action: 'delete-word-forward',
		keys: ['alt+d', 'ctrl+delete', 'alt+delete'],
		title: 'Delete the next word',
		edit: {type: 'delete-word-forward'},
	},
	{
		action: 'delete-to-line-start',
		keys: ['ctrl+u'],
		title: 'Delete to the start of the line',
		edit: {type: 'delete-to-line-start'},
	},
	{
		action: 'delete-to-line-end',
		keys: ['ctrl+k'],
		title: 'Delete to the end of the line',
		edit: {type: 'delete-to-line-end'},
	},
	{action: 'yank', keys: ['ctrl+y'], title: 'Paste the last deleted text', edit: {type: 'yank'}},
	{
		action: 'yank-pop',
		keys: ['alt+y'],
		title: 'After {yank}: the text deleted before that',
		edit: {type: 'yank-pop'},
	},
	{action: 'transpose', keys: ['ctrl+t'], title: 'Swap two characters', edit: {type: 'transpose'}},
	{action: 'undo-edit', keys: ['ctrl+_', 'ctrl+/', 'ctrl+-'], title: 'Undo', edit: {type: 'undo'}},
	{action: 'redo-edit', keys: ['alt+_', 'alt+-'], title: 'Redo', edit: {type: 'redo'}},
] as const;

/**
 * Those keys in the composer; other texts ask for `editorActionOf`. Keys that tmux may intercept (Ctrl+A, Ctrl+B) are
 * never the only ones for an action.
 */
export const editingBindings = bindingsIn(
	{contexts: ['composer', 'form'], isPaletteHidden: true},
	editing.map(({edit: action, ...row}) => ({
		...row,
		run: (parts: AppParts) =>
			inComposer(parts, ({sessionId, composer: {editor, images, files}}) => {
				if (action.type === 'delete-back' && editor.text === '')
					removeAttachment(parts, sessionId, images.length + files.length - 1);
				else edit(parts, sessionId, action);
			}),
	})),
);

/** The edit that an action makes, if it is one. */
export function editorActionOf(action: string | undefined): EditorAction | undefined {
	return editing.find(one => one.action === action)?.edit;
}
