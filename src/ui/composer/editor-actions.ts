import type {ActionName} from '../../keys/bindings.ts';
import type {EditorAction} from '../../text/editor-action.ts';

/** Edits that keys make to text, in the composer and in form fields. */
export const editorActions = {
	left: {type: 'left'},
	right: {type: 'right'},
	'word-left': {type: 'word-left'},
	'word-right': {type: 'word-right'},
	'line-start': {type: 'line-start'},
	'line-end': {type: 'line-end'},
	'text-start': {type: 'text-start'},
	'text-end': {type: 'text-end'},
	'delete-back': {type: 'delete-back'},
	'delete-forward': {type: 'delete-forward'},
	'delete-blank-back': {type: 'delete-blank-back'},
	'delete-word-back': {type: 'delete-word-back'},
	'delete-word-forward': {type: 'delete-word-forward'},
	'delete-to-line-start': {type: 'delete-to-line-start'},
	'delete-to-line-end': {type: 'delete-to-line-end'},
	yank: {type: 'yank'},
	'yank-pop': {type: 'yank-pop'},
	transpose: {type: 'transpose'},
	'undo-edit': {type: 'undo'},
	'redo-edit': {type: 'redo'},
} as const satisfies Partial<Record<ActionName, EditorAction>>;

/** The edit bound to an action, if any. */
export function editorActionOf(action: ActionName | undefined): EditorAction | undefined {
	return (editorActions as Partial<Record<ActionName, EditorAction>>)[action as ActionName];
}
