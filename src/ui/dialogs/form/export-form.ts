import {
	type Export,
	type ExportFormat,
	exportFormats,
	exportName,
	exportPath,
	exportToClipboard,
	exportToFile,
	partNames,
} from '../../../actions/export-page.ts';
import {done, type Result} from '../../../actions/result.ts';
import {type FormRequest, popDialog, pushDialog} from '../../../state/dialogs.ts';
import {setView} from '../../set-view.ts';
import type {AppParts} from '../../use-app.ts';
import type {Field, FormSpec} from './form-fields.ts';
import type {FormState} from './form-state.ts';

type Request = FormRequest & {readonly name: 'export'};
type Values = FormState['values'];

/** The choice value for all tables; no table has an empty name. */
const allTables = '';

/**
 * The export form: format, tables, destination and file name. The name follows the other values until the
 * user edits it.
 */
export function exportForm(request: Request): FormSpec {
	const {data, folder} = request;
	const first = {format: exportFormats[0], table: allTables, place: 'file'};
	const format: Field = {
		name: 'format',
		label: 'Format',
		hint: data.tables.length > 1 ? 'c CSV, one file per table; j JSON, all in one file' : 'c CSV, j JSON',
		start: first.format,
		choices: [
			{value: 'csv', label: 'CSV', key: 'c'},
			{value: 'json', label: 'JSON', key: 'j'},
		],
	};
	const tableField: Field = {
		name: 'table',
		label: 'Tables',
		hint: '← → choose',
		start: first.table,
		choices: [
			{value: allTables, label: `all ${data.tables.length} shown`},
			...data.tables.map(({name}, index) => ({
				value: name,
				label: `${name}, ${index + 1} of ${data.tables.length}`,
			})),
		],
	};
	const place: Field = {
		name: 'place',
		label: 'To',
		hint: 'f file, b clipboard',
		start: first.place,
		choices: [
			{value: 'file', label: 'a file', key: 'f'},
			{value: 'clipboard', label: 'the clipboard', key: 'b'},
		],
	};
	const file = (values: Values): Field => ({
		name: 'file',
		label: 'File',
		hint: fileHint(exportOf(request, values), folder),
		start: exportName(exportOf(request, first), folder),
		follows: chosen => exportName(exportOf(request, chosen), folder),
		check: (value, chosen) => (chosen.place === 'file' ? nameProblem(value) : undefined),
	});
	const fieldsOf = (values: Values) =>
		values.format === 'csv' && data.tables.length > 1
			? [format, tableField, place, file(values)]
			: [format, place, file(values)];
	return {
		title: 'Export what is shown',
		submit: 'Export',
		busy: 'writing',
		fields: fieldsOf(first),
		fieldsOf,
	};
}

/** The folder of the file, or the files an export of several tables writes. */
function fileHint(what: Export, folder: string): string {
	const parts = partNames(what);
	if (parts.length === 0) return `in ${folder}; only you can read it`;
	return `${parts.length} files in ${folder}: -${parts.join(', -')}`;
}

function nameProblem(value: string): string | undefined {
	if (value.trim() === '') return 'The name is missing';
	return /[/\\]$/.test(value.trim()) ? 'That is a folder: add a name' : undefined;
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
	const wanted = exportOf(request, values);
	if (values.place === 'clipboard') {
		await exportToClipboard(parts.actions, wanted);
		return done(undefined);
	}
	const path = exportPath(values.file ?? '', request.folder);
	const result = await exportToFile(parts.actions, wanted, path, replaces);
	if (!('exists' in result)) return result;
	setView(parts.view, view =>
		pushDialog(view, {
			kind: 'confirm',
			title: 'Replace the file?',
			text: `${result.exists} already exists. Its contents will be lost.`,
			intent: {name: 'replace-file'},
		}),
	);
	return {
		isDone: false,
		what: `${result.exists} already exists.`,
		hint: 'Choose another name, or replace it.',
	};
}

/** Runs when the user confirms the replacement: exports and closes the form below the question. */
export async function replaceFile(parts: AppParts): Promise<void> {
	const {form} = parts.forms.getState();
	if (form?.request.name !== 'export') return;
	const result = await submitExport(parts, form.request, form.values, true);
	if (result.isDone) {
		parts.forms.setState({}, true);
		setView(parts.view, popDialog);
	} else parts.forms.setState({form: {...form, problem: [result.what, result.hint].join(' ')}});
}
