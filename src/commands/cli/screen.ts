import {withLastProfile} from '../../config/profiles.ts';
import {loadConfig, type SettingsInput} from '../../config/settings.ts';
import {type ViewName, views} from '../../state/view/view-states.ts';
import {refusal} from '../../term/capabilities.ts';
import {UsageError} from './errors.ts';
import type {Flags} from './parse.ts';
import {cliStrings} from './strings.ts';
import type {System} from './system.ts';

/** Opens the screen, or refuses if the terminal can't show it. Resolves with the exit code once closed. */
export async function runScreen(
	{stdin, stdout, folder}: Pick<System, 'stdin' | 'stdout' | 'folder'>,
	input: SettingsInput,
	flags: Flags,
	started: () => void,
): Promise<number> {
	const view = viewOf(flags.text('view'));
	const why = refusal({stdin, stdout, env: input.env});
	if (why) throw new UsageError(why);
	const demo = flags.is('demo') ? await (await import('../../demo.ts')).startDemo(input) : undefined;
	const opened = demo?.input ?? (await withLastProfile(input));
	const config = await loadConfig(opened);
	const {runMain} = await import('../../app/main.tsx');
	return runMain(config, {
		input: opened,
		userFolders: {started: folder, home: input.home},
		closed: demo?.close,
		sessionId: flags.text('session'),
		computerId: flags.text('computer'),
		view,
		started,
	});
}

function viewOf(name: string | undefined): ViewName | undefined {
	if (name === undefined) return undefined;
	const found = views.find(view => view.name === name.toLowerCase() || view.key === name);
	if (found) return found.name;
	const names = views.map(view => view.name).join(', ');
	throw new UsageError(cliStrings.usage.unknownView(name, names));
}
