import type {ExportCell} from '../../domain/export-tables/export-table.ts';
import {cleanLine} from '../cells/clean.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';

const maxCellLength = 64 * 1024;
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
	const clean = cleanLine(cell, maxCellLength);
	const text = formula.test(clean) ? `'${clean}` : clean;
	return /[",']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
