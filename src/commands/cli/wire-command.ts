import type {FoundAccount} from '../../accounts.ts';
import {withKey, withoutKey} from '../../config/load-config.ts';
import {readSettings, type SettingsInput} from '../../config/settings.ts';
import {prepareStateFolder} from '../../config/state-folder.ts';
import {accountName} from '../../domain/accounts/account.ts';
import type {Clock} from '../../sync/core/clock.ts';
import {Wiring} from '../../wiring.ts';
import {cliStrings} from './strings.ts';

/**
 * The wiring of one headless command. Loads the key when the service or its account's database is first used.
 * Calls `note` with one line for each storage problem, doubtful account, and service that stops with the
 * command.
 */
export async function wireCommand(
	input: SettingsInput,
	clock: Clock,
	note: (text: string) => void,
): Promise<Wiring> {
	const settings = await readSettings(input);
	const problem = prepareStateFolder(settings.stateFolder);
	if (problem) note(problem);
	return new Wiring(withoutKey(settings), {
		address: async () => (await withKey(settings, input.env, input.signal)).service,
		clock,
		// The user is waiting and can run the command again.
		retries: 1,
		onStorageTrouble: text => {
			if (text !== problem) note(text);
		},
		onDoubt: found => note(doubtText(found)),
		onLocalStart: () => note(cliStrings.run.localStops),
	});
}

const {doubt: doubtStrings} = cliStrings;

function doubtText({account, doubt}: Required<FoundAccount>): string {
	const {other, why, failure} = doubt;
	const name = accountName(other);
	const join = doubtStrings.join(other.id, account.id);
	if (why === 'no-answer') return doubtStrings.noAnswer(name, failure);
	if (why === 'refused') return doubtStrings.refused(name);
	return why === 'other' ? doubtStrings.other(name, join) : doubtStrings.unclear(name, join, account.id);
}
