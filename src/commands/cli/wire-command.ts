import {leftProfile} from '../../config/profiles.ts';
import {
	readConfiguration,
	readSettings,
	type SettingsInput,
	withKey,
	withoutKey,
} from '../../config/settings.ts';
import type {Clock} from '../../domain/clock.ts';
import {Wiring} from '../../wiring.ts';
import type {Output} from '../output/output.ts';
import {cliStrings} from './strings.ts';

/**
 * The wiring of one headless command. Loads the key when the service or its account's database is first used.
 * Notes each storage problem and replaced key; remarks that the screen was left in another profile.
 */
export async function wireCommand(
	given: SettingsInput,
	clock: Clock,
	{note, remark}: Pick<Output, 'note' | 'remark'>,
	onlyReads?: boolean,
): Promise<Wiring> {
	const input = {...given, file: await readConfiguration(given)};
	const settings = await readSettings(input);
	const last = await leftProfile(input);
	if (last !== undefined && last !== settings.profile)
		remark(cliStrings.run.otherProfile(settings.profile, last));
	for (const mistake of settings.mistakes) note(mistake);
	return new Wiring(withoutKey(settings), {
		address: async () => (await withKey(settings, input.env, input.signal)).service,
		clock,
		onlyReads,
		// The user is waiting and can run the command again.
		retries: 1,
		onStorageTrouble: note,
		onNewKey: () => note(cliStrings.run.newKey(settings.profile)),
	});
}
