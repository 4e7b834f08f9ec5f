import type {CollapsedRange} from '../../domain/messages/timeline.ts';
import {cleanLine} from '../cells/clean.ts';
import {type Safe, safe} from '../cells/safe.ts';
import {lineCount} from '../messages/collapsed-rows.ts';
import {byteSize} from '../values/numbers.ts';
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

/**
 * A big paste is one private-use code point in the text (a chip), so that it moves and is deleted as one.
 * Text that contains such code points itself is always folded: typed text is never mistaken for a chip.
 */
const firstChip = 0xf0000;
const lastChip = 0xffffd;
const chip = /[\u{f0000}-\u{ffffd}]/gu;

/** A paste over either limit is folded. */
const pasteLimit = {lines: 8, length: 1000} as const;
/** Any text over either limit is folded, whatever its source: laying out all its rows would slow down typing. */
const textLimit = {lines: 400, length: 32 * 1024} as const;

/** Text as it's stored in the editor, and the pastes it refers to. */
export type Folded = {readonly token: string; readonly pastes: readonly string[]};

/** Inserts a paste as is if small, else as a chip. Line ends become LF. */
function foldPaste(raw: string, pastes: readonly string[]): Folded {
	const text = normalLines(raw);
	return isOver(pasteLimit, text) ? asChip(text, pastes) : keepPlain(text, pastes);
}

/** For text that is typed, or comes from the history or an editor: folded only if huge. */
export function keepPlain(raw: string, pastes: readonly string[]): Folded {
	const text = normalLines(raw);
	return text.search(chip) === -1 && !isOver(textLimit, text) ? {token: text, pastes} : asChip(text, pastes);
}

/** Folds the given ranges of a text again. Skips ranges that don't fit the text. */
export function foldParts(raw: string, folds: readonly CollapsedRange[], pastes: readonly string[]): Folded {
	const text = normalLines(raw);
	if (text !== raw || text.search(chip) !== -1) return keepPlain(text, pastes);
	let token = '';
	let at = 0;
	let all = pastes;
	for (const [start, end] of folds) {
		if (!(start >= at && end > start && end <= text.length)) continue;
		const folded = asChip(text.slice(start, end), all);
		token += text.slice(at, start) + folded.token;
		all = folded.pastes;
		at = end;
	}
	token += text.slice(at);
	return isOver(textLimit, token) ? asChip(text, pastes) : {token, pastes: all};
}

/** The ranges of a text's chips in the unfolded text. */
function foldsOf(text: string, pastes: readonly string[]): CollapsedRange[] {
	let shift = 0;
	return Array.from(text.matchAll(chip), ({0: token, index}): CollapsedRange => {
		const length = pasteOf(token, pastes)?.length ?? token.length;
		const start = index + shift;
		shift += length - token.length;
		return [start, start + length];
	});
}

/** Finds the pastes of `before` in another text, in the same order. */
function foldsAgain(before: string, pastes: readonly string[], raw: string): CollapsedRange[] {
	const text = normalLines(raw);
	let from = 0;
	return Array.from(before.matchAll(chip), ([token]) => pasteOf(token, pastes) ?? '').flatMap(
		(paste): CollapsedRange[] => {
			const start = paste === '' ? -1 : text.indexOf(paste, from);
			if (start === -1) return [];
			from = start + paste.length;
			return [[start, from]];
		},
	);
}

/** Whether the text must stay folded: its length or private-use code points of its own prevent unfolding. */
function isTooLong(text: string): boolean {
	return isOver(textLimit, text) || text.search(chip) !== -1;
}

function isOver(limit: {readonly lines: number; readonly length: number}, text: string): boolean {
	return text.length > limit.length || lineCount(text) > limit.lines;
}

function asChip(text: string, pastes: readonly string[]): Folded {
	if (firstChip + pastes.length > lastChip) return {token: text.replaceAll(chip, '\ufffd'), pastes};
	return {token: String.fromCodePoint(firstChip + pastes.length), pastes: [...pastes, text]};
}

/** Replaces the chips of a text with their pastes. */
function unfold(text: string, pastes: readonly string[]): string {
	return text.replaceAll(chip, token => pasteOf(token, pastes) ?? token);
}

/** The paste of a grapheme, if it's a chip. */
export function pasteOf(grapheme: string, pastes: readonly string[]): string | undefined {
	const code = grapheme.codePointAt(0) ?? 0;
	return code >= firstChip && code <= lastChip ? pastes[code - firstChip] : undefined;
}

export function chipLabel(paste: string): Safe {
	const lines = lineCount(paste);
	if (lines > 1) return safe`[pasted ${lines} lines]`;
	return safe`[pasted ${byteSize(Buffer.byteLength(paste))}: ${cleanLine(paste.slice(0, 12))}]`;
}

function normalLines(text: string): string {
	return text.toWellFormed().replace(/\r\n?/g, '\n');
}
