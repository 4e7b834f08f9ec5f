import type {EditorAction} from '../../text/editor/editor-state.ts';
import {bindingsIn} from '../keys/binding.ts';
import type {AppParts} from '../use-app.ts';
import {removeAttachment} from './composer-attachments.ts';
import {edit, inComposer} from './composer-edit.ts';

/** Shell-style keys of every editable text. Each is the edit of its name, unless it says which. */
const editing = [
	{action: 'left', keys: ['left', 'ctrl+b'], title: 'Character left'},
	{action: 'right', keys: ['right', 'ctrl+f'], title: 'Character right'},
	{action: 'word-left', keys: ['ctrl+left', 'alt+left', 'alt+b'], title: 'Word left'},
	{action: 'word-right', keys: ['ctrl+right', 'alt+right', 'alt+f'], title: 'Word right'},
	{action: 'line-start', keys: ['home', 'ctrl+a'], title: 'Start of the line'},
	{action: 'line-end', keys: ['end', 'ctrl+e'], title: 'End of the line'},
	{action: 'text-start', keys: ['ctrl+home', 'alt+<'], title: 'Start of the text'},
	{action: 'text-end', keys: ['ctrl+end', 'alt+>'], title: 'End of the text'},
	{
		action: 'delete-back',
		keys: ['backspace', 'shift+backspace'],
		title: 'Delete the previous character; in an empty composer: the last attachment',
	},
	{action: 'delete-forward', keys: ['delete', 'ctrl+d'], title: 'Delete the next character'},
	{action: 'delete-blank-back', keys: ['ctrl+w'], title: 'Delete back to the last space'},
	{action: 'delete-word-back', keys: ['alt+backspace', 'ctrl+backspace'], title: 'Delete the previous word'},
	{
		action: 'delete-word-forward',
		keys: ['alt+d', 'ctrl+delete', 'alt+delete'],
		title: 'Delete the next word',
	},
	{action: 'delete-to-line-start', keys: ['ctrl+u'], title: 'Delete to the start of the line'},
	{action: 'delete-to-line-end', keys: ['ctrl+k'], title: 'Delete to the end of the line'},
	{action: 'yank', keys: ['ctrl+y'], title: 'Paste the last deleted text'},
	{action: 'yank-pop', keys: ['alt+y'], title: 'After {yank}: the text deleted before that'},
	{action: 'transpose', keys: ['ctrl+t'], title: 'Swap two characters'},
	{action: 'undo-edit', keys: ['ctrl+_', 'ctrl+/', 'ctrl+-'], title: 'Undo', edit: 'undo'},
	{action: 'redo-edit', keys: ['alt+_', 'alt+-'], title: 'Redo', edit: 'redo'},
] as const;

/**
 * Those keys in the composer; other texts ask for `editorActionOf`. Keys that tmux may intercept (Ctrl+A, Ctrl+B) are
 * never the only ones for an action.
 */
export const editingBindings = bindingsIn(
	{contexts: ['composer', 'form'], isPaletteHidden: true},
	editing.map(row => ({
		action: row.action,
		keys: row.keys,
		title: row.title,
		run: (parts: AppParts) =>
			inComposer(parts, ({sessionId, composer: {editor, images, files}}) => {
				const action = editOf(row);
				if (action.type === 'delete-back' && editor.text === '')
					removeAttachment(parts, sessionId, images.length + files.length - 1);
				else edit(parts, sessionId, action);
			}),
	})),
);

function editOf(row: (typeof editing)[number]): EditorAction {
	return {type: 'edit' in row ? row.edit : row.action};
}

export function editorActionOf(action: string | undefined): EditorAction | undefined {
	const row = editing.find(one => one.action === action);
	return row && editOf(row);
}
