import {copyText} from '../../../actions/copy-text.ts';
import {readWorkingDiff} from '../../../actions/work-folder.ts';
import {asPatch} from '../../../domain/sessions/work-folder.ts';
import {type KeyPress, singleKeys} from '../../../keys/key-press.ts';
import {nextOfRepository} from '../../../state/sessions/shared-files.ts';
import {pushDialog} from '../../../state/view/dialogs.ts';
import {setView, type ViewStore} from '../../../state/view/view.ts';
import type {KeyLayer, KeyOutcome} from '../../input.ts';
import {fieldText, textAfterKey} from '../../kit/text-field.tsx';
import type {Layout} from '../../layout.ts';
import {layoutNow} from '../../layout-now.ts';
import type {AppParts} from '../../use-app.ts';
import type {DialogOf} from '../dialog-module.ts';
import {changeDialog, listLayer, topDialog} from '../list-layer.ts';
import {editComment, writeComment} from './comment-keys.ts';
import {loadComments} from './diff-comments.ts';
import {shownIn} from './diff-frame.ts';
import {matchingRows} from './find-in-diff.ts';

type DiffState = DialogOf<'diff'>;

/** Columns that one key scrolls lines by. */
const columnStep = 8;
const maxLeft = 4000;

export function openDiff(parts: AppParts, sessionId: string): void {
	loadComments(parts, sessionId);
	setView(parts.view, view => pushDialog(view, unread(sessionId, false)));
	void readDiff(parts, {sessionId, isSinceBase: false});
}

function unread(sessionId: string, isSinceBase: boolean): DiffState {
	return {kind: 'diff', sessionId, isSinceBase, isReading: true, except: [], row: 0, top: 0, left: 0};
}

/** Shows the changes of the next session of the repository in place of the open ones. */
export function goToNextSession(parts: AppParts, {sessionId, isSinceBase}: DiffState): void {
	const next = nextOfRepository(parts.stores.fleet.getState().sessions, sessionId);
	if (next === undefined) return;
	loadComments(parts, next);
	changeDialog(parts.view, 'diff', () => unread(next, isSinceBase));
	void readDiff(parts, {sessionId: next, isSinceBase});
}

async function readDiff(
	parts: AppParts,
	{sessionId, isSinceBase}: Pick<DiffState, 'sessionId' | 'isSinceBase'>,
): Promise<void> {
	const result = await readWorkingDiff(parts.actions, sessionId, isSinceBase);
	changeDialog(parts.view, 'diff', dialog => {
		if (dialog.sessionId !== sessionId || dialog.isSinceBase !== isSinceBase) return dialog;
		const {problem: _, ...rest} = dialog;
		if (result.isDone) {
			const {except} = rest;
			// What was left out is what the next commit is about.
			const isOnlyLeft = result.value.files?.every(({path}) => except.includes(path));
			return {...rest, isReading: false, diff: result.value, except: isOnlyLeft ? [] : except};
		}
		return {...rest, isReading: false, problem: [result.what, result.hint].filter(Boolean).join(' ')};
	});
}

/** Moves the cursor to a row, and the rows shown with it if they would hide it. More than one row moves all. */
export function moveTo(parts: AppParts, next: number, top?: number): void {
	changeDialog(parts.view, 'diff', dialog => {
		const now = shownIn(parts, dialog, layoutNow(parts));
		const by = next - now.row;
		return {...dialog, row: next, top: top ?? (Math.abs(by) > 1 ? Math.max(0, now.top + by) : now.top)};
	});
}

/** Scrolls by rows. The cursor moves along only if it would be hidden. */
export function scrollBy(parts: AppParts, by: number): void {
	changeDialog(parts.view, 'diff', dialog => {
		const {changes, height, row, top} = shownIn(parts, dialog, layoutNow(parts));
		const next = Math.max(0, Math.min((changes?.length ?? 0) - height, top + by));
		return {...dialog, top: next, row: Math.max(next, Math.min(next + height - 1, row))};
	});
}

/** Goes to the next match below (1) or above (-1) the last one; 0: to the first one from the top of the screen on. */
export function goToMatch(parts: AppParts, by: 1 | -1 | 0): void {
	changeDialog(parts.view, 'diff', dialog => {
		const {changes, height, top: from} = shownIn(parts, dialog, layoutNow(parts));
		const {find} = dialog;
		if (!changes || !find) return dialog;
		const rows = matchingRows(changes, find.words);
		const last = find.row ?? from - 1;
		const row =
			by === -1
				? (rows.findLast(one => one < last) ?? rows.at(-1))
				: (rows.find(one => (by === 0 ? one >= from : one > last)) ?? rows[0]);
		if (row === undefined) {
			const {row: _, ...rest} = find;
			return {...dialog, find: rest};
		}
		const isVisible = row >= from && row < from + height;
		const top = isVisible ? from : Math.max(0, row - Math.floor(height / 3));
		return {...dialog, row, top, find: {...find, row}};
	});
}

/** Keys of the changes. Characters that were read together are keys one after another. */
export function diffLayer(parts: AppParts, opened: DiffState): KeyLayer {
	return {
		isModal: true,
		handle(press, isAlone) {
			// Keys that were read together; once one of them begins a comment, the others are its words.
			let outcome: KeyOutcome = 'consumed';
			for (const single of opened.writing === undefined ? singleKeys(press) : [press]) {
				const dialog = topDialog(parts.view.getState(), 'diff');
				if (dialog) outcome = handleKey(parts, dialog, single, isAlone);
			}
			return outcome;
		},
		paste(pasted) {
			const {find, writing} = opened;
			if (writing !== undefined) editComment(parts, writing, {type: 'paste', text: pasted});
			else if (find?.isTyping) findWords(parts, find.words + fieldText(pasted));
			return 'consumed';
		},
	};
}

function handleKey(parts: AppParts, dialog: DiffState, press: KeyPress, isAlone: boolean): KeyOutcome {
	const action = parts.keys.find(['diff'], press.name)?.action;
	if (dialog.find?.isTyping) typeWords(parts, dialog.find, press);
	else if (dialog.writing !== undefined) writeComment(parts, dialog.writing, press);
	else if (action === 'cancel' && dialog.find) endFind(parts.view);
	else {
		const {changes, height, row} = shownIn(parts, dialog, layoutNow(parts));
		return listLayer(parts, {
			context: 'diff',
			index: row,
			page: Math.max(1, height - 1),
			count: () => changes?.length ?? 0,
			moved: next => moveTo(parts, next),
		}).handle(press, isAlone);
	}
	return 'consumed';
}

export function scrollColumns({view}: AppParts, by: 1 | -1): void {
	changeDialog(view, 'diff', now => ({
		...now,
		left: Math.max(0, Math.min(maxLeft, now.left + by * columnStep)),
	}));
}

export function refreshDiff(parts: AppParts, dialog: DiffState): void {
	if (dialog.isReading) return;
	changeDialog(parts.view, 'diff', now => ({...now, isReading: true}));
	void readDiff(parts, dialog);
}

/** Switches between everything since the base branch and only what is uncommitted. */
export function toggleBase(parts: AppParts, {sessionId, isSinceBase: wasSinceBase}: DiffState): void {
	const isSinceBase = !wasSinceBase;
	changeDialog(parts.view, 'diff', ({diff: _, problem: __, find: ___, ...now}) => ({
		...now,
		isSinceBase,
		isReading: true,
		row: 0,
		top: 0,
		left: 0,
	}));
	void readDiff(parts, {sessionId, isSinceBase});
}

export function goToFile(parts: AppParts, dialog: DiffState, by: 1 | -1): void {
	const {changes, row} = shownIn(parts, dialog, layoutNow(parts));
	if (!changes) return;
	const index = changes.fileAt(row);
	const isInside = row > changes.rowOf(index);
	const next = changes.rowOf(Math.max(0, by > 0 ? index + 1 : isInside ? index : index - 1));
	if (by < 0 || index + 1 < changes.files.length) moveTo(parts, next, next);
}

export function fileAtCursor(parts: AppParts, dialog: DiffState, layout: Layout) {
	const {changes, row} = shownIn(parts, dialog, layout);
	return changes?.files[changes.fileAt(row)];
}

/** Leaves the file at the cursor out of a commit, or puts it back. */
export function toggleFile(parts: AppParts, dialog: DiffState): void {
	const path = fileAtCursor(parts, dialog, layoutNow(parts))?.path;
	if (path === undefined) return;
	changeDialog(parts.view, 'diff', ({except, ...now}) => ({
		...now,
		except: except.includes(path) ? except.filter(other => other !== path) : [...except, path],
	}));
}

export function copyChanges(parts: AppParts, dialog: DiffState, isAll: boolean): void {
	const {changes, row} = shownIn(parts, dialog, layoutNow(parts));
	const file = changes?.files[changes.fileAt(row)];
	if (!changes || !file) return;
	const what = isAll ? 'all changes' : `the changes of ${file.path}`;
	void copyText(parts.actions, asPatch(isAll ? changes.files : [file]), what);
}

function typeWords(parts: AppParts, find: NonNullable<DiffState['find']>, press: KeyPress): void {
	const action = parts.keys.find(['find'], press.name)?.action;
	if (action === 'clear-find' || (action === 'keep-find' && find.words.trim() === '')) endFind(parts.view);
	else if (action === 'keep-find')
		changeDialog(parts.view, 'diff', now => ({...now, find: {...find, isTyping: false}}));
	else if (action === 'find-next') goToMatch(parts, 1);
	else if (action === 'find-previous') goToMatch(parts, -1);
	else {
		const words = textAfterKey(find.words, press, action);
		if (words !== undefined) findWords(parts, words);
	}
}

function endFind(view: ViewStore): void {
	changeDialog(view, 'diff', ({find: _, ...now}) => now);
}

function findWords(parts: AppParts, words: string): void {
	changeDialog(parts.view, 'diff', now => ({...now, find: {words, isTyping: true}}));
	goToMatch(parts, 0);
}
