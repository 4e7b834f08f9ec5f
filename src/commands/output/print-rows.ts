import type {ExportColumn} from '../../domain/export-table.ts';
import {maskSecrets} from '../../domain/masking.ts';
import {type Column, type TableContext, textOf, titleOf} from '../../state/rows/column.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {lineText, lineWidth} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {csvLine, jsonText, maskCell} from '../../text/values/export-text.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {growingTable, tableLines} from '../../text/values/table.ts';
import type {CommandContext} from '../cli/context.ts';
import {UsageError} from '../cli/errors.ts';
import {cliStrings} from '../cli/strings.ts';
import type {Output} from './output.ts';

/** One column of a command's table. A list that can be printed as CSV has raw values, too. */
export type OutputColumn<Row> = {
	/** Heading of the table; defaults to the name in capitals. */
	readonly title?: Safe;
	/** Formats the table cell; defaults to the raw value. */
	readonly show?: (row: Row) => Safe;
	readonly isNumber?: boolean;
	/** Maximum width of the text in columns. */
	readonly max?: number;
	/**
	 * In a table that fits its terminal: 0 is cut, and the highest ranks are left out first, of equal ones the last. Without
	 * a rank, a column stays whole.
	 */
	readonly rank?: number;
	readonly isOnlyCsv?: boolean;
} & (
	| ExportColumn<Row>
	| {readonly name: string; readonly value?: undefined; readonly show: (row: Row) => Safe}
);

/** How a command prints its rows: objects for `--json`, columns for `--csv` and the table. */
export type RowFormat<Row> = {
	readonly columns: readonly OutputColumn<Row>[];
	readonly objectOf: (row: Row) => object;
	/** Set if `objectOf` decides itself which secrets to mask, or none may be. */
	readonly isMasked?: boolean;
	/** What stderr says if there are no rows. */
	readonly none?: string;
	/** On a terminal, a table in memory is no wider than that. */
	readonly fitsTerminal?: boolean;
};

export function outputColumns<Row, Context extends TableContext>(
	columns: readonly Column<Row, Context>[],
	context: Omit<Context, 'width'>,
): OutputColumn<Row>[] {
	const unbounded = {...context, width: Number.POSITIVE_INFINITY} as Context;
	return columns.map((column, index) => {
		const {name, value, isNumber, isOnlyCsv} = column;
		const size = typeof column.size === 'function' ? column.size(unbounded, 0) : column.size;
		return {
			name,
			value,
			isNumber,
			isOnlyCsv,
			title: titleOf(column),
			show: column.cell || column.show ? row => textOf(column, row, unbounded) : undefined,
			// What the screen doesn't show matters least.
			rank: index > 0 ? (size?.rank ?? Number.POSITIVE_INFINITY) : undefined,
		};
	});
}

/**
 * Formats a table whose rows arrive in parts; the first part includes the heading, if there is one. No line
 * contains a secret.
 */
type RowFormatter<Row> = (rows: readonly Row[]) => readonly Safe[];

/** Rejects conflicting formats before any request is made. */
export function checkFormat({flags, output}: CommandContext): void {
	if (flags.is('csv') && output.isJson) throw new UsageError(cliStrings.usage.conflict('--csv', '--json'));
}

export function createRowFormatter<Row>(
	{output, flags}: CommandContext,
	{columns, objectOf, isMasked = false}: RowFormat<Row>,
): RowFormatter<Row> {
	if (output.isJson)
		return rows => rows.map(row => jsonText(isMasked ? objectOf(row) : maskSecrets(objectOf(row))));
	if (flags.is('csv')) {
		const heading = [csvLine(columns.map(({name}) => name))];
		return rows => {
			const lines = rows.map(row => csvLine(columns.map(({value}) => maskCell(value?.(row)))));
			return [...heading.splice(0), ...lines];
		};
	}
	return tableFormatter(columns);
}

function tableFormatter<Row>(all: readonly OutputColumn<Row>[]): RowFormatter<Row> {
	const columns = all.filter(({isOnlyCsv}) => !isOnlyCsv);
	const table = growingTable(columns.map(tableColumn));
	return rows => table(rows.map(row => columns.map(column => ({text: shown(column, row)})))).map(lineText);
}

function tableColumn<Row>({
	name,
	title,
	isNumber = false,
	max = Number.POSITIVE_INFINITY,
}: OutputColumn<Row>) {
	return {
		title: title ?? cleanLine(name.replaceAll('_', ' ').toUpperCase()),
		align: isNumber ? ('end' as const) : ('start' as const),
		max,
	};
}

function shown<Row>({show, value}: OutputColumn<Row>, row: Row): Safe {
	if (show) return show(row);
	const cell = maskCell(value?.(row));
	if (cell === undefined || cell === '') return safe`-`;
	return typeof cell === 'number' ? exactNumber(cell) : cleanLine(String(cell));
}

/** Prints a table whose columns are as wide as their widest cell. */
export function printTable<Row>(
	output: Output,
	columns: readonly OutputColumn<Row>[],
	rows: readonly Row[],
): void {
	for (const line of tableFormatter(columns)(rows)) output.text(line);
}

/** Prints a list that is in memory, as JSON or as a table whose columns are as wide as their widest cell. */
export async function printList<Row>(
	context: CommandContext,
	format: RowFormat<Row>,
	rows: readonly Row[],
): Promise<void> {
	const {output, flags} = context;
	const isTable = !output.isJson && !flags.is('csv');
	const width = format.fitsTerminal && isTable ? output.columns : undefined;
	const lines =
		width === undefined
			? createRowFormatter(context, format)(rows)
			: fittingLines(format.columns, rows, width);
	// A person needs no heading of an empty table.
	const isHeadingOnly = rows.length === 0 && width !== undefined && format.none !== undefined;
	if (!isHeadingOnly) await output.part(lines, context.signal);
	if (rows.length === 0 && format.none !== undefined) output.note(format.none);
}

/** Lines of a table that is at most `width` columns wide. Columns without any values are left out. */
export function fittingLines<Row>(
	columns: readonly OutputColumn<Row>[],
	rows: readonly Row[],
	width: number,
): Safe[] {
	const kept = columns.filter(
		column => !column.isOnlyCsv && (rows.length === 0 || rows.some(row => shown(column, row) !== '-')),
	);
	const lines = (limit?: number) =>
		tableLines(
			kept.map(column => ({...tableColumn(column), grow: column.rank === 0})),
			rows.map(row => kept.map(column => ({text: shown(column, row)}))),
			limit === undefined ? {} : {width: limit},
		);
	while (lines().some(line => lineWidth(line) > width)) {
		const highest = Math.max(...kept.map(({rank = 0}) => rank));
		if (highest === 0) break;
		kept.splice(
			kept.findLastIndex(({rank}) => rank === highest),
			1,
		);
	}
	return lines(width).map(lineText);
}

const rowsAtOnce = 500;

/**
 * Prints rows that are read one by one, at most `limit`. A slow stdout reader slows printing instead of growing
 * a buffer.
 */
export async function printRows<Row>(
	context: CommandContext,
	format: RowFormat<Row>,
	rows: Iterable<Row>,
	limit = Number.POSITIVE_INFINITY,
): Promise<void> {
	const {output} = context;
	const linesOf = createRowFormatter(context, format);
	let part: Row[] = [];
	let count = 0;
	for (const row of rows) {
		if (count++ >= limit) break;
		part.push(row);
		if (part.length < rowsAtOnce) continue;
		await output.part(linesOf(part), context.signal);
		part = [];
	}
	await output.part(linesOf(part), context.signal);
	if (count === 0 && format.none !== undefined) output.note(format.none);
}

/** The `--limit` of a list; infinite when absent. */
export function limitOf({flags}: CommandContext): number {
	return flags.count('limit') ?? Number.POSITIVE_INFINITY;
}
