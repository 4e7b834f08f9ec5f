import {maskSecrets, maskText} from '../domain/masking.ts';
import type {PageData, Sheet, SheetCell} from '../domain/sheets/sheet.ts';
import {csvLine} from './csv.ts';
import {jsonText} from './json-text.ts';
import {type Safe, safe, stillSafe} from './safe.ts';

/** A sheet as comma-separated values, line by line, without secrets. */
export function* sheetCsv(sheet: Pick<Sheet, 'columns' | 'cells'>): Generator<Safe> {
	yield safe`${csvLine(sheet.columns)}\n`;
	for (const cells of sheet.cells()) yield safe`${csvLine(cells.map(maskCell))}\n`;
}

/**
 * A page as one JSON document, in pieces, without secrets: `data` has an array a sheet, one row a line, `meta` the days
 * as the contract writes them, and `quarterdeck` says what was chosen.
 */
export function* pageJson({range, facts, sheets}: PageData): Generator<Safe> {
	const meta = range && {start_date: range.startDate, end_date: range.endDate};
	yield meta ? safe`{"meta":${jsonText(meta)},` : safe`{`;
	yield safe`"quarterdeck":${jsonText(maskSecrets(facts))},"data":{`;
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
