import type {KeyPress} from '../../../keys/key-press.ts';
import {askToConfirm, setView} from '../../../state/view/view.ts';
import {editorReduce} from '../../../text/editor/editor.ts';
import type {EditorAction} from '../../../text/editor/editor-state.ts';
import {composerAt, setComposer} from '../../composer/composers.ts';
import {editorActionOf} from '../../composer/editing-bindings.ts';
import {layoutNow} from '../../layout-now.ts';
import {openSession} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import type {DialogOf} from '../dialog-module.ts';
import {changeDialog, notifyInDialog} from '../list-layer.ts';
import {moveToComposer, openComment, removeComment} from './diff-comments.ts';
import {frameOf, shownIn} from './diff-frame.ts';

type DiffState = DialogOf<'diff'>;

/** Begins a comment on the line at the cursor, or goes on with the one that is there. */
export function beginComment(parts: AppParts, dialog: DiffState): void {
	const {changes, row: at} = shownIn(parts, dialog, layoutNow(parts));
	if (!changes) return;
	const row = changes.lineRowOf(at);
	const place = changes.placeAt(row);
	const writing = changes.commentAt(at)?.id ?? (place && openComment(parts, dialog.sessionId, place));
	if (writing === undefined)
		notifyInDialog(parts, 'diff', 'Move the cursor to a line of code or to a file to comment on it.');
	else changeDialog(parts.view, 'diff', now => ({...now, row, writing}));
}

/** Ends writing; the comment stays at its line, unless it is empty. */
export function keepComment({drafts, view}: AppParts): void {
	drafts.flush();
	changeDialog(view, 'diff', ({writing: _, ...now}) => now);
}

/** Removes the comment at the cursor, or the first one whose line isn't shown, after a question. */
export function askToRemoveComment(parts: AppParts, dialog: DiffState): void {
	const {changes, row} = shownIn(parts, dialog, layoutNow(parts));
	const comment = changes?.commentAt(row) ?? changes?.hidden[0];
	if (!comment) notifyInDialog(parts, 'diff', 'No comment is at the cursor.');
	else
		askToConfirm(parts.view, {
			title: 'Remove this comment?',
			text: comment.words,
			yes: () => removeComment(parts, comment.id),
		});
}

/** Puts all comments into the session's composer, and goes there: the user sends them. */
export function writeMessage(parts: AppParts, {sessionId}: DiffState): void {
	moveToComposer(parts, sessionId);
	setView(parts.view, view => ({...view, dialogs: []}));
	openSession(parts, sessionId, 'composer');
}

export function writeComment(parts: AppParts, id: string, press: KeyPress): void {
	const {writerWidth: width} = frameOf(layoutNow(parts));
	if (press.text !== '') editComment(parts, id, {type: 'insert', text: press.text});
	else if (parts.input.handleKey(parts, press, ['comment']) === 'ignored') {
		const action = parts.keys.find(['composer'], press.name)?.action;
		const editing = editorActionOf(action);
		if (editing) editComment(parts, id, editing);
		else if (action === 'row-up') editComment(parts, id, {type: 'up', width});
		else if (action === 'row-down') editComment(parts, id, {type: 'down', width});
	}
}

export function editComment({composers, drafts}: AppParts, id: string, action: EditorAction): void {
	const composer = composerAt(composers, id);
	if (!composer) return;
	setComposer(composers, id, {...composer, editor: editorReduce(composer.editor, action)});
	drafts.changed(id);
}
