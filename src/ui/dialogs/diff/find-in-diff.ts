import {remember} from '../../../state/rows/remember.ts';
import {cleanLine} from '../../../text/cells/clean.ts';
import type {DiffDocument} from './diff-document.ts';

/** A pattern for the literal text that was typed, ignoring case. */
export function patternOf(words: string): RegExp | undefined {
	const typed = cleanLine(words.trim());
	return typed === '' ? undefined : new RegExp(typed.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

/** The rows that contain the text. Caches the last search. */
export const matchingRows = remember((changes: DiffDocument, words: string): readonly number[] => {
	const pattern = patternOf(words);
	const rows: number[] = [];
	if (pattern)
		for (let row = 0; row < changes.length; row++) {
			pattern.lastIndex = 0;
			if (pattern.test(changes.textAt(row))) rows.push(row);
		}
	return rows;
});
