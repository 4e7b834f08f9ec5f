import type {CollapsedRange} from '../domain/collapsed-range.ts';
import {foldParts, keepPlain} from './editor-chips.ts';

/** A text and where its cursor stands, to come back to. */
export type Snapshot = {readonly text: string; readonly cursor: number};

/**
 * What the composer holds. `text` is raw, as typed, with one private code point for each folded paste
 * (`editorText` puts them back). `cursor` is an index into it, always between graphemes.
 */
export type EditorState = Snapshot & {
	/** Folded pastes, by their code point. Only added to, so that undo always finds them. */
	readonly pastes: readonly string[];
	/** The visual column that up and down keep to. */
	readonly column?: number;
	/** Deleted words and lines, newest first, with their pastes put back. */
	readonly kills: readonly string[];
	readonly undo: readonly Snapshot[];
	readonly redo: readonly Snapshot[];
	/** Messages sent before, oldest first. */
	readonly history: readonly string[];
	/** Which of them is shown, and what stood there before. */
	readonly browsing?: {readonly index: number; readonly draft: Snapshot};
	/** What the last action was, for what goes on from it. */
	readonly last: LastAction;
};

export type LastAction =
	| {readonly kind: 'typing' | 'kill-back' | 'kill-forward' | 'other'}
	| {readonly kind: 'yank'; readonly start: number; readonly index: number};

/** An editor with a text (a kept draft, with what was folded of it) and the messages sent before, the cursor at the end. */
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
