import {dirname} from 'node:path';
import {
	type Export,
	type ExportFormat,
	exportFormatsOf,
	exportName,
	exportToClipboard,
	exportToFile,
	partNames,
} from '../../../actions/export-page.ts';
import {done} from '../../../actions/notify.ts';
import {fullPath} from '../../../actions/read-attachment.ts';
import type {ExportPage} from '../../../domain/export-table.ts';
import type {AppParts} from '../../use-app.ts';
import type {Field, Form, FormResult, Values} from './form.ts';
import {strings} from './strings.ts';

const text = strings.export;

/** The choice value for all tables; no table has an empty name. */
const allTables = '';

/**
 * Exports a page's data: format, tables, destination and file name, which follows the other values until the user edits
 * it.
 */
export const exportForm =
	(data: ExportPage) =>
	(parts: AppParts): Form => {
		const {started: folder, home} = parts.program.userFolders;
		const pathOf = ({file = ''}: Values) => fullPath(file.trim(), folder, home);
		const folderOf = (values: Values) => (values.file?.trim() ? dirname(pathOf(values)) : folder);
		const format: Field = {
			name: 'format',
			...(data.document ? text.formatOfDocument : data.tables.length > 1 ? text.formatOfTables : text.format),
			start: exportFormatsOf(data)[0],
			choices: exportFormatsOf(data).map(value => ({value, ...text.formats[value]})),
		};
		const tables: Field = {
			name: 'table',
			...text.tables,
			start: allTables,
			choices: [
				{value: allTables, label: text.allTables(data.tables.length)},
				...data.tables.map(({name}, index) => ({
					value: name,
					label: text.table(name, index + 1, data.tables.length),
				})),
			],
		};
		const destination: Field = {
			name: 'destination',
			...text.destination,
			start: 'file',
			choices: [
				{value: 'file', label: text.destinations.file, key: 'f'},
				{value: 'clipboard', label: text.destinations.clipboard, key: 'b'},
			],
		};
		const nameOf = (values: Values) => exportName(exportOf(data, values), folder);
		const start = nameOf({});
		const file = (values: Values): Field => ({
			name: 'file',
			label: text.file,
			hint: fileHint(exportOf(data, values), folderOf(values)),
			start,
			follows: nameOf,
			check: (value, {destination}) => (destination === 'file' ? nameProblem(value) : undefined),
		});
		return {
			...text.form,
			...(data.document && {title: text.messages}),
			startsAt: 'file',
			...(data.tables.some(({columns}) => columns.includes('billable_tokens')) && {intro: text.credits}),
			fields: values =>
				exportOf(data, values).format === 'csv' && data.tables.length > 1
					? [format, tables, destination, file(values)]
					: [format, destination, file(values)],
			async run(values) {
				const exported = exportOf(data, values);
				if (values.destination === 'clipboard') {
					await exportToClipboard(parts.actions, exported);
					return done(undefined);
				}
				return writeFile(parts, exported, pathOf(values));
			},
		};
	};

/** Asks before it replaces a file. */
async function writeFile(
	parts: AppParts,
	exported: Export,
	path: string,
	replaces = false,
): Promise<FormResult> {
	const result = await exportToFile(parts.actions, exported, path, replaces);
	if (!('exists' in result)) return result;
	return {
		isDone: false,
		what: text.exists(result.exists),
		hint: text.existsHint,
		question: {
			title: text.replace,
			text: text.replaceText(result.exists),
			yes: () => writeFile(parts, exported, path, true),
		},
	};
}

/** The folder of the file, or the files an export of several tables writes. */
function fileHint(request: Export, folder: string): string {
	const parts = partNames(request);
	return parts.length === 0 ? text.fileHint(folder) : text.filesHint(parts, folder);
}

function nameProblem(value: string): string | undefined {
	if (value.trim() === '') return strings.check.missing(strings.check.name);
	return /[/\\]$/.test(value.trim()) ? text.isFolder : undefined;
}

function exportOf(data: ExportPage, {format, table: name}: Values): Export {
	const table = data.tables.length === 1 ? data.tables[0] : data.tables.find(one => one.name === name);
	return {data, format: (format ?? exportFormatsOf(data)[0]) as ExportFormat, table};
}
