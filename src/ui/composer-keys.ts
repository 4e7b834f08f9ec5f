import type {KeyPress} from '../keys/key-press.ts';
import type {KeyAnswer} from '../keys/layers.ts';
import {editorReduce} from '../text/editor.ts';
import type {EditorAction} from '../text/editor-action.ts';
import {cursorEdge} from '../text/editor-view.ts';
import {type Composer, setComposer} from './composers.ts';
import type {AppParts} from './use-app.ts';

type Simple = Exclude<EditorAction['type'], 'insert' | 'paste' | 'set' | 'replace' | 'up' | 'down'>;

/** Editing keys, as shells have them; Ctrl+A and Ctrl+B stay free for tmux. */
const simple: Readonly<Record<string, Simple>> = {
	left: 'left',
	right: 'right',
	'ctrl+left': 'word-left',
	'alt+left': 'word-left',
	'ctrl+right': 'word-right',
	'alt+right': 'word-right',
	home: 'line-start',
	end: 'line-end',
	'ctrl+e': 'line-end',
	'ctrl+home': 'text-start',
	'ctrl+end': 'text-end',
	backspace: 'delete-back',
	delete: 'delete-forward',
	'ctrl+d': 'delete-forward',
	'ctrl+w': 'delete-word-back',
	'alt+backspace': 'delete-word-back',
	'alt+delete': 'delete-word-forward',
	'ctrl+u': 'delete-to-line-start',
	'ctrl+k': 'delete-to-line-end',
	'ctrl+y': 'yank',
	'ctrl+_': 'undo',
	'ctrl+r': 'redo',
};

/** Edits the composer of a session by a key that no binding took. */
export function editByKey(parts: AppParts, sessionId: string, press: KeyPress): KeyAnswer {
	const composer = parts.composers.getState().bySession.get(sessionId);
	if (!composer) return 'ignored';
	const type = simple[press.name];
	if (type) edit(parts, sessionId, {type});
	else if (press.name === 'up' || press.name === 'down')
		edit(parts, sessionId, vertical(parts, composer, press.name));
	else if (press.text !== '') edit(parts, sessionId, {type: 'insert', text: press.text});
	else return 'ignored';
	return 'consumed';
}

/** Up and down move between rows; past the ends of an untouched text they go through what was sent before. */
function vertical({sizes}: AppParts, {editor}: Composer, name: 'up' | 'down'): EditorAction {
	const {isFirstRow, isLastRow} = cursorEdge(editor, sizes.composer);
	const isBrowsing = editor.text === '' || editor.browsing !== undefined;
	if (isBrowsing && name === 'up' && isFirstRow) return {type: 'history-previous'};
	if (isBrowsing && name === 'down' && isLastRow) return {type: 'history-next'};
	return {type: name, width: sizes.composer};
}

export function edit({composers, drafts}: AppParts, sessionId: string, action: EditorAction): void {
	const composer = composers.getState().bySession.get(sessionId);
	if (!composer) return;
	const editor = editorReduce(composer.editor, action);
	if (editor === composer.editor) return;
	setComposer(composers, sessionId, {...composer, editor});
	if (editor.text !== composer.editor.text) drafts.changed(sessionId);
}
