import {type Account, accountName} from '../domain/accounts/account.ts';
import {askToConfirm} from '../state/view/view.ts';
import {connectForm} from './dialogs/form/connect-forms.ts';
import {openForm} from './dialogs/form/open-form.ts';
import {bindingsIn, type Now} from './keys/binding.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

const newKeyOf = ({parts}: Now) => parts.profile.newKey;

/** Keys of the first screen, which choose the service. */
export const welcomeBindings = bindingsIn({contexts: ['welcome']}, [
	{
		action: 'ask-again',
		keys: ['r'],
		title: 'Ask again which account a new key opens',
		hintNow: now => newKeyOf(now) && 'ask again',
		isFirst: now => newKeyOf(now) !== undefined,
		isEnabled: now => newKeyOf(now) !== undefined || 'No key is new here',
		run(parts) {
			if (parts.profile.newKey) askWhoseKey(parts, parts.profile.newKey);
		},
	},
	{
		action: 'work-locally',
		keys: ['l'],
		title: 'Work locally, without an account',
		hint: 'work locally',
		run: ({program, keys}) =>
			program.profiles.workLocally(
				`The next start opens profile local, too; ${keys.label('profiles')} switches`,
			),
	},
	{
		action: 'connect',
		keys: ['c'],
		title: 'Connect to a hosted service',
		hint: 'connect',
		run: parts => openForm(parts, connectForm([])),
	},
]);

/** Asks whether the key in the environment, which is new here, opens this account. */
export function askWhoseKey({view, program}: AppParts, other: Account): void {
	const {sameTitle, same} = strings.newKey;
	askToConfirm(view, {
		title: sameTitle,
		text: same(accountName(other)),
		yes: () => program.profiles.openAccount(other.id),
		// Escape leaves it open.
		no: () => program.profiles.openAccount(undefined),
		isUnexpected: true,
	});
}
