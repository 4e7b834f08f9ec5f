import {copyText} from '../../../actions/copy-text.ts';
import {readWorkingDiff} from '../../../actions/work-folder.ts';
import {asPatch, type WorkingDiff} from '../../../domain/sessions/work-folder.ts';
import type {ActionName} from '../../../keys/bindings.ts';
import {type KeyPress, singleKeys} from '../../../keys/key-press.ts';
import type {KeyLayer} from '../../../keys/layers.ts';
import {pushDialog} from '../../../state/dialogs.ts';
import {cleanLine, cleanText} from '../../../text/cells/clean.ts';
import {takeLastColumns} from '../../../text/cells/cut.ts';
import {fitLine, type Line, padLine, span} from '../../../text/cells/line.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {textWidth} from '../../../text/cells/width.ts';
import {wrapText} from '../../../text/cells/wrap.ts';
import {findMatches, highlightMatches} from '../../../text/search/search-matches.ts';
import {dialogRect} from '../../kit/dialog-rect.ts';
import type {Row} from '../../kit/frame.ts';
import {Pane} from '../../kit/pane.tsx';
import {scrolledTop} from '../../kit/scroll.ts';
import {fieldText, textAfterKey} from '../../kit/text-field.tsx';
import {useScreenCursor} from '../../kit/use-screen-cursor.ts';
import type {Layout} from '../../layout.ts';
import {layoutNow} from '../../layout-now.ts';
import {useZone, zoneOrder} from '../../mouse/zones.ts';
import {setView} from '../../set-view.ts';
import {type AppParts, useApp} from '../../use-app.ts';
import type {DialogOf, DialogProps} from '../dialog-module.ts';
import {changeDialog, listLayer} from '../list-layer.ts';
import {strings} from '../strings.ts';
import {countSpans, type DiffDocument, documentOf, fileRow} from './diff-document.ts';

type DiffState = DialogOf<'diff'>;

const text = strings.diff;

/** From this width on, a list of the files stands beside the changes. Columns. */
const minWidthWithList = 96;
const listShare = 0.28;
const listMin = 26;
const listMax = 48;
/** Columns that one key scrolls lines by. */
const columnStep = 8;
const maxLeft = 4000;

/** Opens the changes of a session's folder and reads them. */
export function openDiff(parts: AppParts, sessionId: string): void {
	setView(parts.view, view => pushDialog(view, {kind: 'diff', sessionId, isReading: true, top: 0, left: 0}));
	void readDiff(parts, sessionId);
}

async function readDiff(parts: AppParts, sessionId: string): Promise<void> {
	const result = await readWorkingDiff(parts.actions, sessionId);
	changeDialog(parts, 'diff', dialog => {
		if (dialog.sessionId !== sessionId) return dialog;
		const {problem: _, ...rest} = dialog;
		if (result.isDone) return {...rest, isReading: false, diff: result.value};
		return {...rest, isReading: false, problem: [result.what, result.hint].filter(Boolean).join(' ')};
	});
}

type Frame = {
	readonly rect: ReturnType<typeof dialogRect>;
	/** Columns of the list of files; 0 without one. */
	readonly listWidth: number;
	readonly width: number;
	readonly height: number;
};

function frameOf(layout: Layout): Frame {
	const rect = dialogRect(layout, layout.columns, layout.rows);
	const inner = rect.width - 2;
	const hasList = inner >= minWidthWithList && !layout.isScreenReader;
	const listWidth = hasList ? Math.min(listMax, Math.max(listMin, Math.floor(inner * listShare))) : 0;
	return {
		rect,
		listWidth,
		width: inner - listWidth - (hasList ? 3 : 2),
		// The last row is for the words to find.
		height: Math.max(1, rect.height - 3),
	};
}

/** What changed in a session's folder, all files below each other. */
export function DiffView({dialog, layout, lists}: DialogProps<'diff'>) {
	const parts = useApp();
	const {diff, find} = dialog;
	const frame = frameOf(layout);
	const {rect, listWidth, height} = frame;
	const changes = diff && documentOf(diff);
	const top = scrolledTop(dialog.top, changes?.length ?? 0, height, now => now);
	const rows =
		changes && changes.length > 0 ? diffRows(changes, dialog, top, frame) : messageRows(dialog, frame);
	const listTop = changes ? firstListed(changes, top, height) : 0;
	useZone({
		rect,
		order: zoneOrder.dialog,
		wheel: by => move(parts, by),
		press({x, y}) {
			const file = changes?.files[listTop + y - 1];
			if (file && x <= listWidth && y <= height) goTo(parts, changes.rowOf(listTop + y - 1));
		},
	});
	const findText = takeLastColumns(cleanLine(find?.words ?? '', 200), Math.max(1, rect.width - 40));
	useScreenCursor(
		find?.isTyping ? {x: rect.x + 3 + textWidth(findText), y: rect.y + rect.height - 2} : undefined,
	);
	const name = lists.all.sessionsById.get(dialog.sessionId)?.name ?? dialog.sessionId;
	const below = (changes?.length ?? 0) - top - height;
	return (
		<Pane
			rect={rect}
			title={titleOf(diff, name)}
			right={[span(strings.close(parts.keys.label('cancel')), 'dim')]}
			{...(below > 0 && {bottom: [span(strings.moreBelow(below), 'dim')]})}
			isFocused
			body={[
				...rows,
				...Array.from({length: Math.max(0, height - rows.length)}, (): Row => ({line: []})),
				{line: lastLine(dialog, changes, findText)},
			]}
		/>
	);
}

function titleOf(diff: WorkingDiff | undefined, name: string): Line {
	const dot = span(safe` · `, 'dim');
	const counts = diff ? countSpans(diff) : [];
	return [
		span(text.title, 'heading'),
		dot,
		span(cleanLine(name, 60)),
		...(diff?.branch === undefined ? [] : [dot, span(cleanLine(diff.branch, 60), 'accent')]),
		...(counts.length > 0 ? [span(safe` `), ...counts] : []),
	];
}

function diffRows(changes: DiffDocument, {left, find}: DiffState, top: number, frame: Frame): Row[] {
	const {listWidth, width, height} = frame;
	const pattern = patternOf(find?.words ?? '');
	const current = changes.fileAt(top);
	const listTop = firstListed(changes, top, height);
	return Array.from({length: listWidth > 0 ? height : Math.min(height, changes.length - top)}, (_, index) => {
		const row = top + index;
		const line = row < changes.length ? changes.lineAt(row, width, left) : [];
		const found = pattern ? findMatches([line], pattern).inRow.get(0) : undefined;
		const look = {tone: 'warn', inverse: true, ...(row === find?.row && {bold: true})} as const;
		const lit = found ? highlightMatches(line, found, look) : line;
		if (listWidth === 0) return {line: [span(safe` `), ...fitLine(lit, width)]};
		const file = changes.files[listTop + index];
		const isCurrent = listTop + index === current;
		const listed = file ? fileRow(file, listWidth - 2) : [];
		return {
			line: [
				span(file && isCurrent ? safe`▌` : safe` `, 'accent'),
				...padLine(isCurrent ? listed.map(part => ({...part, bold: true})) : listed, listWidth - 1),
				span(safe`│ `, 'border'),
				...fitLine(lit, width),
			],
		};
	});
}

/** The first file in the list, so that the current one is visible. */
function firstListed(changes: DiffDocument, top: number, height: number): number {
	const current = changes.fileAt(top);
	return Math.max(0, Math.min(changes.files.length - height, current - Math.floor(height / 2)));
}

/** What stands where no changes are. */
function messageRows({diff, isReading, problem}: DiffState, {rect}: Frame): Row[] {
	const wrapped = (words: Safe, tone?: 'warn' | 'dim') =>
		wrapText(words, Math.max(8, rect.width - 6)).map(
			(row): Row => ({line: [span(safe`  `), span(row, tone)]}),
		);
	if (problem !== undefined && !diff) return [{line: []}, ...wrapped(cleanText(problem), 'warn')];
	if (!diff) return isReading ? [{line: []}, ...wrapped(text.reading, 'dim')] : [];
	const why = diff.problem;
	if (why === undefined) return [{line: []}, ...wrapped(text.nothing, 'dim')];
	const words = text.problems[why as keyof typeof text.problems] ?? text.problems.failed;
	const detail = diff.detail === undefined ? [] : wrapped(cleanText(diff.detail), 'dim');
	return [{line: []}, ...wrapped(words, 'warn'), ...detail];
}

/** The words to find and where, what is being read, or how many files aren't listed. */
function lastLine(
	{find, isReading, problem, diff}: DiffState,
	changes: DiffDocument | undefined,
	words: Safe,
): Line {
	if (find) {
		const matches = changes ? matchingRows(changes, find.words) : [];
		const at = find.row === undefined ? -1 : matches.indexOf(find.row);
		const count =
			find.words.trim() === '' ? text.findHint : text.found(at < 0 ? undefined : at + 1, matches.length);
		return [
			span(safe` / `, 'accent'),
			span(words, 'strong'),
			span(safe`   ${count}`, matches.length > 0 ? 'accent' : 'dim'),
		];
	}
	if (isReading && diff) return [span(safe` ${text.reading}`, 'info')];
	if (problem !== undefined) return [span(safe` ${cleanLine(problem)}`, 'warn')];
	return diff?.leftOut ? [span(safe` ${text.leftOut(diff.leftOut)}`, 'warn')] : [];
}

/** Code is found as it is typed, whatever characters it is made of, ignoring case. */
function patternOf(words: string): RegExp | undefined {
	const typed = cleanLine(words.trim());
	return typed === '' ? undefined : new RegExp(typed.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

let lastSearch: {changes: DiffDocument; words: string; rows: readonly number[]} | undefined;

/** The rows that hold the words. Those of the last search are kept. */
function matchingRows(changes: DiffDocument, words: string): readonly number[] {
	if (lastSearch?.changes === changes && lastSearch.words === words) return lastSearch.rows;
	const pattern = patternOf(words);
	const rows: number[] = [];
	if (pattern)
		for (let row = 0; row < changes.length; row++) {
			pattern.lastIndex = 0;
			if (pattern.test(changes.textAt(row))) rows.push(row);
		}
	lastSearch = {changes, words, rows};
	return rows;
}

/** What the top dialog shows, and how many rows of it. */
function shownIn(parts: AppParts, dialog: DiffState) {
	const {height} = frameOf(layoutNow(parts));
	const changes = dialog.diff && documentOf(dialog.diff);
	return {changes, height, maxTop: Math.max(0, (changes?.length ?? 0) - height)};
}

function goTo(parts: AppParts, row: number): void {
	changeDialog(parts, 'diff', dialog => {
		const {maxTop} = shownIn(parts, dialog);
		return {...dialog, top: Math.max(0, Math.min(maxTop, row))};
	});
}

function move(parts: AppParts, by: number): void {
	changeDialog(parts, 'diff', dialog => {
		const {maxTop} = shownIn(parts, dialog);
		return {...dialog, top: Math.max(0, Math.min(maxTop, dialog.top + by))};
	});
}

/** Goes to the next match below or above the last one, or else to the first from the top of the screen on. */
function goToMatch(parts: AppParts, by: 1 | -1 | 0): void {
	changeDialog(parts, 'diff', dialog => {
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
		name: 'diff',
		isModal: true,
		handle(press, isAlone) {
			for (const single of singleKeys(press)) {
				const dialog = parts.view.getState().dialogs.at(-1);
				if (dialog?.kind === 'diff') handleKey(parts, dialog, single, isAlone);
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
	if (action === 'cancel' && dialog.find) endFind(parts);
	else
		listLayer(parts, {
			context: 'diff',
			index: Math.min(dialog.top, maxTop),
			page: Math.max(1, height - 1),
			count: () => maxTop + 1,
			moved: top => changeDialog(parts, 'diff', now => ({...now, top})),
			chosen: chosen => act(parts, dialog, chosen),
		}).handle(press, isAlone);
}

function act(parts: AppParts, dialog: DiffState, action: ActionName): void {
	const {maxTop} = shownIn(parts, dialog);
	const change = (next: (dialog: DiffState) => DiffState) => changeDialog(parts, 'diff', next);
	const scrollColumns = (by: number) =>
		change(now => ({...now, left: Math.max(0, Math.min(maxLeft, now.left + by))}));
	if (action === 'top') goTo(parts, 0);
	else if (action === 'bottom') goTo(parts, maxTop);
	else if (action === 'next-file') goToFile(parts, dialog, 1);
	else if (action === 'previous-file') goToFile(parts, dialog, -1);
	else if (action === 'scroll-left') scrollColumns(-columnStep);
	else if (action === 'scroll-right') scrollColumns(columnStep);
	else if (action === 'find') change(now => ({...now, find: {words: now.find?.words ?? '', isTyping: true}}));
	else if (action === 'find-next') goToMatch(parts, 1);
	else if (action === 'find-previous') goToMatch(parts, -1);
	else if (action === 'copy' || action === 'copy-all') copyChanges(parts, dialog, action === 'copy-all');
	else if (action === 'refresh' && !dialog.isReading) {
		change(now => ({...now, isReading: true}));
		void readDiff(parts, dialog.sessionId);
	}
}

function goToFile(parts: AppParts, dialog: DiffState, by: 1 | -1): void {
	const {changes, maxTop} = shownIn(parts, dialog);
	if (!changes) return;
	const top = Math.min(dialog.top, maxTop);
	const at = changes.fileAt(top);
	const isInside = top > changes.rowOf(at);
	const next = by > 0 ? at + 1 : isInside ? at : at - 1;
	if (next < changes.files.length) goTo(parts, changes.rowOf(Math.max(0, next)));
}

function copyChanges(parts: AppParts, dialog: DiffState, isAll: boolean): void {
	const {changes, maxTop} = shownIn(parts, dialog);
	const file = changes?.files[changes.fileAt(Math.min(dialog.top, maxTop))];
	if (!changes || !file) return;
	const what = isAll ? text.allCopied : text.fileCopied(file.path);
	void copyText(parts.actions, asPatch(isAll ? changes.files : [file]), what);
}

function typeWords(parts: AppParts, find: NonNullable<DiffState['find']>, press: KeyPress): void {
	const action = parts.keys.find(['find'], press.name)?.action;
	if (action === 'clear-find' || (action === 'keep-find' && find.words.trim() === '')) endFind(parts);
	else if (action === 'keep-find')
		changeDialog(parts, 'diff', now => ({...now, find: {...find, isTyping: false}}));
	else if (action === 'find-next') goToMatch(parts, 1);
	else if (action === 'find-previous') goToMatch(parts, -1);
	else {
		const words = textAfterKey(find.words, press, action);
		if (words !== undefined) findWords(parts, words);
	}
}

function endFind(parts: AppParts): void {
	changeDialog(parts, 'diff', ({find: _, ...now}) => now);
}

function findWords(parts: AppParts, words: string): void {
	changeDialog(parts, 'diff', now => ({...now, find: {words, isTyping: true}}));
	goToMatch(parts, 0);
}
