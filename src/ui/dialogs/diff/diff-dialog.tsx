import {useEffect} from 'react';
import {useStore} from 'zustand';
import {ownEntry} from '../../../domain/objects.ts';
import type {WorkingDiff} from '../../../domain/sessions/work-folder.ts';
import {alsoIn, type SharedFiles} from '../../../state/sessions/shared-files.ts';
import {cleanLine, cleanText} from '../../../text/cells/clean.ts';
import {cutEnd, cutStart} from '../../../text/cells/cut.ts';
import {textWidth} from '../../../text/cells/graphemes.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../../text/cells/line.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {wrapText} from '../../../text/cells/wrap.ts';
import {findMatches, highlightMatches} from '../../../text/search/search-matches.ts';
import {changedLines} from '../../../text/values/numbers.ts';
import {Pane, type Row} from '../../kit/pane.tsx';
import {moreBelow} from '../../kit/strings.ts';
import {useScreenCursor} from '../../kit/use-screen-cursor.ts';
import {useZone, zoneOrder} from '../../mouse/zones.ts';
import {useApp} from '../../use-app.ts';
import type {DialogModule, DialogOf, DialogProps} from '../dialog-module.ts';
import {strings} from '../strings.ts';
import {type CommentPlace, commentsText, runsMessages} from './diff-comments.ts';
import {type DiffDocument, diffProblems, fileRow} from './diff-document.ts';
import {type Frame, shownIn, writerStart} from './diff-frame.ts';
import {diffLayer, moveTo, refreshDiff, scrollBy} from './diff-keys.ts';
import {matchingRows, patternOf} from './find-in-diff.ts';

type DiffState = DialogOf<'diff'>;

const reading = safe`Reading the folder…`;
/** Columns of the upper border beside its two texts. */
const titleChrome = 9;
/** Least columns for the session's name. */
const minName = 8;

/** What changed in a session's folder, all files below each other. */
function DiffDialog({dialog, layout, lists}: DialogProps<'diff'>) {
	const parts = useApp();
	const {diff, find} = dialog;
	const session = lists.all.sessionsById.get(dialog.sessionId);
	// The comments are drafts.
	useStore(parts.composers);
	const shown = shownIn(parts, dialog, layout);
	const {frame, changes, height, row, top, writer} = shown;
	const {rect, listWidth} = frame;
	// A form over it, such as a commit, may have changed what there is to show.
	// biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes to the screen.
	useEffect(() => {
		if (diff) refreshDiff(parts, dialog);
	}, []);
	const rows =
		changes && changes.length > 0
			? diffRows(changes, dialog, shown, session?.shared)
			: messageRows(dialog, frame);
	const listTop = changes ? firstListed(changes, row, height) : 0;
	useZone({
		rect,
		order: zoneOrder.dialog,
		wheel: by => scrollBy(parts, by),
		press({x, y}) {
			if (!changes || dialog.writing !== undefined || y < 1 || y > height) return;
			if (x > listWidth) moveTo(parts, Math.min(changes.length - 1, top + y - 1), top);
			else if (changes.files[listTop + y - 1]) {
				const heading = changes.rowOf(listTop + y - 1);
				moveTo(parts, heading, heading);
			}
		},
	});
	const findText = cutStart(cleanLine(find?.words ?? '', 200), Math.max(1, rect.width - 40));
	const lastRow = rect.y + rect.height - 2;
	useScreenCursor(
		writer
			? {
					x: rect.x + 1 + writerStart + writer.cursor.x,
					y: lastRow - writer.lines.length + 1 + writer.cursor.y,
				}
			: find?.isTyping
				? {x: rect.x + 4 + textWidth(findText), y: lastRow}
				: undefined,
	);
	const name = session?.name ?? dialog.sessionId;
	// Esc first ends a comment that is being written, or a search.
	const close = writer || find ? [] : [span(strings.close(parts.keys.label('cancel')), 'dim')];
	return (
		<Pane
			rect={rect}
			title={titleOf(diff, name, rect.width - titleChrome - lineWidth(close))}
			right={close}
			bottom={moreBelow((changes?.length ?? 0) - top - height)}
			isFocused
			body={[
				...rows,
				...Array.from({length: Math.max(0, height - rows.length)}, (): Row => ({line: []})),
				...(writer
					? [
							commentHead(
								changes?.placeAt(row),
								parts.keys.labels('keep-comment'),
								runsMessages(parts, dialog.sessionId),
							),
							...writer.lines.map(writerLine),
						]
					: [lastLine(dialog, shown, findText, parts.keys.label('remove-comment'))]
				).map((line): Row => ({line})),
			]}
		/>
	);
}

/** The title in `width` columns: the session's name is cut first. */
function titleOf(diff: WorkingDiff | undefined, name: string, width: number): Line {
	const dot = span(safe` · `, 'dim');
	const counts = diff ? changedLines(diff) : [];
	const start = [
		span(
			diff?.base === undefined ? safe`Changes` : sinceText(cleanLine(diff.base, 40), diff.commits),
			'heading',
		),
		dot,
	];
	const end = [
		...(diff?.branch === undefined ? [] : [dot, span(cleanLine(diff.branch, 60), 'accent')]),
		...(counts.length > 0 ? [span(safe` `), ...counts] : []),
	];
	const room = Math.max(minName, width - lineWidth([...start, ...end]));
	return [...start, span(cutEnd(cleanLine(name, 60), room)), ...end];
}

type Shown = ReturnType<typeof shownIn>;

function diffRows(
	changes: DiffDocument,
	{left, find, except, isSinceBase}: DiffState,
	{frame, height, row: cursor, top}: Shown,
	shared: SharedFiles | undefined,
): Row[] {
	const {listWidth, width} = frame;
	const pattern = patternOf(find?.words ?? '');
	const current = changes.fileAt(cursor);
	const listTop = firstListed(changes, cursor, height);
	const isLeftOut = (path: string) => !isSinceBase && except.includes(path);
	/** A file's heading says who else changes it, and whether a commit leaves it out. */
	const lineOf = (row: number): Line => {
		const index = changes.fileAt(row);
		if (row !== changes.rowOf(index)) return changes.lineAt(row, width, left);
		const {path = ''} = changes.files[index] ?? {};
		const also = alsoIn(shared, path, Math.floor(width / 2));
		const notes = [
			...(isLeftOut(path) ? [span(safe`  left out of the commit`, 'warn')] : []),
			...(also ? [span(safe`  ${also}`, 'warn')] : []),
		];
		const room = Math.max(Math.floor(width / 2), width - lineWidth(notes));
		return [...changes.lineAt(row, room, left), ...notes];
	};
	return Array.from({length: listWidth > 0 ? height : Math.min(height, changes.length - top)}, (_, index) => {
		const row = top + index;
		const line = row < changes.length ? lineOf(row) : [];
		const found = pattern ? findMatches([line], pattern).inRow.get(0) : undefined;
		const look = {tone: 'warn', inverse: true, ...(row === find?.row && {bold: true})} as const;
		const highlighted = found ? highlightMatches(line, found, look) : line;
		const shown = [span(row === cursor ? safe`▌` : safe` `, 'accent'), ...fitLine(highlighted, width)];
		if (listWidth === 0) return {line: shown};
		const file = changes.files[listTop + index];
		const isCurrent = listTop + index === current;
		const listed = file ? fileRow(file, isLeftOut(file.path), listWidth - 2) : [];
		return {
			line: [
				span(file && isCurrent ? safe`▌` : safe` `, 'accent'),
				...padLine(isCurrent ? listed.map(part => ({...part, bold: true})) : listed, listWidth - 1),
				span(safe`│`, 'border'),
				...shown,
			],
		};
	});
}

/** Where the comment goes that is being written. `staysHere`: it can't be sent. */
function commentHead(place: CommentPlace | undefined, keys: Safe, staysHere: boolean): Line {
	const path = cleanLine(place?.path ?? '');
	return [
		span(
			safe` ${safe`Comment on ${place?.number === undefined ? path : safe`${path}:${place.number}`}`}`,
			'heading',
		),
		...(staysHere ? [span(safe`   can't be sent: the shell would run it`, 'warn')] : []),
		span(safe`   ${keys} keeps it; an empty one is discarded`, 'dim'),
	];
}

function writerLine(line: Line, index: number): Line {
	return [span(index === 0 ? safe` > ` : safe`   `, 'accent'), ...line];
}

/** The first file in the list, so that the current one is visible. */
function firstListed(changes: DiffDocument, row: number, height: number): number {
	const current = changes.fileAt(row);
	return Math.max(0, Math.min(changes.files.length - height, current - Math.floor(height / 2)));
}

function sinceText(base: Safe, commits = 0): Safe {
	if (commits === 0) return safe`Changes since ${base}`;
	return safe`Changes since ${base} and ${commits} ${commits === 1 ? safe`commit` : safe`commits`}`;
}

function foundText(at: number | undefined, count: number): Safe {
	if (count === 0) return safe`not found`;
	return at === undefined ? safe`${count} lines` : safe`${at} of ${count}`;
}

/** Why no changes are shown. */
function messageRows({diff, isReading, problem}: DiffState, {rect}: Frame): Row[] {
	const wrapped = (words: Safe, tone?: 'warn' | 'dim') =>
		wrapText(words, Math.max(8, rect.width - 6)).map(
			(row): Row => ({line: [span(safe`  `), span(row, tone)]}),
		);
	if (problem !== undefined && !diff) return [{line: []}, ...wrapped(cleanText(problem), 'warn')];
	if (!diff) return isReading ? [{line: []}, ...wrapped(reading, 'dim')] : [];
	if (diff.problem === undefined)
		return [
			{line: []},
			...wrapped(
				diff.base === undefined
					? safe`Nothing has changed since the last commit.`
					: safe`Nothing has changed since the base branch.`,
				'dim',
			),
		];
	const words = ownEntry(diffProblems, diff.problem) ?? diffProblems.failed;
	const detail = diff.detail === undefined ? [] : wrapped(cleanText(diff.detail), 'dim');
	return [{line: []}, ...wrapped(words, 'warn'), ...detail];
}

/** The search and its matches, what is being read, or the folder, and how many files aren't listed. */
function lastLine(
	{find, isReading, problem, diff}: DiffState,
	{changes, comments}: Shown,
	words: Safe,
	remove: Safe,
): Line {
	if (find) {
		const matches = changes ? matchingRows(changes, find.words) : [];
		const index = find.row === undefined ? -1 : matches.indexOf(find.row);
		const count =
			find.words.trim() === ''
				? safe`type words to find in the changes`
				: foundText(index < 0 ? undefined : index + 1, matches.length);
		return [
			span(safe` / `, 'accent'),
			span(words, 'strong'),
			span(safe`   ${count}`, matches.length > 0 ? 'accent' : 'dim'),
		];
	}
	if (isReading && diff) return [span(safe` ${reading}`, 'info')];
	if (problem !== undefined) return [span(safe` ${cleanLine(problem)}`, 'warn')];
	const hidden = changes ? changes.hidden.length : comments;
	return [
		...(comments > 0 ? [span(safe` ${commentsText(comments, hidden)}`, 'accent')] : []),
		...(changes && hidden > 0
			? [span(safe` (${remove} removes ${hidden === 1 ? safe`it` : safe`the first`})`, 'dim')]
			: []),
		...(diff?.leftOut
			? [
					span(
						safe` ${diff.leftOut} more ${diff.leftOut === 1 ? safe`file is` : safe`files are`} not listed.`,
						'warn',
					),
				]
			: []),
		...(diff?.folder === undefined ? [] : [span(safe` ${cleanLine(diff.folder)}`, 'dim')]),
	];
}

export const diffDialog: DialogModule<'diff'> = {Component: DiffDialog, layer: diffLayer};
