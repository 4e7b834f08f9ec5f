import {addComputer, createComputer, updateComputer} from '../../../actions/computers.ts';
import type {ActionContext} from '../../../actions/context.ts';
import {done, type Result} from '../../../actions/result.ts';
import {addSession, createSession, nameSession, updateSession} from '../../../actions/sessions.ts';
import {settingsPatch} from '../../../domain/sessions/session-settings.ts';
import type {ServiceRequest} from '../../../state/dialogs.ts';
import type {Shown} from '../../../state/view.ts';
import type {AppParts} from '../../use-app.ts';
import {computerDraft, computerPatch} from './computer-fields.ts';
import {submitDays} from './days-form.ts';
import {submitExport} from './export-form.ts';
import type {FormState} from './form-state.ts';
import {listOf, sessionDraft} from './session-fields.ts';

/** Submits a form; returns what to show next, if anything. */
export async function submitForm(
	parts: AppParts,
	form: FormState & {readonly request: ServiceRequest},
): Promise<Result<Shown | undefined>> {
	const {actions} = parts;
	const {request, values} = form;
	switch (request.name) {
		case 'new-computer':
			return shown('computer', await createComputer(actions, computerDraft(values)), ({id}) => id);
		case 'edit-computer': {
			const patch = computerPatch(values, form.spec.fields);
			if (!patch) return done({kind: 'computer', id: request.computerId});
			return shown('computer', await updateComputer(actions, request.computerId, patch), ({id}) => id);
		}
		case 'new-session':
			return shown('session', await createSession(actions, sessionDraft(values)), ({sessionId}) => sessionId);
		case 'rename-session':
			nameSession(actions, request.sessionId, values.name ?? '');
			return done({kind: 'session', id: request.sessionId});
		case 'edit-session':
			return shown('session', await changeSession(actions, request.sessionId, form), id => id);
		case 'export':
			return submitExport(parts, request, values);
		case 'days':
			return submitDays(parts, request, values);
		case 'add':
			return values.what === 'session'
				? shown('session', addSession(actions, values.id ?? ''), id => id)
				: shown('computer', addComputer(actions, values.id ?? ''), id => id);
	}
}

function shown<T>(kind: Shown['kind'], result: Result<T>, idOf: (value: T) => string): Result<Shown> {
	return result.isDone ? done({kind, id: idOf(result.value)}) : result;
}

/** Saves the local name immediately; calls the service only for settings that changed. */
async function changeSession(
	actions: ActionContext,
	id: string,
	{values, spec}: FormState,
): Promise<Result<string>> {
	const known = actions.stores.fleet.getState().sessions.get(id);
	const name = values.name?.trim() ?? '';
	if (name !== (known?.name ?? '')) nameSession(actions, id, name);
	const settings = known?.session?.sessionSettings;
	/** An unedited list keeps its items, even those that contain a comma. */
	const list = (field: string, before: readonly string[] = []) => {
		const text = values[field] ?? '';
		return text === spec.fields.find(one => one.name === field)?.start ? before : listOf(text);
	};
	const patch = settingsPatch(settings, {
		model: values.model?.trim() ?? '',
		specModeModel: values.specModeModel?.trim() ?? '',
		tags: list(
			'tags',
			settings?.tags?.map(tag => tag.name),
		),
		enabledToolIds: list('enabledToolIds', settings?.enabledToolIds),
		disabledToolIds: list('disabledToolIds', settings?.disabledToolIds),
	});
	if (!patch) return done(id);
	const result = await updateSession(actions, id, patch);
	return result.isDone ? done(id) : result;
}
