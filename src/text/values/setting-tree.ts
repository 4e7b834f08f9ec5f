/** A setting's value as a tree: a line per field, nested values indented, bullets for list items. */
export function settingTree(value: unknown): string {
	return rowsOf(value).join('\n');
}

const indent = '  ';

function rowsOf(value: unknown): string[] {
	if (Array.isArray(value)) {
		if (value.length === 0) return ['(empty list)'];
		return value.flatMap(item => hanging('• ', rowsOf(item)));
	}
	if (typeof value !== 'object' || value === null) return scalar(value).split('\n');
	const entries = Object.entries(value);
	if (entries.length === 0) return ['(nothing)'];
	return entries.flatMap(([key, part]) =>
		isBranch(part)
			? [`${key}:`, ...rowsOf(part).map(row => `${indent}${row}`)]
			: hanging(`${key}: `, rowsOf(part), indent),
	);
}

/** Prefixes the first row with `mark`, and the others with `below`. */
function hanging(mark: string, rows: readonly string[], below = ' '.repeat(mark.length)): string[] {
	return rows.map((row, index) => `${index === 0 ? mark : below}${row}`);
}

function isBranch(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(value: unknown): string {
	if (value === '') return '(empty text)';
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '-');
}
