import {structuredPatch} from 'diff';

/** The lines of a unified diff with three lines of context. A missing text counts as empty. */
export function unifiedDiff(before = '', after = ''): string[] {
	return structuredPatch('', '', before, after, '', '', {context: 3}).hunks.flatMap(hunk => [
		`@@ -${rangeOf(hunk.oldStart, hunk.oldLines)} +${rangeOf(hunk.newStart, hunk.newLines)} @@`,
		...hunk.lines.map(line => line.replace(/\r$/, '')),
	]);
}

/** In a unified diff, an empty range starts one line earlier. */
function rangeOf(start: number, lines: number): string {
	return `${lines === 0 ? start - 1 : start},${lines}`;
}
