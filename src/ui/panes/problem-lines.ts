import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';

/** A problem in full, its remedy and an empty row. */
export function problemLines(what: Safe, hint: string | undefined, width: number): Line[] {
	const remedy = hint === undefined ? [] : wrapText(cleanLine(hint), width);
	return [
		...wrapText(what, width).map(row => [span(row, 'bad')]),
		...remedy.map(row => [span(row, 'dim')]),
		[],
	];
}
