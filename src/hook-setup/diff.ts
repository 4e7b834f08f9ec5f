import {structuredPatch} from 'diff';

/** The lines of a unified diff, with three lines around each change. An absent text has no lines. */
export function unifiedDiff(before = '', after = ''): string[] {
	return structuredPatch('', '', before, after, '', '', {context: 3}).hunks.flatMap(hunk => [
		`@@ -${rangeOf(hunk.oldStart, hunk.oldLines)} +${rangeOf(hunk.newStart, hunk.newLines)} @@`,
		...hunk.lines.map(line => line.replace(/\r$/, '')),
	]);
}

/** An empty range starts before its line. */
function rangeOf(start: number, lines: number): string {
	return `${lines === 0 ? start - 1 : start},${lines}`;
}
