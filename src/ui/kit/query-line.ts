import {cleanLine} from '../../text/clean.ts';
import {takeLastColumns} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';

/** Columns kept free for the cursor and the frame. */
const free = 2;

/**
 * Typed words after a mark (only their end if too long), or a hint while there are none. `cursor` is the
 * column for the terminal's own cursor.
 */
export function queryLine(
	mark: Safe,
	query: string,
	hint: Safe,
	width: number,
): {readonly line: Line; readonly cursor: number} {
	const words = takeLastColumns(cleanLine(query), Math.max(1, width - textWidth(mark) - free));
	const cursor = textWidth(mark) + textWidth(words);
	return {
		line: [span(mark, 'accent'), span(words), ...(query === '' ? [span(safe` ${hint}`, 'dim')] : [])],
		cursor,
	};
}
