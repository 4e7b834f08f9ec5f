import {editorView} from '../../text/editor/editor-layout.ts';
import {layoutPanes} from '../layout.ts';
import {composerColumns} from './composer-pane.tsx';
import type {Composer} from './composers.ts';

const maxRows = 30;

/** Rows of a composer on a screen of `columns`: its text (at least one) and its attachments. */
export function composerRows(composer: Composer | undefined, columns: number, share?: number): number {
	if (!composer) return 1;
	const attached = composer.images.length + composer.files.length > 0 ? 1 : 0;
	if (composer.editor.text === '') return 1 + attached;
	const {composer: rect} = layoutPanes(columns, 50, {
		needs: 0,
		sessions: 0,
		computers: 0,
		composer: 1,
		side: 'main',
		share,
	});
	return composerRowsIn(composer, rect?.width ?? columns);
}

/** The same for a composer that is itself `width` columns wide. */
export function composerRowsIn(composer: Composer | undefined, width: number): number {
	if (!composer) return 1;
	const attached = composer.images.length + composer.files.length > 0 ? 1 : 0;
	return editorView(composer.editor, composerColumns(width), maxRows).lines.length + attached;
}
