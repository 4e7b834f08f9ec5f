import {type FormRequest, pushDialog} from '../state/view.ts';
import {formSpec} from './dialogs/form-fields.ts';
import {openForm} from './dialogs/form-state.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** Opens a form over the panes, filled with what is known. */
export function openFormDialog(parts: AppParts, request: FormRequest): void {
	const spec = formSpec(request, parts.stores.fleet.getState(), parts.userName);
	parts.forms.setState({form: openForm(request, spec)});
	setView(parts.view, view => pushDialog(view, {kind: 'form', form: request}));
}
