import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import type {PageData, Sheet} from '../domain/sheets/sheet.ts';
import {pageJson, sheetCsv} from '../text/sheet-text.ts';
import {byteSize} from '../text/size.ts';
import type {ActionContext} from './context.ts';
import {copyText} from './copy-text.ts';
import {done, type Result} from './result.ts';
import {tell} from './tell.ts';
import {writeFile} from './write-file.ts';

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What is exported: one sheet as CSV, or the whole page as JSON. */
export type Export = {readonly data: PageData; readonly format: ExportFormat; readonly sheet: Sheet};

/** The text of an export, in pieces. */
function piecesOf({data, format, sheet}: Export): Iterable<string> {
	return format === 'csv' ? sheetCsv(sheet) : pageJson(data);
}

function rowsOf({data, format, sheet}: Export): string {
	const count = format === 'csv' ? sheet.count : data.sheets.reduce((sum, one) => sum + one.count, 0);
	return count === 1 ? '1 row' : `${count} rows`;
}

/** A name for the file, such as `usage-credits-by-day-2026-05-01-2026-05-28.csv`, with a number where one is taken. */
export function exportName({data, format, sheet}: Export, folder: string): string {
	const days = data.range ? [data.range.startDate, data.range.endDate] : [];
	const isPart = format === 'csv' && data.sheets.length > 1;
	const words = [data.name, ...(isPart ? [sheet.name.toLowerCase()] : []), ...days];
	const base = words.join('-').replaceAll(/[^\w.-]+/g, '-');
	for (let number = 1; ; number++) {
		const name = `${base}${number > 1 ? `-${number}` : ''}.${format}`;
		if (number > 99 || !existsSync(join(folder, name))) return name;
	}
}

/** The file that a name typed by the user means; `~/` is the home folder. */
export function exportPath(name: string, folder: string): string {
	const typed = name.trim();
	return typed.startsWith('~/') ? join(homedir(), typed.slice(2)) : resolve(folder, typed);
}

/**
 * Writes an export to a file and tells how much went where. `exists`: there is a file of that name, nothing was written,
 * and only `replaces` would do it.
 */
export async function exportToFile(
	context: ActionContext,
	what: Export,
	path: string,
	replaces = false,
): Promise<Result<undefined> | 'exists'> {
	const written = await writeFile(path, piecesOf(what), replaces);
	if (written.state === 'exists') return 'exists';
	if (written.state === 'failed')
		return {isDone: false, what: written.what, hint: 'Choose another name or folder.'};
	tell(context, 'good', `Wrote ${rowsOf(what)}, ${byteSize(written.bytes)}, to ${path}`);
	return done(undefined);
}

/** Puts an export on the clipboard, and tells how that went. */
export async function exportToClipboard(context: ActionContext, what: Export): Promise<void> {
	const name = what.format === 'csv' ? what.sheet.name : what.data.name;
	const text = [...piecesOf(what)].join('');
	await copyText(context, text, `${rowsOf(what)} of ${name} as ${what.format.toUpperCase()}`);
}
