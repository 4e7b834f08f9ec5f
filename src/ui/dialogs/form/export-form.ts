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

const formats = {csv: 'CSV', json: 'JSON', md: 'Markdown'} as const;

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
			label: 'Format',
			hint: data.document
				? 'm Markdown, j JSON'
				: data.tables.length > 1
					? 'c CSV, one file per table; j JSON, one file for all'
					: 'c CSV, j JSON',
			start: exportFormatsOf(data)[0],
			choices: exportFormatsOf(data).map(value => ({value, label: formats[value]})),
		};
		const tables: Field = {
			name: 'table',
			label: 'Tables',
			hint: '← → choose all or one of them',
			start: allTables,
			choices: [
				{value: allTables, label: `all ${data.tables.length}, one file each`},
				...data.tables.map(({name}) => ({value: name, label: name})),
			],
		};
		const destination: Field = {
			name: 'destination',
			label: 'To',
			hint: 'f file, c clipboard',
			start: 'file',
			choices: [
				{value: 'file', label: 'file'},
				{value: 'clipboard', label: 'clipboard'},
			],
		};
		const nameOf = (values: Values) => exportName(exportOf(data, values), folder);
		const start = nameOf({});
		const file = (values: Values): Field => ({
			name: 'file',
			label: 'File',
			hint: fileHint(exportOf(data, values), folderOf(values)),
			start,
			follows: nameOf,
			check: (value, {destination}) => (destination === 'file' ? nameProblem(value) : undefined),
		});
		return {
			title: 'Export this page',
			submit: 'Export',
			busy: 'writing',
			...(data.document && {title: 'Export the messages'}),
			startsAt: 'file',
			...(data.tables.some(({columns}) => columns.includes('billable_tokens')) && {
				intro: 'Credits are called billable_tokens in the file, as the service calls them.',
			}),
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
		what: `${result.exists} already exists.`,
		hint: 'Choose another name, or replace it.',
		question: {
			title: 'Replace the file?',
			text: `${result.exists} already exists. Its contents will be lost.`,
			yes: () => writeFile(parts, exported, path, true),
		},
	};
}

/** The folder of the file, or the files an export of several tables writes. */
function fileHint(request: Export, folder: string): string {
	const parts = partNames(request);
	return parts.length === 0
		? `in ${folder}; only you can read it`
		: `${parts.length} files, each with its table's name added, in ${folder}`;
}

function nameProblem(value: string): string | undefined {
	if (value.trim() === '') return 'The name is missing';
	return /[/\\]$/.test(value.trim()) ? 'This is a folder: add a file name' : undefined;
}

function exportOf(data: ExportPage, {format, table: name}: Values): Export {
	const table = data.tables.length === 1 ? data.tables[0] : data.tables.find(one => one.name === name);
	return {data, format: (format ?? exportFormatsOf(data)[0]) as ExportFormat, table};
}
