import {notify} from '../../../actions/notify.ts';
import {type FormRequest, pushDialog} from '../../../state/view/dialogs.ts';
import {setView} from '../../../state/view/view.ts';
import type {AppParts, Parts} from '../../use-app.ts';
import {connectSpec, replaceKeySpec} from './connect-fields.ts';
import {type FormSpec, formSpec} from './form-fields.ts';
import {
	changesOf,
	type FormState,
	focusedField,
	keptName,
	keptOf,
	openForm,
	withField,
	withoutFields,
} from './form-state.ts';
import {agentFields} from './session-fields.ts';
import {strings} from './strings.ts';

/** Opens a form over the panes, prefilled with known values. */
export function openFormDialog(parts: AppParts, request: FormRequest): void {
	if (isLeaving(parts)) return;
	const kept = parts.forms.kept.get(keptName(request, parts.forms) ?? '');
	show(parts, openForm(request, specOf(parts, request), kept));
}

/** Whether another profile is about to replace this one and would close anything opened now. If so, says so. */
export function isLeaving({actions, profile, program}: Parts<'actions' | 'profile' | 'program'>): boolean {
	const {opening} = program.profiles;
	if (opening === undefined || opening === profile.name) return false;
	notify(actions, 'info', strings.form.leaving(opening));
	return true;
}

/** Opens a form in the state it had in another app. */
export function reopenForm(parts: AppParts, {request, ...before}: FormState): void {
	// What the user is still typing isn't text from last time.
	const {isReopened: _, ...form} = openForm(request, specOf(parts, request), changesOf(before));
	const focused = form.spec.fields.findIndex(({name}) => name === focusedField(before)?.name);
	const {editing, isTried, isReopened} = before;
	show(parts, {
		...form,
		isTried,
		...(isReopened && {isReopened}),
		...(editing && {editing}),
		...(focused >= 0 && {focused}),
	});
}

function show(parts: AppParts, form: FormState): void {
	const {request} = form;
	parts.forms.setState({form});
	setView(parts.view, view => pushDialog(view, {kind: 'form', form: request}));
	if (request.name === 'new-session' && parts.profile.host === undefined)
		parts.forms.reading = offerAgents(parts, request);
}

/**
 * Closes the open form, even below a question, and cancels its request. Keeps the typed text where `keptName` says
 * so.
 */
export function closeForm({forms, view}: Parts<'forms' | 'view'>): void {
	const {form} = forms.getState();
	const name = (form && keptName(form.request, forms)) ?? '';
	const kept = form && keptOf(form);
	if (kept) forms.kept.set(name, kept);
	else forms.kept.delete(name);
	forms.pending?.abort();
	forms.setState({}, true);
	setView(view, now => ({
		...now,
		dialogs: now.dialogs.filter(dialog => dialog.kind !== 'form' || dialog.form !== form?.request),
	}));
}

/** Fills in the agents to choose from. A service that doesn't say has none: their fields go. */
async function offerAgents(
	{actions, forms, profile}: Parts<'actions' | 'forms' | 'profile'>,
	request: FormRequest,
): Promise<void> {
	const change = (next: (form: FormState) => FormState) =>
		forms.setState(({form}) => (form?.request === request ? {form: next(form)} : {}));
	try {
		const [choice] = agentFields(await actions.service.agentRequests.agents(), profile);
		if (choice) change(form => withField(form, choice));
	} catch {
		const names = agentFields([], profile).map(({name}) => name);
		change(form => withoutFields(form, names));
	}
}

function specOf(
	{stores, profile, program}: Parts<'stores' | 'profile' | 'program'>,
	request: FormRequest,
): FormSpec {
	const {isConnected, host} = profile;
	const {profiles, userName} = program;
	const {hasEnvironmentKey, keyFolder} = profiles;
	if (request.name === 'replace-key') return replaceKeySpec(request, keyFolder);
	if (request.name === 'connect') {
		const {takenNames = []} = request;
		return connectSpec({hasEnvironmentKey, isFirst: !isConnected, takenNames});
	}
	if (request.name === 'edit-profile') return connectSpec({hasEnvironmentKey, isFirst: false, ...request});
	const spec = formSpec(request, stores.fleet.getState(), userName);
	if (request.name !== 'new-session' || host !== undefined) return spec;
	// Only the embedded service has agents. Their fields are there from the start, so that nothing moves.
	const after = spec.fields.findIndex(({name}) => name === 'cwd') + 1;
	const {fields} = spec;
	return {
		...spec,
		fields: [...fields.slice(0, after), ...agentFields(undefined, profile), ...fields.slice(after)],
	};
}
