import {copyText} from '../../../actions/copy-text.ts';
import {readWorkingDiff} from '../../../actions/work-folder.ts';
import {asPatch, type WorkingDiff} from '../../../domain/sessions/work-folder.ts';
import {type KeyPress, singleKeys} from '../../../keys/key-press.ts';
import {pushDialog} from '../../../state/view/dialogs.ts';
import {setView, type ViewStore} from '../../../state/view/view.ts';
import type {KeyLayer} from '../../input.ts';
import {fieldText, textAfterKey} from '../../kit/text-field.tsx';
import {layoutNow} from '../../layout-now.ts';
import type {AppParts, Parts} from '../../use-app.ts';
import type {DialogOf} from '../dialog-module.ts';
import {changeDialog, listLayer, notifyInDialog, topDialog} from '../list-layer.ts';
import {documentOf, maxTopOf} from './diff-document.ts';
import {frameOf} from './diff-frame.ts';
import {matchingRows} from './find-in-diff.ts';
import {strings as text} from './strings.ts';

type DiffState = DialogOf<'diff'>;

/** Columns that one key scrolls lines by. */
const columnStep = 8;
const maxLeft = 4000;

/** Opens the changes of a session's folder and reads them. */
export function openDiff(parts: Parts<'actions' | 'view'>, sessionId: string): void {
	setView(parts.view, view =>
		pushDialog(view, {kind: 'diff', sessionId, isSinceBase: false, isReading: true, top: 0, left: 0}),
	);
	void readDiff(parts, {sessionId, isSinceBase: false});
}

async function readDiff(
	parts: Parts<'actions' | 'view'>,
	{sessionId, isSinceBase}: Pick<DiffState, 'sessionId' | 'isSinceBase'>,
	uncommitted?: WorkingDiff,
): Promise<void> {
	const result = await readWorkingDiff(parts.actions, sessionId, isSinceBase);
	const hasNoBase = result.isDone && result.value.problem === 'no-base';
	if (hasNoBase && uncommitted) notifyInDialog(parts, 'diff', text.noBase);
	changeDialog(parts.view, 'diff', dialog => {
		if (dialog.sessionId !== sessionId || dialog.isSinceBase !== isSinceBase) return dialog;
		const {problem: _, ...rest} = dialog;
		if (hasNoBase && uncommitted) return {...rest, isReading: false, isSinceBase: false, diff: uncommitted};
		if (result.isDone) return {...rest, isReading: false, diff: result.value};
		return {...rest, isReading: false, problem: [result.what, result.hint].filter(Boolean).join(' ')};
	});
}

/** The changes that the dialog shows, the rows that fit, and the last row that can be the first one shown. */
function shownIn(parts: AppParts, dialog: DiffState) {
	const {height} = frameOf(layoutNow(parts));
	const changes = dialog.diff && documentOf(dialog.diff);
	return {changes, height, maxTop: changes ? maxTopOf(changes, height) : 0};
}

/** Scrolls to the row that `next` returns for the first visible one, as far as there are rows. */
export function scrollTo(parts: AppParts, next: (top: number) => number): void {
	changeDialog(parts.view, 'diff', dialog => {
		const {maxTop} = shownIn(parts, dialog);
		return {...dialog, top: Math.max(0, Math.min(maxTop, next(dialog.top)))};
	});
}

/** Goes to the next match below (1) or above (-1) the last one; 0: to the first one from the top of the screen on. */
export function goToMatch(parts: AppParts, by: 1 | -1 | 0): void {
	changeDialog(parts.view, 'diff', dialog => {
		const {changes, height, maxTop} = shownIn(parts, dialog);
		const {find} = dialog;
		if (!changes || !find) return dialog;
		const rows = matchingRows(changes, find.words);
		const from = find.row ?? dialog.top - 1;
		const row =
			by === -1
				? (rows.findLast(one => one < from) ?? rows.at(-1))
				: (rows.find(one => (by === 0 ? one >= dialog.top : one > from)) ?? rows[0]);
		if (row === undefined) {
			const {row: _, ...rest} = find;
			return {...dialog, find: rest};
		}
		const isVisible = row >= dialog.top && row < dialog.top + height;
		const top = isVisible ? dialog.top : Math.max(0, Math.min(maxTop, row - Math.floor(height / 3)));
		return {...dialog, top, find: {...find, row}};
	});
}

/** Keys of the changes. Characters that were read together are keys one after another. */
export function diffLayer(parts: AppParts, opened: DiffState): KeyLayer {
	return {
		isModal: true,
		handle(press, isAlone) {
			for (const single of singleKeys(press)) {
				const dialog = topDialog(parts.view, 'diff');
				if (dialog) handleKey(parts, dialog, single, isAlone);
			}
			return 'consumed';
		},
		paste(pasted) {
			const {find} = opened;
			if (find?.isTyping) findWords(parts, find.words + fieldText(pasted));
			return 'consumed';
		},
	};
}

function handleKey(parts: AppParts, dialog: DiffState, press: KeyPress, isAlone: boolean): void {
	if (dialog.find?.isTyping) {
		typeWords(parts, dialog.find, press);
		return;
	}
	const {height, maxTop} = shownIn(parts, dialog);
	const action = parts.keys.find(['diff'], press.name)?.action;
	if (action === 'cancel' && dialog.find) endFind(parts.view);
	else
		listLayer(parts, {
			context: 'diff',
			index: Math.min(dialog.top, maxTop),
			page: Math.max(1, height - 1),
			count: () => maxTop + 1,
			moved: top => changeDialog(parts.view, 'diff', now => ({...now, top})),
		}).handle(press, isAlone);
}

export function scrollToTop(parts: AppParts): void {
	scrollTo(parts, () => 0);
}

export function scrollToEnd(parts: AppParts, dialog: DiffState): void {
	const {changes, height} = shownIn(parts, dialog);
	scrollTo(parts, () => (changes?.length ?? 0) - height);
}

export function scrollColumns({view}: Parts<'view'>, by: 1 | -1): void {
	changeDialog(view, 'diff', now => ({
		...now,
		left: Math.max(0, Math.min(maxLeft, now.left + by * columnStep)),
	}));
}

export function refreshDiff(parts: Parts<'actions' | 'view'>, dialog: DiffState): void {
	if (dialog.isReading) return;
	changeDialog(parts.view, 'diff', now => ({...now, isReading: true}));
	void readDiff(parts, dialog);
}

/** Switches between everything since the base branch and only what is uncommitted. */
export function toggleBase(
	parts: Parts<'actions' | 'view'>,
	{sessionId, isSinceBase: wasSinceBase, diff}: DiffState,
): void {
	const isSinceBase = !wasSinceBase;
	changeDialog(parts.view, 'diff', ({diff: _, problem: __, find: ___, ...now}) => ({
		...now,
		isSinceBase,
		isReading: true,
		top: 0,
		left: 0,
	}));
	void readDiff(parts, {sessionId, isSinceBase}, isSinceBase ? diff : undefined);
}

export function goToFile(parts: AppParts, dialog: DiffState, by: 1 | -1): void {
	const {changes, maxTop} = shownIn(parts, dialog);
	if (!changes) return;
	const top = Math.min(dialog.top, maxTop);
	const index = changes.fileAt(top);
	const isInside = top > changes.rowOf(index);
	const next = by > 0 ? index + 1 : isInside ? index : index - 1;
	if (next < changes.files.length) scrollTo(parts, () => changes.rowOf(Math.max(0, next)));
}

export function copyChanges(parts: AppParts, dialog: DiffState, isAll: boolean): void {
	const {changes, maxTop} = shownIn(parts, dialog);
	const file = changes?.files[changes.fileAt(Math.min(dialog.top, maxTop))];
	if (!changes || !file) return;
	const what = isAll ? text.allCopied : text.fileCopied(file.path);
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
