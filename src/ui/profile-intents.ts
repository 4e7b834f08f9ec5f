import {tell} from '../actions/tell.ts';
import {pushDialog} from '../state/view.ts';
import {openFormDialog} from './open-form-dialog.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** Name of the embedded service's profile. */
const localProfile = 'local';

/** Which service the program shows. */
export const profileIntents = {
	profiles: (parts: AppParts) => void showProfiles(parts),
	connect: (parts: AppParts) => openFormDialog(parts, {name: 'connect'}),
	'work-locally': (parts: AppParts) => parts.profiles.switchTo(localProfile),
};

async function showProfiles(parts: AppParts): Promise<void> {
	const listed = await parts.profiles.list();
	if (!listed.isDone) {
		tell(parts.actions, 'bad', listed.what);
		return;
	}
	const entries = listed.value;
	const index = Math.max(
		0,
		entries.findIndex(({name}) => name === parts.profile),
	);
	setView(parts.view, view => pushDialog(view, {kind: 'profiles', entries, index}));
}
