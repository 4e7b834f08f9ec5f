import {notify} from '../../../actions/notify.ts';
import {pushDialog} from '../../../state/view/dialogs.ts';
import {setView} from '../../../state/view/view.ts';
import type {AppParts} from '../../use-app.ts';
import {type CreateForm, changesOf, keptName, startForm} from './form-state.ts';

/** Opens a form over the panes, with the text that was typed into it last time, if that is kept. */
export function openForm(parts: AppParts, create: CreateForm): void {
	if (isLeaving(parts)) return;
	parts.forms.setState({form: startForm(create, parts)});
	setView(parts.view, now => pushDialog(now, {kind: 'form'}));
}

/** Whether another profile is about to replace this one and would close anything opened now. If so, says so. */
export function isLeaving({actions, profile, program}: AppParts): boolean {
	const {opening} = program.profiles;
	if (opening === undefined || opening === profile.name) return false;
	notify(actions, 'info', `Still opening ${opening}: a form can be opened after that`);
	return true;
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
