import {notify} from '../actions/notify.ts';
import {pushDialog} from '../state/dialogs.ts';
import {openFormDialog} from './open-form-dialog.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** Actions that choose the service. */
export const profileIntents = {
	profiles: (parts: AppParts) => void showProfiles(parts),
	connect: (parts: AppParts) => openFormDialog(parts, {name: 'connect'}),
	'work-locally': ({profiles, keys}: AppParts) =>
		profiles.workLocally(
			`Quarterdeck now opens with this profile; ${keys.label('profiles')} switches profiles`,
		),
};

async function showProfiles(parts: AppParts): Promise<void> {
	const listed = await parts.profiles.list();
	if (!listed.isDone) {
		notify(parts.actions, 'bad', listed.what);
		return;
	}
	const entries = listed.value;
	const index = Math.max(
		0,
		entries.findIndex(({name}) => name === parts.profile),
	);
	setView(parts.view, view => pushDialog(view, {kind: 'profiles', entries, index}));
}
