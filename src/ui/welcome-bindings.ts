import {openFormDialog} from './dialogs/form/open-form-dialog.ts';
import {bindingsIn} from './keys/binding.ts';
import {strings} from './strings.ts';

/** Keys of the first screen, which choose the service. */
export const welcomeBindings = bindingsIn({contexts: ['welcome']}, [
	{
		action: 'work-locally',
		keys: ['l'],
		title: 'Work locally, without an account',
		hint: 'work locally',
		run: ({program, keys}) => program.profiles.workLocally(strings.localProfile(keys.label('profiles'))),
	},
	{
		action: 'connect',
		keys: ['c'],
		title: 'Connect to a hosted service',
		hint: 'connect',
		run: parts => openFormDialog(parts, {name: 'connect'}),
	},
]);
