import {
	type Export,
	type ExportFormat,
	exportFormats,
	exportName,
	exportToClipboard,
	exportToFile,
	partNames,
} from '../../../actions/export-page.ts';
import {fullPath} from '../../../actions/read-attachment.ts';
import {done, type Result} from '../../../actions/result.ts';
import {type FormRequest, isFormOnTop} from '../../../state/view/dialogs.ts';
import {askToConfirm} from '../../../state/view/view.ts';
import type {AppParts} from '../../use-app.ts';
import type {Field, FormSpec} from './form-fields.ts';
import {replaceFile} from './form-layer.ts';
import type {FormState} from './form-state.ts';
import {strings} from './strings.ts';

type Request = FormRequest & {readonly name: 'export'};
type Values = FormState['values'];

const text = strings.export;

/** The choice value for all tables; no table has an empty name. */
const allTables = '';

/**
 * The export form: format, tables, destination and file name. The name follows the other values until the
 * user edits it.
 */
export function exportForm(request: Request): FormSpec {
	const {data, folder} = request;
	const first = {format: exportFormats[0], table: allTables, destination: 'file'};
	const format: Field = {
		name: 'format',
		...(data.tables.length > 1 ? text.formatOfTables : text.format),
		start: first.format,
		choices: [
			{value: 'csv', label: text.formats.csv, key: 'c'},
			{value: 'json', label: text.formats.json, key: 'j'},
		],
	};
	const tableField: Field = {
		name: 'table',
		...text.tables,
		start: first.table,
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
		start: first.destination,
		choices: [
			{value: 'file', label: text.destinations.file, key: 'f'},
			{value: 'clipboard', label: text.destinations.clipboard, key: 'b'},
		],
	};
	const file = (values: Values): Field => ({
		name: 'file',
		label: text.file,
		hint: fileHint(exportOf(request, values), folder),
		start: exportName(exportOf(request, first), folder),
		follows: chosen => exportName(exportOf(request, chosen), folder),
		check: (value, chosen) => (chosen.destination === 'file' ? nameProblem(value) : undefined),
	});
	const fieldsOf = (values: Values) =>
		values.format === 'csv' && data.tables.length > 1
			? [format, tableField, destination, file(values)]
			: [format, destination, file(values)];
	return {...text.form, fields: fieldsOf(first), fieldsOf};
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

function exportOf({data}: Request, {format, table: name}: Values): Export {
	const table = data.tables.length === 1 ? data.tables[0] : data.tables.find(one => one.name === name);
	return {data, format: (format ?? exportFormats[0]) as ExportFormat, ...(table && {table})};
}

/** Runs the export the form describes. Asks before replacing a file unless `replaces` is set. */
export async function submitExport(
	parts: AppParts,
	request: Request,
	values: Values,
	replaces = false,
): Promise<Result<undefined>> {
	const exported = exportOf(request, values);
	if (values.destination === 'clipboard') {
		await exportToClipboard(parts.actions, exported);
		return done(undefined);
	}
	const path = fullPath((values.file ?? '').trim(), request.folder);
	const result = await exportToFile(parts.actions, exported, path, replaces);
	if (!('exists' in result)) return result;
	if (isFormOnTop(parts.view.getState(), request))
		askToConfirm(parts.view, {
			title: text.replace,
			text: text.replaceText(result.exists),
			yes: () => void replaceFile(parts),
			isUnexpected: true,
		});
	return {isDone: false, what: text.exists(result.exists), hint: text.existsHint};
}
