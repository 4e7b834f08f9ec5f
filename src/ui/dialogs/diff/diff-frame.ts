import {editorView} from '../../../text/editor/editor-layout.ts';
import {composerAt} from '../../composer/composers.ts';
import {dialogRect} from '../../kit/dialog-rect.ts';
import type {Layout} from '../../layout.ts';
import type {AppParts} from '../../use-app.ts';
import type {DialogOf} from '../dialog-module.ts';
import {commentsOf} from './diff-comments.ts';
import {documentOf} from './diff-document.ts';

/** Most rows for a comment that is being written. */
const maxWriterRows = 6;
/** Columns before the words of a comment that is being written. */
export const writerStart = 3;
/** Minimum width, in columns, for the list of files beside the changes; and the list's width. */
const minWidthWithList = 96;
const list = {share: 0.28, min: 26, max: 48} as const;

export type Frame = ReturnType<typeof frameOf>;

/** The dialog's rectangle, the columns of the list of files (0 without one), and the size of the changes. */
export function frameOf(layout: Layout) {
	const rect = dialogRect(layout, layout.columns, layout.rows);
	const inner = rect.width - 2;
	const hasList = inner >= minWidthWithList && !layout.isScreenReader;
	const listWidth = hasList ? Math.min(list.max, Math.max(list.min, Math.floor(inner * list.share))) : 0;
	return {
		rect,
		listWidth,
		width: inner - listWidth - (hasList ? 3 : 2),
		/** Columns of a comment that is being written. */
		writerWidth: inner - writerStart - 1,
		// The last row is for the search.
		height: Math.max(1, rect.height - 3),
	};
}

/** The changes as they are shown, with the comment that is being written below them. */
export function shownIn(
	{composers}: AppParts,
	{diff, sessionId, row, top, writing}: DialogOf<'diff'>,
	layout: Layout,
) {
	const frame = frameOf(layout);
	const all = commentsOf(composers, sessionId);
	const changes =
		diff && documentOf(diff, writing === undefined ? all : all.filter(({id}) => id !== writing), frame.width);
	const composer = writing === undefined ? undefined : composerAt(composers, writing);
	const writer = composer && editorView(composer.editor, frame.writerWidth, maxWriterRows);
	const height = Math.max(1, frame.height - (writer?.lines.length ?? 0));
	const length = changes?.length ?? 0;
	const cursor = Math.max(0, Math.min(length - 1, row));
	const first = Math.max(cursor - height + 1, Math.min(cursor, top, length - height));
	return {frame, changes, comments: all.length, writer, height, row: cursor, top: Math.max(0, first)};
}
