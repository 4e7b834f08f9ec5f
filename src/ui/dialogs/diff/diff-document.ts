import {ownEntry} from '../../../domain/own-entry.ts';
import type {ChangedFile, WorkingDiff} from '../../../domain/sessions/work-folder.ts';
import {cleanLine} from '../../../text/cells/clean.ts';
import {cutEnd, cutMiddle, pad} from '../../../text/cells/cut.ts';
import {type Line, lineWidth, span, type Tone} from '../../../text/cells/line.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {numberWidthOf, patchLines, patchRow} from '../../../text/messages/patch-lines.ts';
import {changedLines} from '../../../text/values/changed-lines.ts';
import {strings as text} from './strings.ts';

/** The rows of one file: its heading, the lines of its patch, and a blank one. */
type Block = {readonly file: ChangedFile; readonly start: number};

/** All changes as rows below each other, each file under its heading. Rows are made when they are drawn. */
export type DiffDocument = {
	readonly files: readonly ChangedFile[];
	readonly length: number;
	/** Index of the file that a row belongs to. */
	fileAt(row: number): number;
	/** The row of a file's heading. */
	rowOf(index: number): number;
	/** The raw text of a row, for finding words. */
	textAt(row: number): string;
	/** `width` is only for headings: lines of code aren't cut. */
	lineAt(row: number, width: number, left: number): Line;
};

const documents = new WeakMap<WorkingDiff, DiffDocument>();

export function documentOf(diff: WorkingDiff): DiffDocument {
	const cached = documents.get(diff);
	if (cached) return cached;
	const document = createDocument(diff.files ?? []);
	documents.set(diff, document);
	return document;
}

function createDocument(files: readonly ChangedFile[]): DiffDocument {
	let length = 0;
	const blocks = files.map((file): Block => {
		const start = length;
		const lines = patchLines(file).length;
		// Besides the lines: the heading, a note on missing lines, and a blank row.
		length += 1 + lines + (noteOf(file) === undefined ? 0 : 1) + 1;
		return {file, start};
	});
	const fileAt = (row: number) => {
		let [low, high] = [0, blocks.length - 1];
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			if ((blocks[middle]?.start ?? 0) <= row) low = middle;
			else high = middle - 1;
		}
		return low;
	};
	const partAt = (row: number) => {
		const block = blocks[fileAt(row)];
		return block && {file: block.file, index: row - block.start - 1};
	};
	return {
		files,
		length: Math.max(0, length - 1),
		fileAt,
		rowOf: index => blocks[index]?.start ?? 0,
		textAt(row) {
			const part = partAt(row);
			if (!part) return '';
			return part.index < 0 ? part.file.path : (patchLines(part.file)[part.index]?.text ?? '');
		},
		lineAt(row, width, left) {
			const part = partAt(row);
			if (!part) return [];
			const {file, index} = part;
			if (index < 0) return headingOf(file, width);
			const lines = patchLines(file);
			const line = lines[index];
			if (line) return patchRow(file, line, left, numberWidthOf(file));
			const note = index === lines.length ? noteOf(file) : undefined;
			return note === undefined ? [] : [span(note, file.isCut ? 'warn' : 'dim')];
		},
	};
}

/** The last row that can be the first on the screen: keys must reach each file, even a short one at the end. */
export function maxTopOf({files, length, rowOf}: DiffDocument, height: number): number {
	return Math.max(0, length - height, rowOf(files.length - 1));
}

/** Why lines of a file are missing, if they are. */
function noteOf(file: ChangedFile): Safe | undefined {
	const note = file.note === undefined ? undefined : cleanLine(file.note, 200);
	if (file.isBinary) return text.binary;
	if (file.isCut) return file.patch === undefined ? text.notShown : text.cut;
	if (note !== undefined) return note;
	return file.patch ? undefined : text.noLines;
}

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
	const word = ownEntry(text.kinds, kind) ?? cleanLine(kind, 12);
	const room = Math.max(8, width - lineWidth(counts) - word.length - 4);
	return [
		span(cutMiddle(name, room), 'heading', {bold: true}),
		span(safe`  ${word}`, ownEntry(kindTones, kind) ?? 'dim'),
		span(safe`  `),
		...counts,
	];
}

/** A file in the list beside the changes. */
export function fileRow(file: ChangedFile, width: number): Line {
	const {kind = '', path} = file;
	const counts = file.isBinary ? [span(text.binaryShort, 'dim')] : changedLines(file);
	const room = Math.max(4, width - 2 - lineWidth(counts) - 1);
	const letter = ownEntry(text.letters, kind) ?? safe`?`;
	return [
		span(safe`${letter} `, ownEntry(kindTones, kind) ?? 'info'),
		span(pad(cutStart(path, room), room)),
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
