import type {CollapsedRange} from '../../domain/messages/timeline.ts';
import {foldParts, keepPlain} from './editor.ts';
import type {deletions, kills, motions} from './editor-motions.ts';

/** A text and its cursor, for undo. */
export type Snapshot = {readonly text: string; readonly cursor: number};

/**
 * The composer's state. `text` is raw, as typed, with one private-use code point for each folded paste
 * (`editorText` restores them). `cursor` is an index into it, always between graphemes.
 */
export type EditorState = Snapshot & {
	/** Folded pastes, by their code point. Append-only, so that undo always finds them. */
	readonly pastes: readonly string[];
	/** The visual column that up and down aim for. */
	readonly column?: number;
	/** Deleted words and lines, newest first, unfolded. */
	readonly kills: readonly string[];
	readonly undo: readonly Snapshot[];
	readonly redo: readonly Snapshot[];
	/** Sent messages, oldest first. */
	readonly history: readonly string[];
	/** The history entry shown, and the draft it replaced. */
	readonly browsing?: {readonly index: number; readonly draft: Snapshot};
	/** The last action, for actions that continue it. */
	readonly last: LastAction;
};

export type LastAction =
	| {readonly kind: 'typing' | 'kill-back' | 'kill-forward' | 'other'}
	| {readonly kind: 'yank'; readonly start: number; readonly index: number};

/** Creates an editor with a text, such as a saved draft, and the sent messages; the cursor is at the end. */
export function createEditor(
	text = '',
	history: readonly string[] = [],
	folds?: readonly CollapsedRange[],
): EditorState {
	const {token, pastes} = folds ? foldParts(text, folds, []) : keepPlain(text, []);
	return {
		text: token,
		cursor: token.length,
		pastes,
		kills: [],
		undo: [],
		redo: [],
		history,
		last: {kind: 'other'},
	};
}

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
				| keyof typeof motions
				| keyof typeof deletions
				| keyof typeof kills
				| 'yank'
				| 'yank-pop'
				| 'transpose'
				| 'unfold'
				| 'undo'
				| 'redo'
				| 'history-previous'
				| 'history-next';
	  };
