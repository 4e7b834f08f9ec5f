import {maskSecrets, maskText} from '../domain/masking.ts';
import type {PageData, Sheet, SheetCell} from '../domain/sheets/sheet.ts';
import {csvLine} from './csv.ts';
import {jsonText} from './json-text.ts';
import {type Safe, safe, stillSafe} from './safe.ts';

/**
 * A sheet as comma-separated values, line by line, without secrets. Notes come last, each in a row of its own that begins
 * with `#`: CSV has no other place for what a table lacks.
 */
export function* sheetCsv(
	sheet: Pick<Sheet, 'columns' | 'cells'>,
	notes: readonly string[] = [],
): Generator<Safe> {
	yield safe`${csvLine(sheet.columns)}\n`;
	for (const cells of sheet.cells()) yield safe`${csvLine(cells.map(maskCell))}\n`;
	for (const note of notes) yield safe`${csvLine([`# ${maskText(note)}`])}\n`;
}

/**
 * A page as one JSON document, in pieces, without secrets: `data` has an array a sheet, one row a line, `meta` the days
 * as the contract writes them, and `quarterdeck` says what was chosen, and what is missing.
 */
export function* pageJson({range, organizationId, facts, sheets, notes = []}: PageData): Generator<Safe> {
	const meta = range && {
		...(organizationId !== undefined && {org_id: organizationId}),
		start_date: range.startDate,
		end_date: range.endDate,
	};
	yield meta ? safe`{"meta":${jsonText(meta)},` : safe`{`;
	yield safe`"quarterdeck":${jsonText(maskSecrets({...facts, ...(notes.length > 0 && {notes})}))},"data":{`;
	for (const [index, sheet] of sheets.entries()) {
		yield safe`${stillSafe(index > 0 ? ',' : '')}\n${jsonText(sheet.name.toLowerCase().replaceAll(' ', '_'))}:[`;
		let isFirst = true;
		for (const row of sheet.objects()) {
			yield safe`${stillSafe(isFirst ? '\n' : ',\n')}${jsonText(maskSecrets(row))}`;
			isFirst = false;
		}
		yield safe`]`;
	}
	yield safe`}}\n`;
}

export function maskCell(cell: SheetCell): SheetCell {
	return typeof cell === 'string' ? maskText(cell) : cell;
}
