import type {ExportCell, ExportPage, ExportTable} from '../../domain/export-table.ts';
import {maskSecrets, maskText} from '../../domain/masking.ts';
import {cleanLine} from '../cells/clean.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';

/**
 * Exports a table as comma-separated values, line by line, without secrets. Notes come last, each in a row
 * that starts with `#`, as CSV has no other place for missing data.
 */
export function* tableCsv(table: ExportTable, notes: readonly string[] = []): Generator<Safe> {
	yield safe`${csvLine(table.columns)}\n`;
	for (const cells of table.cells()) yield safe`${csvLine(cells.map(maskCell))}\n`;
	for (const note of notes) yield safe`${csvLine([`# ${maskText(note)}`])}\n`;
}

/**
 * Exports a page as one JSON document, in chunks, without secrets. `data` has one array per table with one
 * row per line, `meta` has the days in the contract's format, and `quarterdeck` has the selection and what is
 * missing.
 */
export function* pageJson({
	range,
	organizationId,
	selection,
	tables,
	notes = [],
}: ExportPage): Generator<Safe> {
	const meta = range && {
		org_id: organizationId,
		start_date: range.startDate,
		end_date: range.endDate,
	};
	yield meta ? safe`{"meta":${jsonText(meta)},` : safe`{`;
	yield safe`"quarterdeck":${jsonText(maskSecrets({...selection, notes: notes.length > 0 ? notes : undefined}))},"data":{`;
	for (const [index, table] of tables.entries()) {
		yield safe`${stillSafe(index > 0 ? ',' : '')}\n${jsonText(table.name.toLowerCase().replaceAll(' ', '_'))}:[`;
		let isFirst = true;
		for (const row of table.objects()) {
			yield safe`${stillSafe(isFirst ? '\n' : ',\n')}${jsonText(maskSecrets(row))}`;
			isFirst = false;
		}
		yield safe`]`;
	}
	yield safe`}}\n`;
}

export function maskCell(cell: ExportCell): ExportCell {
	return typeof cell === 'string' ? maskText(cell) : cell;
}

/** JSON that is safe to print: also escapes characters that JSON allows but a terminal may act on. */
export function jsonText(value: unknown): Safe {
	return stillSafe(
		JSON.stringify(value).replace(
			/[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
			character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
		),
	);
}

/** Text that spreadsheets run as a formula, including full-width signs and leading white space. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/**
 * One record of comma-separated values (RFC 4180, one line per record). Numbers are written in full, without
 * separators; missing values are empty cells. Text that a spreadsheet would run as a formula gets a leading
 * apostrophe. Control characters become visible, so that none reaches a terminal or splits a cell.
 */
export function csvLine(cells: readonly ExportCell[]): Safe {
	return stillSafe(cells.map(cellText).join(','));
}

function cellText(cell: ExportCell): string {
	if (cell === undefined) return '';
	if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : '';
	if (typeof cell === 'boolean') return String(cell);
	// Never cut: a cell may hold JSON.
	const clean = cleanLine(cell, cell.length);
	const text = formula.test(clean) ? `'${clean}` : clean;
	return /[",']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
