/** The cells of one line of comma-separated values, read as RFC 4180 says. */
export function csvCells(line: string): string[] {
	const cells: string[] = [];
	for (const match of `,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g))
		cells.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
	return cells;
}

/** The rows of a table of comma-separated values, each by the names of its columns. */
export function csvRows(text: string): Record<string, string>[] {
	const [heading = [], ...lines] = text.trimEnd().split('\n').map(csvCells);
	return lines.map(cells => Object.fromEntries(heading.map((name, at) => [name, cells[at] ?? '(no cell)'])));
}
