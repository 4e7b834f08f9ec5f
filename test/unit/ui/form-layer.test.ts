import {join} from 'node:path';
import {expect, test} from 'vitest';
import {done} from '../../../src/actions/notify.ts';
import {createExportTable} from '../../../src/domain/export-table.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {exportForm} from '../../../src/ui/dialogs/form/export-form.ts';
import {fieldRows} from '../../../src/ui/dialogs/form/field-rows.ts';
import type {Field} from '../../../src/ui/dialogs/form/form.ts';
import {formLayer} from '../../../src/ui/dialogs/form/form-bindings.ts';
import {createFormStore, startForm} from '../../../src/ui/dialogs/form/form-state.ts';
import {openForm} from '../../../src/ui/dialogs/form/open-form.ts';
import {submit} from '../../../src/ui/dialogs/form/submit-form.ts';
import type {AppParts} from '../../../src/ui/use-app.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {temporaryFolder} from '../../support/local-service.ts';

/** A form with one field, as it opens. */
function formWith(field: Field) {
	const form = {title: 'Add', submit: 'Add', fields: () => [field], run: async () => done(undefined)};
	return startForm(() => form, {forms: createFormStore()} as unknown as AppParts);
}

test('text pasted while a form waits for the service stays in its field', () => {
	const forms = createFormStore();
	forms.setState({form: formWith({name: 'id', label: 'Id', hint: '', start: 'c1'})});
	const layer = formLayer({forms} as unknown as AppParts);
	layer.paste?.('2');
	expect(forms.getState().form?.values).toEqual({id: '2'});
	forms.setState(({form}) => (form ? {form: {...form, isBusy: true}} : {}));
	layer.paste?.('3');
	expect(forms.getState().form?.values).toEqual({id: '23'});
});

test('text typed while a file is written stays in its field if that fails', async () => {
	const parts = appParts(fakeClock());
	const table = createExportTable('days', [{name: 'day', value: (day: string) => day}], ['2026-11-20']);
	const data = {name: 'mine', selection: {}, tables: [table]};
	Object.assign(parts.program, {userFolders: {started: join(temporaryFolder(), 'nowhere'), home: '/'}});
	openForm(parts, exportForm(data));
	const {paste} = formLayer(parts);
	const written = submit(parts);
	paste?.('-2');
	await written;
	const {values, isBusy, problem} = parts.forms.getState().form ?? {};
	expect(values?.file).toMatch(/csv-2$/);
	expect({isBusy, problem}).toEqual({
		isBusy: false,
		problem: expect.stringContaining('folder does not exist'),
	});
});

test('a field that appears after a refused submit shows no problem before anything is typed', async () => {
	const parts = appParts(fakeClock());
	const missing = (value: string) => (value === '' ? 'It is missing' : undefined);
	const own = (name: string): Field => ({name, label: name, hint: '', start: '', check: missing});
	const kind = {name: 'kind', label: 'Kind', hint: '', start: 'a', choices: [{value: 'a', label: 'a'}]};
	kind.choices.push({value: 'b', label: 'b'});
	const fields = ({kind: chosen = 'a'}) => [own(chosen), kind];
	openForm(parts, () => ({title: 'Add', submit: 'Add', fields, run: async () => done(undefined)}));
	await submit(parts);
	expect(parts.forms.getState().form?.isTried).toBe(true);
	formLayer(parts).handle({name: 'tab', text: ''}, true);
	formLayer(parts).handle({name: 'right', text: ''}, true);
	expect(parts.forms.getState().form).toMatchObject({values: {kind: 'b'}, isTried: false});
});

test('ends a hint or problem that is too long for its rows with an ellipsis', () => {
	const check = () => 'much too long '.repeat(30);
	const field = {name: 'id', label: 'Id', hint: 'so many words '.repeat(30), start: '', check};
	const form = formWith(field);
	const noteOf = (isTried: boolean) =>
		lineText(fieldRows({...form, isTried}, field, true, 72).at(-1)?.line ?? []);
	expect(noteOf(false)).toMatch(/\w…$/);
	expect(noteOf(true)).toMatch(/\w…$/);
});
