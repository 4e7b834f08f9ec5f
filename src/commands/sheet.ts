import {maskSecrets} from '../domain/masking.ts';
import type {DataColumn} from '../domain/sheets/sheet.ts';
import {cleanLine} from '../text/clean.ts';
import {csvLine} from '../text/csv.ts';
import {exactNumber} from '../text/numbers.ts';
import {type Safe, safe} from '../text/safe.ts';
import {maskCell} from '../text/sheet-text.ts';
import type {CommandContext} from './context.ts';
import {UsageError} from './usage-error.ts';

/** One column of what a command prints as a table and as CSV. */
export type SheetColumn<Row> = DataColumn<Row> & {
	/** Heading of the table; absent: the name in capitals. */
	readonly title?: Safe;
	/** For the table, when it is not the value as it is. */
	readonly show?: (row: Row) => Safe;
	readonly isNumber?: boolean;
	readonly grow?: boolean;
};

/** What a command prints: objects for `--json`, columns for `--csv` and for people. */
export type Sheet<Row> = {
	readonly columns: readonly SheetColumn<Row>[];
	readonly rows: Iterable<Row>;
};

/** Refused before anything is asked: there is one stdout. */
export function checkFormat({flags, output}: CommandContext): void {
	if (flags.is('csv') && output.isJson) throw new UsageError('--csv and --json: choose one');
}

/** Prints objects, one a line, without their secrets. */
export function printObjects({output}: CommandContext, objects: Iterable<object>): void {
	for (const object of objects) output.json(maskSecrets(object));
}

/** Prints a sheet as CSV or as a table, without secrets. */
export function printSheet<Row>({output, flags}: CommandContext, {columns, rows}: Sheet<Row>): void {
	if (flags.is('csv')) {
		output.line(csvLine(columns.map(({name}) => name)));
		for (const row of rows) output.line(csvLine(columns.map(({value}) => maskCell(value(row)))));
		return;
	}
	output.table(
		columns.map(({name, title, isNumber = false, grow = false}) => ({
			title: title ?? cleanLine(name.replaceAll('_', ' ').toUpperCase()),
			...(isNumber && {align: 'end' as const}),
			...(grow && {grow}),
		})),
		Array.from(rows, row => columns.map(column => shown(column, row))),
	);
}

function shown<Row>({show, value}: SheetColumn<Row>, row: Row): Safe {
	if (show) return show(row);
	const cell = maskCell(value(row));
	if (cell === undefined || cell === '') return safe`-`;
	return typeof cell === 'number' ? exactNumber(cell) : cleanLine(String(cell));
}
