import {expect, test} from 'vitest';
import {done} from '../../../src/actions/notify.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {fieldRows} from '../../../src/ui/dialogs/form/field-rows.ts';
import type {Field} from '../../../src/ui/dialogs/form/form.ts';
import {formLayer} from '../../../src/ui/dialogs/form/form-bindings.ts';
import {createFormStore, startForm} from '../../../src/ui/dialogs/form/form-state.ts';
import {openForm} from '../../../src/ui/dialogs/form/open-form.ts';
import {submit} from '../../../src/ui/dialogs/form/submit-form.ts';
import type {AppParts} from '../../../src/ui/use-app.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';

/** A form with one field, as it opens. */
function formWith(field: Field) {
	const form = {title: 'Add', submit: 'Add', fields: () => [field], run: async () => done(undefined)};
	return startForm(() => form, {forms: createFormStore()} as unknown as AppParts);
}

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
