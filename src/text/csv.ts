import type {ExportCell} from '../domain/export-tables/export-table.ts';
import {cleanLine} from './clean.ts';
import {type Safe, stillSafe} from './safe.ts';

const maxCellLength = 64 * 1024;
/** What makes a spreadsheet run a cell: also in full width, and behind blanks. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/**
 * One line of comma-separated values (RFC 4180, lines of one record each). Numbers are written whole and plain; nothing is
 * an empty cell. A text that a spreadsheet would take for a
 * formula gets an apostrophe before it; control characters are shown, so that none reaches a terminal or a second cell.
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
