import {type FormRequest, pushDialog} from '../../../state/dialogs.ts';
import {setView} from '../../set-view.ts';
import type {AppParts} from '../../use-app.ts';
import {connectSpec} from './connect-fields.ts';
import {type FormSpec, formSpec} from './form-fields.ts';
import {openForm} from './form-state.ts';

/** Opens a form over the panes, prefilled with known values. */
export function openFormDialog(parts: AppParts, request: FormRequest): void {
	const spec = specOf(parts, request);
	parts.forms.setState({form: openForm(request, spec)});
	setView(parts.view, view => pushDialog(view, {kind: 'form', form: request}));
}

function specOf({profiles, isConnected, stores, userName}: AppParts, request: FormRequest): FormSpec {
	if (request.name !== 'connect') return formSpec(request, stores.fleet.getState(), userName);
	return connectSpec({hasEnvironmentKey: profiles.hasEnvironmentKey, isFirst: !isConnected});
}
