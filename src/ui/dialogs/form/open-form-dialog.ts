import {type FormRequest, pushDialog} from '../../../state/dialogs.ts';
import {setView} from '../../set-view.ts';
import type {AppParts} from '../../use-app.ts';
import {connectSpec} from './connect-fields.ts';
import {type FormSpec, formSpec} from './form-fields.ts';
import {openForm, withFields} from './form-state.ts';
import {agentFields} from './session-fields.ts';

/** Opens a form over the panes, prefilled with known values. */
export function openFormDialog(parts: AppParts, request: FormRequest): void {
	const spec = specOf(parts, request);
	parts.forms.setState({form: openForm(request, spec)});
	setView(parts.view, view => pushDialog(view, {kind: 'form', form: request}));
	if (request.name === 'new-session' && parts.host === undefined) void offerAgents(parts, request);
}

/** Adds the choice of an agent to the open form, if the service has agents. A service that doesn't say has none. */
async function offerAgents({actions, forms, worktree}: AppParts, request: FormRequest): Promise<void> {
	let agents: readonly string[];
	try {
		agents = await actions.service.agentRequests.agents();
	} catch {
		return;
	}
	forms.setState(({form}) =>
		form?.request === request && !form.isBusy
			? {form: withFields(form, 'cwd', agentFields(agents, worktree))}
			: {},
	);
}

function specOf({profiles, isConnected, stores, userName}: AppParts, request: FormRequest): FormSpec {
	if (request.name !== 'connect') return formSpec(request, stores.fleet.getState(), userName);
	return connectSpec({hasEnvironmentKey: profiles.hasEnvironmentKey, isFirst: !isConnected});
}
