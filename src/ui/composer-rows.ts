import {editorView} from '../text/editor-view.ts';
import type {Composer} from './composers.ts';
import {layoutPanes} from './layout.ts';
import {composerColumns} from './panes/composer-pane.tsx';

const most = 30;

/** Rows that the text of a composer fills on a screen of so many columns; at least one. */
export function composerRows(composer: Composer | undefined, columns: number): number {
	if (!composer || composer.editor.text === '') return 1;
	const {composer: rect} = layoutPanes(columns, 50, {
		needs: 0,
		sessions: 0,
		computers: 0,
		composer: 1,
		side: 'main',
	});
	return editorView(composer.editor, composerColumns(rect?.width ?? columns), most).lines.length;
}
