/** One intent of the user in the composer. `width` is the editor's width in columns, as for `editorView`. */
export type EditorAction =
	| {readonly type: 'insert' | 'paste'; readonly text: string}
	/** Puts another text in its place (what came back from `$EDITOR`); can be undone. */
	| {readonly type: 'set'; readonly text: string}
	/** Puts a text in the place of what stands from `start` up to `end`: what was completed. */
	| {readonly type: 'replace'; readonly start: number; readonly end: number; readonly text: string}
	| {readonly type: 'up' | 'down'; readonly width: number}
	/** Puts the cursor at a cell of the text as it is laid out, or at the one nearest to it. */
	| {readonly type: 'point'; readonly row: number; readonly column: number; readonly width: number}
	| {
			readonly type:
				| Motion
				| Deletion
				| 'yank'
				| 'yank-pop'
				| 'transpose'
				| 'unfold'
				| 'undo'
				| 'redo'
				| 'history-previous'
				| 'history-next';
	  };

export type Motion =
	| 'left'
	| 'right'
	| 'word-left'
	| 'word-right'
	| 'line-start'
	| 'line-end'
	| 'text-start'
	| 'text-end';

type Deletion =
	| 'delete-back'
	| 'delete-forward'
	| 'delete-word-back'
	| 'delete-blank-back'
	| 'delete-word-forward'
	| 'delete-to-line-start'
	| 'delete-to-line-end'
	| 'clear';
