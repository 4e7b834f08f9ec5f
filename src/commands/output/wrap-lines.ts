/**
 * Breaks lines at words for a terminal of so many columns, which would break them in the middle. A row of a table goes on
 * below its last column, if that begins in the left half.
 */
export function wrapLines(text: string, columns: number): string {
	return text
		.split('\n')
		.map(line => wrapLine(line, columns))
		.join('\n');
}

function wrapLine(line: string, columns: number): string {
	const [gap = ''] = /^.* {2,}(?=\S)/.exec(line.slice(0, columns / 2)) ?? [];
	const indent = ' '.repeat(gap.length || 2);
	const rows: string[] = [];
	let row = line;
	let start = gap.length;
	while (row.length > columns) {
		const before = row.lastIndexOf(' ', columns);
		const end = before > start ? before : row.indexOf(' ', Math.max(columns, start));
		if (end < 0) break;
		rows.push(row.slice(0, end));
		row = indent + row.slice(end).trimStart();
		start = indent.length;
	}
	return [...rows, row].join('\n');
}
