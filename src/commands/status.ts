import {readKey} from '../config/key-source.ts';
import {readConfiguration, readSettings, type SettingsInput} from '../config/settings.ts';
import type {Database} from '../db/database.ts';
import {normalAddress} from '../domain/accounts/account.ts';
import {isServiceGone} from '../embedded-service.ts';
import {createListBuilder} from '../state/lists/lists.ts';
import {safe} from '../text/cells/safe.ts';
import type {Wiring} from '../wiring.ts';
import type {CommandRun} from './cli/context.ts';
import {exitCodes} from './cli/errors.ts';
import {requireWhole} from './cli/require-storage.ts';
import {savedFleet, savedMarks, savedOutbox} from './sessions/session-states.ts';

/** Prints one line for a status bar: how many need the user, and how many work, as last saved. */
export const status: CommandRun = async context => {
	const input = {...context.input, file: await readConfiguration(context.input)};
	const parts = await context.wiring(input);
	const {unreadNeedsYou} = parts.config;
	const now = context.clock.now();
	const saved = await savedDatabase(input, parts);
	if (!saved) {
		// Nobody has opened this account here yet.
		if (context.output.isJson) context.output.json({});
		else context.output.line(safe`?`);
		return exitCodes.done;
	}
	try {
		const {database} = saved;
		requireWhole(database);
		// Hooks make sessions known without a service.
		if (database.sessions.all().length === 0) parts.requireService();
		const sources = {database, unreadNeedsYou, now, isServiceGone: isServiceGone(parts.config)};
		const fleet = {...savedFleet(sources), requests: new Map(), problems: new Map()};
		const builder = createListBuilder(unreadNeedsYou, name => database.durations.median(name));
		const {counts} = builder.unfiltered(fleet, savedOutbox(database), {
			marks: savedMarks(database, now),
		});
		const {needs, working, workingUntil} = counts;
		const unsure = workingUntil.filter(until => until <= now).length;
		if (context.output.isJson) context.output.json({needsYou: needs, working, unsure});
		else context.output.line(safe`! ${needs}  ● ${working}${unsure > 0 ? safe`?` : safe``}`);
	} finally {
		saved.close();
	}
	return exitCodes.done;
};

/** The data of the account. Of keys only the environment's is loaded: a status bar would run a key command often. */
async function savedDatabase(
	input: SettingsInput,
	parts: Wiring,
): Promise<{readonly database: Database; readonly close: () => void} | undefined> {
	const {remote, profile, stateFolder} = await readSettings(input);
	if (!remote) return {database: await parts.database(), close() {}};
	const machine = await parts.machine();
	const {findKnownAccount, openAccountDatabase} = await import('../accounts.ts');
	const {baseUrl, keySource} = remote;
	const account =
		keySource?.kind === 'environment'
			? findKnownAccount(machine, {baseUrl, key: await readKey(keySource, input.env)})
			: machine.accounts.all().find(one => one.profile === profile && one.address === normalAddress(baseUrl));
	if (!account) return undefined;
	const database = openAccountDatabase(machine, account, {stateFolder});
	return {database, close: () => database.close()};
}
