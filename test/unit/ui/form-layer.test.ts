import {expect, test} from 'vitest';
import {formLayer} from '../../../src/ui/dialogs/form/form-layer.ts';
import {createFormStore, openForm} from '../../../src/ui/dialogs/form/form-state.ts';
import type {AppParts} from '../../../src/ui/use-app.ts';

test('what is pasted while a form waits for the service stays in its field', () => {
	const forms = createFormStore();
	const fields = [{name: 'id', label: 'Id', hint: '', start: 'c1'}];
	const form = openForm({name: 'add', what: 'computer'}, {title: 'Add', submit: 'Add', fields});
	forms.setState({form});
	const layer = formLayer({forms} as unknown as AppParts);
	layer.paste?.('2');
	expect(forms.getState().form?.values).toEqual({id: 'c12'});
	forms.setState(({form}) => (form ? {form: {...form, isBusy: true}} : {}));
	layer.paste?.('3');
	expect(forms.getState().form?.values).toEqual({id: 'c123'});
});
