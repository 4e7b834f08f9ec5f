import type {FoundAccount} from '../../accounts.ts';
import {withKey, withoutKey} from '../../config/load-config.ts';
import {readSettings, type SettingsInput} from '../../config/settings.ts';
import {prepareStateFolder} from '../../config/state-folder.ts';
import {accountName} from '../../domain/accounts/account.ts';
import {Wiring} from '../../wiring.ts';

/**
 * The wiring of one headless command. Loads the key when the service or its account's database is first used.
 * Calls `note` with one line for each storage problem, doubtful account, and service that stops with the
 * command.
 */
export async function wireCommand(input: SettingsInput, note: (text: string) => void): Promise<Wiring> {
	const settings = await readSettings(input);
	const problem = prepareStateFolder(settings.stateFolder);
	if (problem) note(problem);
	return new Wiring(withoutKey(settings), {
		address: async () => (await withKey(settings, input.env, input.signal)).service,
		// The user is waiting and can run the command again.
		retries: 1,
		onStorageTrouble: text => {
			if (text !== problem) note(text);
		},
		onDoubt: found => note(doubtText(found)),
		onLocalStart: () =>
			note('the embedded service stops with this command; `quarterdeck serve` keeps it running'),
	});
}

function doubtText({account, doubt}: Required<FoundAccount>): string {
	const {other, why} = doubt;
	if (why === 'no-answer')
		return `this key is new on this machine and the service doesn't respond: until it says whether the key belongs to ${accountName(other)}, nothing of that account is shown`;
	if (why === 'refused')
		return `the service refused this key (401): nothing of ${accountName(other)} is shown with it`;
	const reason = why === 'other' ? "it can't see the data of" : 'it is unclear whether it belongs to';
	return `this key is new on this machine, and ${reason} ${accountName(other)}: it has its own account, ${account.id}; if both belong to the same organization, run quarterdeck accounts join ${other.id} ${account.id}`;
}
