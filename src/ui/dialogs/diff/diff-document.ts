import {ownEntry} from '../../../domain/objects.ts';
import type {ChangedFile, WorkingDiff} from '../../../domain/sessions/work-folder.ts';
import {remember} from '../../../state/rows/remember.ts';
import {cleanLine, cleanText} from '../../../text/cells/clean.ts';
import {cutEnd, cutMiddle, pad} from '../../../text/cells/cut.ts';
import {textWidth} from '../../../text/cells/graphemes.ts';
import {type Line, lineWidth, span, type Tone} from '../../../text/cells/line.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {wrapText} from '../../../text/cells/wrap.ts';
import {numberWidthOf, patchLines, patchRow} from '../../../text/messages/patch-lines.ts';
import {changedLines} from '../../../text/values/numbers.ts';
import {type CommentPlace, type LineComment, lineOf, placeOf} from './diff-comments.ts';

/** A comment, and its words in the rows that they take. */
type CommentRows = {readonly comment: LineComment; readonly index: number; readonly rows: readonly Safe[]};

/** The rows of one file: its heading, the lines of its patch, and a blank one, with comments below their lines. */
type Block = {readonly file: ChangedFile; readonly start: number; readonly comments: readonly CommentRows[]};

/** All changes as rows below each other, each file under its heading. Rows are made when they are drawn. */
export type DiffDocument = {
	readonly files: readonly ChangedFile[];
	readonly length: number;
	/** Comments on lines that aren't shown, such as those committed since. */
	readonly hidden: readonly LineComment[];
	fileAt(row: number): number;
	/** The row of a file's heading. */
	rowOf(index: number): number;
	/** The row of the line that a row of a comment is about; other rows themselves. */
	lineRowOf(row: number): number;
	/** The line of code or the file that a row shows. */
	placeAt(row: number): CommentPlace | undefined;
	/** The comment that a row shows, or the first one on its line. */
	commentAt(row: number): LineComment | undefined;
	/** The raw text of a row, for finding words. */
	textAt(row: number): string;
	/** `width` is only for headings: lines of code aren't cut. */
	lineAt(row: number, width: number, left: number): Line;
};

/** The changes with comments, whose words are wrapped to `width` columns. Caches the last one. */
export function documentOf(diff: WorkingDiff, comments: readonly LineComment[], width: number): DiffDocument {
	return remembered(diff, JSON.stringify(comments), width);
}

const remembered = remember((diff: WorkingDiff, comments: string, width: number) =>
	createDocument(diff.files ?? [], JSON.parse(comments) as LineComment[], width),
);

function createDocument(
	files: readonly ChangedFile[],
	all: readonly LineComment[],
	width: number,
): DiffDocument {
	let length = 0;
	const placed = new Set<LineComment>();
	const blocks = files.map((file): Block => {
		const start = length;
		const comments = all
			.filter(({place}) => place.path === file.path)
			.flatMap((comment): CommentRows[] => {
				const index = lineOf(file, comment.place);
				const indent = numberWidthOf(file) + textWidth(commentMark);
				const rows = wrapText(cleanText(comment.words), Math.max(8, width - indent));
				return index === undefined ? [] : [{comment, index, rows}];
			})
			.sort((a, b) => a.index - b.index);
		for (const {comment} of comments) placed.add(comment);
		const lines = patchLines(file).length + comments.reduce((sum, {rows}) => sum + rows.length, 0);
		// Besides the lines: the heading, a note on missing lines, and a blank row.
		length += 1 + lines + (noteOf(file) === undefined ? 0 : 1) + 1;
		return {file, start, comments};
	});
	const fileAt = (row: number) =>
		Math.max(
			0,
			blocks.findLastIndex(({start}) => start <= row),
		);
	/** The line of a row, -1 for the heading, and the comment below it that the row belongs to. */
	const partAt = (row: number) => {
		const block = blocks[fileAt(row)];
		if (!block) return undefined;
		const {file, start, comments} = block;
		let index = row - start - 1;
		for (const {comment, index: line, rows} of comments) {
			if (index <= line) break;
			const words = rows[index - line - 1];
			if (words !== undefined) return {file, index: line, comment, words};
			index -= rows.length;
		}
		return {file, index};
	};
	return {
		files,
		length: Math.max(0, length - 1),
		hidden: all.filter(comment => !placed.has(comment)),
		fileAt,
		rowOf: index => blocks[index]?.start ?? 0,
		lineRowOf(row) {
			let line = row;
			while (partAt(line)?.comment) line--;
			return line;
		},
		placeAt(row) {
			const part = partAt(row);
			if (!part) return undefined;
			const {file, index} = part;
			// The head of a hunk stands for its first line.
			return placeOf(file, patchLines(file)[index]?.sign === '@' ? index + 1 : index);
		},
		commentAt: row => (partAt(row)?.comment ? partAt(row) : partAt(row + 1))?.comment,
		textAt(row) {
			const part = partAt(row);
			if (!part) return '';
			if (part.words !== undefined) return part.words;
			return part.index < 0 ? part.file.path : (patchLines(part.file)[part.index]?.text ?? '');
		},
		lineAt(row, width, left) {
			const part = partAt(row);
			if (!part) return [];
			const {file, index, words} = part;
			if (words !== undefined)
				return [span(pad(safe``, numberWidthOf(file))), span(commentMark, 'accent'), span(words, 'strong')];
			if (index < 0) return headingOf(file, width);
			const lines = patchLines(file);
			const line = lines[index];
			if (line) return patchRow(file, line, left, numberWidthOf(file));
			const note = index === lines.length ? noteOf(file) : undefined;
			return note === undefined ? [] : [span(note, file.isCut ? 'warn' : 'dim')];
		},
	};
}

/** Between the column of numbers and the words of a comment. */
const commentMark = safe` ┃ `;

/** Why lines of a file are missing, if they are. */
function noteOf(file: ChangedFile): Safe | undefined {
	const note = file.note === undefined ? undefined : cleanLine(file.note, 200);
	if (file.isBinary) return safe`A binary file: its changes can't be shown.`;
	if (file.isCut)
		return file.patch === undefined
			? safe`Too large: the changes of this file are not shown.`
			: safe`Too large: the rest of this file is not shown.`;
	if (note !== undefined) return note;
	if (file.patch) return undefined;
	return isWholeFile(file.kind) ? safe`An empty file.` : safe`No line has changed.`;
}

/** Of a file that came or went, all lines are changes. */
const isWholeFile = (kind: ChangedFile['kind']) =>
	kind === 'added' || kind === 'untracked' || kind === 'deleted';

/** Why a folder's changes can't be shown. */
export const diffProblems = {
	'no-folder': safe`The folder of this session is gone.`,
	'no-git': safe`Changes can't be shown: git isn't installed.`,
	'no-repository': safe`The folder of this session is not in a git repository: there are no changes to show.`,
	'no-base': safe`No base branch to compare with: no other main or master, here or on a remote.`,
	failed: safe`Git can't read this repository:`,
};

const kindWords: Readonly<Record<string, Safe>> = {
	added: safe`new`,
	untracked: safe`new, untracked`,
	deleted: safe`deleted`,
	modified: safe``,
	renamed: safe`renamed`,
	conflict: safe`in conflict`,
};

const kindLetters: Readonly<Record<string, Safe>> = {
	added: safe`A`,
	untracked: safe`?`,
	deleted: safe`D`,
	modified: safe`M`,
	renamed: safe`R`,
	conflict: safe`!`,
};

const kindTones: Readonly<Record<string, Tone>> = {
	added: 'good',
	untracked: 'good',
	deleted: 'bad',
	conflict: 'warn',
};

/** `M folder/name.ts` and its counts. */
function headingOf(file: ChangedFile, width: number): Line {
	const {kind = '', path, from} = file;
	const counts = changedLines(file);
	const name = from === undefined ? cleanLine(path) : safe`${cleanLine(from)} → ${cleanLine(path)}`;
	const word = ownEntry(kindWords, kind) ?? cleanLine(kind, 12);
	const room = Math.max(8, width - lineWidth(counts) - word.length - 4);
	return [
		span(cutMiddle(name, room), 'heading', {bold: true}),
		span(safe`  ${word}`, ownEntry(kindTones, kind) ?? 'dim'),
		span(safe`  `),
		...counts,
	];
}

/** A file in the list beside the changes. */
export function fileRow(file: ChangedFile, isLeftOut: boolean, width: number): Line {
	const {kind = '', path} = file;
	const counts = file.isBinary ? [span(safe`binary`, 'dim')] : changedLines(file);
	const room = Math.max(4, width - 2 - lineWidth(counts) - 1);
	const letter = isLeftOut ? safe`○` : (ownEntry(kindLetters, kind) ?? safe`?`);
	return [
		span(safe`${letter} `, ownEntry(kindTones, kind) ?? 'info'),
		span(pad(cutStart(path, room), room), isLeftOut ? 'dim' : undefined),
		span(safe` `),
		...counts,
	];
}

/** Cuts a path, which tells more at its end than at its beginning. */
function cutStart(path: string, width: number): Safe {
	const clean = cleanLine(path);
	const name = cleanLine(path.slice(path.lastIndexOf('/') + 1) || path);
	return name.length >= width - 2 ? cutEnd(name, width) : cutMiddle(clean, width);
}
