import {
	type Export,
	type ExportFormat,
	exportFormats,
	exportName,
	exportPath,
	exportToClipboard,
	exportToFile,
} from '../../actions/export-page.ts';
import {done, type Result} from '../../actions/result.ts';
import {type FormRequest, popDialog, pushDialog} from '../../state/view.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import type {Field, FormSpec} from './form-fields.ts';
import type {FormState} from './form-state.ts';

type Request = FormRequest & {readonly name: 'export'};
type Values = FormState['values'];

/** Format, table, place and name of an export. The name follows the others until it is typed. */
export function exportForm(request: Request): FormSpec {
	const {data, folder} = request;
	const first = {format: exportFormats[0], sheet: data.sheets[0]?.name ?? ''};
	const format: Field = {
		name: 'format',
		label: 'Format',
		hint: data.sheets.length > 1 ? 'CSV holds one table, JSON all that are shown' : 'c CSV, j JSON',
		start: first.format,
		choices: [
			{value: 'csv', label: 'CSV', key: 'c'},
			{value: 'json', label: 'JSON', key: 'j'},
		],
	};
	const table: Field = {
		name: 'sheet',
		label: 'Table',
		hint: 'left and right choose',
		start: first.sheet,
		choices: data.sheets.map(({name}, index) => ({
			value: name,
			label: `${name}, ${index + 1} of ${data.sheets.length}`,
		})),
	};
	const place: Field = {
		name: 'place',
		label: 'To',
		hint: 'f file, b clipboard',
		start: 'file',
		choices: [
			{value: 'file', label: 'a file', key: 'f'},
			{value: 'clipboard', label: 'the clipboard', key: 'b'},
		],
	};
	const file: Field = {
		name: 'file',
		label: 'File',
		hint: `in ${folder}; only you can read it`,
		start: exportName(exportOf(request, first), folder),
		follows: values => exportName(exportOf(request, values), folder),
		check: (value, values) => (values.place === 'file' ? nameProblem(value) : undefined),
	};
	const fieldsOf = (values: Values) =>
		values.format === 'csv' && data.sheets.length > 1 ? [format, table, place, file] : [format, place, file];
	return {
		title: 'Export what is shown',
		submit: 'Export',
		busy: 'writing',
		fields: fieldsOf(first),
		fieldsOf,
	};
}

function nameProblem(value: string): string | undefined {
	if (value.trim() === '') return 'The name is missing';
	return /[/\\]$/.test(value.trim()) ? 'That is a folder: add a name' : undefined;
}

function exportOf({data}: Request, {format, sheet: name}: Values): Export {
	const [first] = data.sheets;
	const sheet = data.sheets.find(one => one.name === name) ?? first;
	if (!sheet) throw new Error('A page without a table is never offered.');
	return {data, sheet, format: (format ?? exportFormats[0]) as ExportFormat};
}

/** Exports as the form says; asks first where a file would be replaced. */
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
	if (result !== 'exists') return result;
	setView(parts.view, view =>
		pushDialog(view, {
			kind: 'confirm',
			title: 'Replace the file?',
			text: `There is already ${path}. Its text is lost when it is replaced.`,
			intent: {name: 'replace-file'},
		}),
	);
	return {isDone: false, what: `There is already ${path}.`, hint: 'Choose another name, or replace it.'};
}

/** A yes to the question above: the form under it is done. */
export async function replaceFile(parts: AppParts): Promise<void> {
	const {form} = parts.forms.getState();
	if (form?.request.name !== 'export') return;
	const result = await submitExport(parts, form.request, form.values, true);
	if (result.isDone) {
		parts.forms.setState({}, true);
		setView(parts.view, popDialog);
	} else parts.forms.setState({form: {...form, problem: [result.what, result.hint].join(' ')}});
}
