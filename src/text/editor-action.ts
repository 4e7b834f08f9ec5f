/** A user action in the composer. `width` is the editor's width in columns, as for `editorView`. */
export type EditorAction =
	| {readonly type: 'insert' | 'paste'; readonly text: string}
	/** Replaces the whole text (the result of `$EDITOR`); can be undone. */
	| {readonly type: 'set'; readonly text: string}
	/** Replaces the text from `start` up to `end`, for completion. */
	| {readonly type: 'replace'; readonly start: number; readonly end: number; readonly text: string}
	| {readonly type: 'up' | 'down'; readonly width: number}
	/** Moves the cursor to a cell of the laid-out text, or to the nearest one. */
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
