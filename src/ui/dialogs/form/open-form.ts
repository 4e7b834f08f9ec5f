import {notify} from '../../../actions/notify.ts';
import {pushDialog} from '../../../state/view/dialogs.ts';
import {setView} from '../../../state/view/view.ts';
import type {AppParts} from '../../use-app.ts';
import {
	type CreateForm,
	changesOf,
	type FormState,
	fieldsOf,
	focusedField,
	keptName,
	startForm,
} from './form-state.ts';

/** Opens a form over the panes, with the text that was typed into it last time, if that is kept. */
export function openForm(parts: AppParts, create: CreateForm): void {
	if (!isLeaving(parts)) show(parts, startForm(create, parts, parts.forms.kept));
}

/** Whether another profile is about to replace this one and would close anything opened now. If so, says so. */
export function isLeaving({actions, profile, program}: AppParts): boolean {
	const {opening} = program.profiles;
	if (opening === undefined || opening === profile.name) return false;
	notify(actions, 'info', `Still opening ${opening}: a form can be opened after that`);
	return true;
}

/** Opens a form in the state it had in another app. */
export function reopenForm(parts: AppParts, before: FormState): void {
	const started = startForm(before.create, parts);
	const form = {...started, values: {...started.values, ...changesOf(before)}};
	const focused = fieldsOf(form).findIndex(({name}) => name === focusedField(before)?.name);
	const {editing, isTried, isReopened} = before;
	show(parts, {
		...form,
		isTried,
		...(isReopened && {isReopened}),
		...(editing && {editing}),
		...(focused >= 0 && {focused}),
	});
}

function show({forms, view}: AppParts, form: FormState): void {
	forms.setState({form});
	setView(view, now => pushDialog(now, {kind: 'form'}));
}

/** Closes the open form, even below a question, and cancels its request. Keeps its text if the form says so. */
export function closeForm({forms, view}: AppParts): void {
	const {form} = forms.getState();
	if (!form) return;
	const name = keptName(form.spec, forms);
	const changes = changesOf(form);
	if (name !== undefined && changes) forms.kept.set(name, changes);
	else if (name !== undefined) forms.kept.delete(name);
	forms.pending?.abort();
	forms.setState({}, true);
	setView(view, now => ({...now, dialogs: now.dialogs.filter(({kind}) => kind !== 'form')}));
}
