import type {CollapsedRange} from '../../domain/messages/timeline.ts';
import {
	type Folded,
	foldParts,
	foldPaste,
	foldsAgain,
	foldsOf,
	isTooLong,
	keepPlain,
	pasteOf,
	unfold,
} from './editor-chips.ts';
import {editorRows, indexAt, positionOf} from './editor-layout.ts';
import {
	deletions,
	isKeyOf,
	kills,
	lineEnd,
	lineStart,
	motions,
	nearestBoundary,
	nextBoundary,
	previousBoundary,
} from './editor-motions.ts';
import type {EditorAction, EditorState, LastAction, Snapshot} from './editor-state.ts';

const limits = {undo: 200, kills: 30} as const;
const other: LastAction = {kind: 'other'};

/** The text to send, with its folded pastes restored. */
export function editorText(state: EditorState): string {
	return unfold(state.text, state.pastes);
}

/** The ranges of that text that are shown folded. */
export function editorFolds(state: EditorState): CollapsedRange[] {
	return foldsOf(state.text, state.pastes);
}

/** Returns the next state. Pure; an action without effect returns a state with the same text and cursor. */
export function editorReduce(state: EditorState, action: EditorAction): EditorState {
	const {text, cursor} = state;
	if (isKeyOf(motions, action.type)) return moveTo(state, motions[action.type](text, cursor));
	if (isKeyOf(deletions, action.type)) return remove(state, ...deletions[action.type](text, cursor), other);
	if (isKeyOf(kills, action.type)) return kill(state, ...kills[action.type](text, cursor));
	switch (action.type) {
		case 'insert':
			return insert(state, action.text);
		case 'paste':
			return put(state, foldPaste(action.text, state.pastes), state.cursor, other);
		case 'set':
			return setText(state, action.text);
		case 'replace':
			return put({...state, cursor: action.end}, keepPlain(action.text, state.pastes), action.start, other);
		case 'up':
		case 'down':
			return moveRow(state, action.type === 'up' ? -1 : 1, action.width);
		case 'point':
			return moveTo(state, pointed(state, action));
		case 'yank':
			return yank(state, 0, state.cursor);
		case 'yank-pop':
			return state.last.kind === 'yank' ? yank(state, state.last.index + 1, state.last.start) : state;
		case 'transpose':
			return transpose(state);
		case 'unfold':
			return unfoldChip(state);
		case 'undo':
			return travel(state, 'undo', 'redo');
		case 'redo':
			return travel(state, 'redo', 'undo');
		case 'history-previous':
			return browse(state, -1);
		case 'history-next':
			return browse(state, 1);
	}
}

function moveTo(state: EditorState, cursor: number): EditorState {
	const {column: _, ...rest} = state;
	return {...rest, cursor, last: other};
}

function pointed({text, pastes}: EditorState, at: EditorAction & {type: 'point'}): number {
	const rows = editorRows(text, pastes, at.width);
	return indexAt(rows, Math.max(0, Math.min(rows.length - 1, at.row)), Math.max(0, at.column));
}

function moveRow(state: EditorState, by: 1 | -1, width: number): EditorState {
	const rows = editorRows(state.text, state.pastes, width);
	const {x, y} = positionOf(rows, state.cursor);
	const column = state.column ?? x;
	const to = y + by;
	if (to < 0) return {...state, cursor: 0, column, last: other};
	if (to >= rows.length) return {...state, cursor: state.text.length, column, last: other};
	return {...state, cursor: indexAt(rows, to, column), column, last: other};
}

/** Consecutive typing without white space is undone as one step. */
function insert(state: EditorState, text: string): EditorState {
	const continuesTyping = state.last.kind === 'typing' && !/\s/.test(text);
	return put(state, keepPlain(text, state.pastes), state.cursor, {kind: 'typing'}, continuesTyping);
}

/** Replaces the text between `start` and the cursor. */
function put(
	state: EditorState,
	{token, pastes}: Folded,
	start: number,
	last: LastAction,
	continuesTyping = false,
): EditorState {
	if (token === '') return state;
	const text = state.text.slice(0, start) + token + state.text.slice(state.cursor);
	return change(
		{...state, pastes},
		{text, cursor: nearestBoundary(text, start + token.length)},
		last,
		continuesTyping,
	);
}

/** Replaces the whole text. Keeps pastes folded where they are found again; the same text changes nothing. */
function setText(state: EditorState, raw: string): EditorState {
	const folds = foldsAgain(state.text, state.pastes, raw);
	const {token, pastes} = foldParts(raw, folds, state.pastes);
	if (unfold(token, pastes) === editorText(state)) return {...state, last: other};
	return change({...state, pastes}, {text: token, cursor: token.length}, other);
}

/** Swaps the two characters around the cursor, or the two before it at the end of a line. */
function transpose(state: EditorState): EditorState {
	const {text, cursor} = state;
	const isAtEnd = cursor === lineEnd(text, cursor);
	const middle = isAtEnd ? previousBoundary(text, cursor) : cursor;
	const start = previousBoundary(text, middle);
	if (middle === lineStart(text, middle) || start === middle) return {...state, last: other};
	const end = nextBoundary(text, middle);
	const swapped = text.slice(middle, end) + text.slice(start, middle);
	const next = text.slice(0, start) + swapped + text.slice(end);
	return change(state, {text: next, cursor: nearestBoundary(next, end)}, other);
}

/** Unfolds the chip at or before the cursor. */
function unfoldChip(state: EditorState): EditorState {
	const {text, cursor, pastes} = state;
	const chipRange = [
		[cursor, nextBoundary(text, cursor)] as const,
		[previousBoundary(text, cursor), cursor] as const,
	].find(([start, end]) => pasteOf(text.slice(start, end), pastes) !== undefined);
	const paste = chipRange && pasteOf(text.slice(...chipRange), pastes);
	if (!chipRange || paste === undefined || isTooLong(paste)) return {...state, last: other};
	return put({...state, cursor: chipRange[1]}, {token: paste, pastes}, chipRange[0], other);
}

function remove(state: EditorState, start: number, end: number, last: LastAction): EditorState {
	if (start === end) return {...state, last: state.last.kind === last.kind ? state.last : other};
	const text = state.text.slice(0, start) + state.text.slice(end);
	return change(state, {text, cursor: nearestBoundary(text, start)}, last);
}

/** Consecutive kills in one direction form one entry of the kill ring. */
function kill(state: EditorState, start: number, end: number): EditorState {
	if (start === end) return {...state, last: other};
	const last: LastAction = {kind: end === state.cursor ? 'kill-back' : 'kill-forward'};
	const words = unfold(state.text.slice(start, end), state.pastes);
	const [newest = '', ...older] = state.kills;
	const grown = last.kind === 'kill-back' ? words + newest : newest + words;
	const all = state.last.kind === last.kind ? [grown, ...older] : [words, ...state.kills];
	return remove({...state, kills: all.slice(0, limits.kills)}, start, end, last);
}

function yank(state: EditorState, index: number, start: number): EditorState {
	if (state.kills.length === 0) return state;
	const turn = index % state.kills.length;
	const folded = foldPaste(state.kills[turn] ?? '', state.pastes);
	return put(state, folded, start, {kind: 'yank', start, index: turn});
}

/** Changes the text: saves the old one for undo and clears redo. */
function change(state: EditorState, to: Snapshot, last: LastAction, continuesTyping = false): EditorState {
	const {column: _, browsing: __, ...rest} = state;
	const current: Snapshot = {text: state.text, cursor: state.cursor};
	const undo = continuesTyping ? state.undo : [...state.undo, current].slice(-limits.undo);
	return {...rest, ...to, undo, redo: [], last};
}

function travel(state: EditorState, from: 'undo' | 'redo', to: 'undo' | 'redo'): EditorState {
	const target = state[from].at(-1);
	if (!target) return {...state, last: other};
	const {column: _, browsing: __, ...rest} = state;
	const current: Snapshot = {text: state.text, cursor: state.cursor};
	return {...rest, ...target, [from]: state[from].slice(0, -1), [to]: [...state[to], current], last: other};
}

/** Navigates the sent messages; past the newest comes the draft. */
function browse(state: EditorState, by: 1 | -1): EditorState {
	const from = state.browsing?.index ?? state.history.length;
	const index = from + by;
	if (index < 0 || index > state.history.length || (by === 1 && !state.browsing)) return state;
	const draft = state.browsing?.draft ?? {text: state.text, cursor: state.cursor};
	const {column: _, browsing: __, ...rest} = state;
	if (index === state.history.length) return {...rest, ...draft, last: other};
	const {token, pastes} = keepPlain(state.history[index] ?? '', state.pastes);
	return {...rest, text: token, cursor: token.length, pastes, browsing: {index, draft}, last: other};
}
