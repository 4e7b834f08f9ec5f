import {existsSync, promises as files} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {basename, dirname, join, parse} from 'node:path';
import type {ExportPage, ExportTable} from '../domain/export-table.ts';
import {pageJson, tableCsv} from '../text/values/export-text.ts';
import {byteSize} from '../text/values/numbers.ts';
import type {ActionContext} from './context.ts';
import {copyText} from './copy-text.ts';
import {done, notify, type Result} from './notify.ts';
import {strings} from './strings.ts';

export type ExportFormat = 'csv' | 'json' | 'md';

/** The formats of a page, the usual one first. */
export function exportFormatsOf({document}: ExportPage): readonly [ExportFormat, ExportFormat] {
	return document ? ['md', 'json'] : ['csv', 'json'];
}

/** What to export. CSV: one table, or all if `table` is absent. JSON: always the whole page. */
export type Export = {readonly data: ExportPage; readonly format: ExportFormat; readonly table?: ExportTable};

function tablesOf({data, format, table}: Export): readonly ExportTable[] {
	return format === 'csv' && table ? [table] : data.tables;
}

/** One file of an export, its text in chunks. */
type ExportFile = {readonly path: string; readonly pieces: Iterable<string>};

/** A CSV file holds one table. With several tables, each gets its own file with the table's name appended. */
function filesOf(what: Export, path: string): readonly ExportFile[] {
	const pieces = wholeOf(what);
	if (pieces) return [{path, pieces}];
	const tables = tablesOf(what);
	return tables.map(table => ({
		path: tables.length > 1 ? partPath(path, table) : path,
		pieces: tableCsv(table, what.data.notes),
	}));
}

function partPath(path: string, {name}: ExportTable): string {
	const {dir, name: base, ext} = parse(path);
	return join(dir, `${base}-${inName(name)}${ext}`);
}

function inName(title: string): string {
	return title.toLowerCase().replaceAll(/[^\w.-]+/g, '-');
}

/** The page as one document; undefined for CSV. */
function wholeOf({format, data}: Export): Iterable<string> | undefined {
	return format === 'json' ? pageJson(data) : format === 'md' ? data.document?.() : undefined;
}

/** The tables one below the other, each after its name and with a blank line between, to paste into a spreadsheet. */
function* piecesOf(what: Export): Iterable<string> {
	const whole = wholeOf(what);
	if (whole) return yield* whole;
	const tables = tablesOf(what);
	for (const [index, table] of tables.entries()) {
		if (tables.length > 1) yield `${index > 0 ? '\n' : ''}${table.name}\n`;
		yield* tableCsv(table, what.data.notes);
	}
}

function rowsOf(what: Export): string {
	const count = tablesOf(what).reduce((sum, one) => sum + one.count, 0);
	const unit = what.data.document ? 'message' : 'row';
	return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** A file name such as `usage-credits-by-day-2026-05-01-2026-05-28.csv`, numbered if it is taken. */
export function exportName(what: Export, folder: string): string {
	const {data, format, table} = what;
	const days = data.range ? [data.range.startDate, data.range.endDate] : [];
	const isPart = format === 'csv' && table !== undefined && data.tables.length > 1;
	const parts = [data.name, ...(isPart ? [table.name.toLowerCase()] : []), ...days];
	const base = parts.join('-').replaceAll(/[^\w.-]+/g, '-');
	for (let number = 1; ; number++) {
		const name = `${base}${number > 1 ? `-${number}` : ''}.${format}`;
		const isTaken = filesOf(what, join(folder, name)).some(({path}) => existsSync(path));
		if (number > 99 || !isTaken) return name;
	}
}

/** The table names as used in the file names of a multi-file export; empty for a single file. */
export function partNames(what: Export): readonly string[] {
	const tables = tablesOf(what);
	return what.format === 'csv' && tables.length > 1 ? tables.map(({name}) => inName(name)) : [];
}

/**
 * Writes an export to its file or files and shows the rows, size and path. Returns `exists` if a file is
 * already there: nothing is written to it unless `replaces`.
 */
export async function exportToFile(
	context: ActionContext,
	what: Export,
	path: string,
	replaces = false,
): Promise<Result<undefined> | {readonly exists: string}> {
	const files = filesOf(what, path);
	const [existing, ...others] = replaces ? [] : files.filter(file => existsSync(file.path));
	if (existing)
		return {exists: others.length > 0 ? `${existing.path} and ${others.length} more` : existing.path};
	let bytes = 0;
	for (const file of files) {
		const written = await writeFile(file.path, file.pieces, replaces);
		if (written.state === 'exists') return {exists: file.path};
		if (written.state === 'failed')
			return {isDone: false, what: written.what, hint: 'Choose another name or folder.'};
		bytes += written.bytes;
	}
	const target = files.length > 1 ? `${partPattern(path)}, ${files.length} files` : path;
	const notes = what.data.notes ?? [];
	const gaps = notes.length > 0 ? ` (${notes.join('; ')})` : '';
	notify(
		context,
		notes.length > 0 ? 'info' : 'good',
		`Wrote ${target}: ${rowsOf(what)}, ${byteSize(bytes)}${gaps}`,
	);
	return done(undefined);
}

function partPattern(path: string): string {
	const {dir, name, ext} = parse(path);
	return join(dir, `${name}-*${ext}`);
}

export async function exportToClipboard(context: ActionContext, what: Export): Promise<void> {
	const {data, format, table} = what;
	const name = format === 'csv' && table ? table.name : data.name;
	const tableCount = tablesOf(what).length;
	const description = `${rowsOf(what)}${tableCount > 1 ? ` in ${tableCount} tables` : ''} of ${name} as ${format.toUpperCase()}`;
	await copyText(context, [...piecesOf(what)].join(''), description);
}

type Written =
	| {readonly state: 'written'; readonly bytes: number}
	/** A file of that name exists and was not to be replaced. */
	| {readonly state: 'exists'}
	| {readonly state: 'failed'; readonly what: string};

/** Chunks are joined into blocks of about this many characters; the event loop runs between two writes. */
const blockSize = 64 * 1024;

/**
 * Writes text in chunks to a file with mode 0600, completely or not at all. An existing file is kept, unless
 * `replaces`: then it is replaced atomically.
 */
export async function writeFile(path: string, pieces: Iterable<string>, replaces: boolean): Promise<Written> {
	const {randomBytes} = await import('node:crypto');
	// In the same folder, so that the rename is atomic.
	const written = replaces
		? join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`)
		: path;
	let handle: FileHandle | undefined;
	try {
		handle = await files.open(written, 'wx', 0o600);
		const bytes = await writeAll(handle, pieces);
		await handle.close();
		if (replaces) await files.rename(written, path);
		return {state: 'written', bytes};
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		if (!handle) return code === 'EEXIST' ? {state: 'exists'} : {state: 'failed', what: reasonOf(code, path)};
		await handle.close().catch(() => undefined);
		await files.unlink(written).catch(() => undefined);
		if (code === undefined) throw error;
		return {state: 'failed', what: reasonOf(code, path)};
	}
}

async function writeAll(handle: FileHandle, pieces: Iterable<string>): Promise<number> {
	let bytes = 0;
	let block = '';
	const flush = async () => {
		const {bytesWritten} = await handle.write(block);
		if (bytesWritten < Buffer.byteLength(block))
			throw Object.assign(new Error('short write'), {code: 'ENOSPC'});
		bytes += bytesWritten;
		block = '';
	};
	for (const piece of pieces) {
		block += piece;
		if (block.length >= blockSize) await flush();
	}
	if (block !== '') await flush();
	return bytes;
}

const reasons: Readonly<Record<string, string>> = strings.files.reasons;

function reasonOf(code: string | undefined, path: string): string {
	return `${path} can't be written: ${reasons[code ?? ''] ?? code ?? 'unknown error'}.`;
}
