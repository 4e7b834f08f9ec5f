import {loadConfig} from '../config/load-config.ts';
import type {SettingsInput} from '../config/settings.ts';
import {refusal} from '../term/capabilities.ts';
import type {Flags} from './parse.ts';
import {UsageError} from './usage-error.ts';

/** Opens the screen, or refuses where there is none to open it on. Resolves with the exit code when it is closed. */
export async function runScreen(input: SettingsInput, flags: Flags, started: () => void): Promise<number> {
	const why = refusal({stdin: process.stdin, stdout: process.stdout, env: input.env});
	if (why) throw new UsageError(why);
	const config = await loadConfig(input);
	const {runMain} = await import('../main.tsx');
	return runMain(config, {
		sessionId: flags.text('session'),
		computerId: flags.text('computer'),
		view: flags.text('view'),
		started,
	});
}
