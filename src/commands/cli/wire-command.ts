import {withKey, withoutKey} from '../../config/load-config.ts';
import {readSettings, type SettingsInput} from '../../config/settings.ts';
import {prepareStateFolder} from '../../config/state-folder.ts';
import type {Clock} from '../../domain/clock.ts';
import {Wiring} from '../../wiring.ts';
import {cliStrings} from './strings.ts';

/**
 * The wiring of one headless command. Loads the key when the service or its account's database is first used.
 * Calls `note` with one line for each storage problem and replaced key.
 */
export async function wireCommand(
	input: SettingsInput,
	clock: Clock,
	note: (text: string) => void,
): Promise<Wiring> {
	const settings = await readSettings(input);
	for (const mistake of settings.mistakes) note(mistake);
	const problem = prepareStateFolder(settings.stateFolder);
	if (problem) note(problem);
	/** Calls that returned parts that can't be read: each is noted once. */
	const partial = new Set<string>();
	return new Wiring(withoutKey(settings), {
		address: async () => (await withKey(settings, input.env, input.signal)).service,
		clock,
		// The user is waiting and can run the command again.
		retries: 1,
		onResponse({resource, hasUnreadable}) {
			if (hasUnreadable && !partial.has(resource)) note(cliStrings.run.partial(resource));
			if (hasUnreadable) partial.add(resource);
		},
		onStorageTrouble: text => {
			if (text !== problem) note(text);
		},
		onNewKey: () => note(cliStrings.run.newKey(settings.profile)),
	});
}
