import {notify} from '../actions/notify.ts';
import {closeForm, reopenForm} from '../ui/dialogs/form/open-form.ts';
import type {AppParts} from '../ui/use-app.ts';
import {strings} from './strings.ts';

/** Carries the open form over to the next app. A form for another account is closed, with a notice. */
export function carryForm(before: AppParts, after: AppParts, isSameAccount: boolean): void {
	const {form} = before.forms.getState();
	if (!form || form.isBusy) return;
	if (isSameAccount || form.spec.isForProfiles) reopenForm(after, form);
	else {
		closeForm(before);
		notify(after.actions, 'info', strings.account.formClosed);
	}
}
