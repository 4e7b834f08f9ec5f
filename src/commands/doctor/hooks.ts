import {currentEnvironment, openRuntimeFolder} from '../../../hooks/runtime-folder.ts';
import {checkInstalledHooks} from '../../hook-setup/installed.ts';
import {findListeners, spoolSizes} from '../../hook-setup/listeners.ts';
import {byteSize} from '../../text/values/numbers.ts';
import type {CommandContext} from '../cli/context.ts';
import {thisMachine} from '../hooks/chosen-files.ts';
import {type Check, ok, problem, warning} from './check.ts';
import {strings} from './strings.ts';

const text = strings.hooks;
/** More pending events than this mean that no program has read them for a long time. */
const manyFiles = 400;

/** Checks the installed hooks, and where their events arrive: the runtime folder, the sockets of programs, the spool. */
export async function checkHooks(context: CommandContext): Promise<Check[]> {
	return [...checkInstalled(context), checkFolder(), await checkSockets(), checkSpool()];
}

/** Checks that what installed hooks need is there, and that their clients can read them. */
function checkInstalled(context: CommandContext): Check[] {
	const {installed, problems} = checkInstalledHooks(thisMachine(context));
	if (problems.length === 0)
		return [ok('hooks', installed.length > 0 ? text.installed(installed) : text.none)];
	return problems.map(({title, path, gone, isSkipped, problem: unreadable}) => {
		if (unreadable !== undefined)
			return warning('hooks', text.unreadable(title, path, unreadable), text.unreadableAdvice(title));
		if (isSkipped) return problem('hooks', text.skipped(title, path), text.skippedAdvice(path));
		return problem('hooks', text.gone(title, gone), text.goneAdvice);
	});
}

function checkFolder(): Check {
	try {
		return ok('runtime folder', openRuntimeFolder(currentEnvironment()));
	} catch (error) {
		return problem('runtime folder', text.noFolder, (error as Error).message);
	}
}

async function checkSockets(): Promise<Check> {
	const listeners = await findListeners(currentEnvironment());
	const programs = listeners.filter(({isLive}) => isLive).map(({pid}) => pid);
	return ok('sockets', programs.length === 0 ? text.nobodyListens : text.listening(programs.join(', ')));
}

function checkSpool(): Check {
	const sizes = spoolSizes(currentEnvironment());
	const files = sizes.reduce((sum, folder) => sum + folder.files, 0);
	const bytes = sizes.reduce((sum, folder) => sum + folder.bytes, 0);
	const found = text.spool(files, byteSize(bytes));
	if (files < manyFiles) return ok('spool', found);
	return warning('spool', found, text.spoolAdvice);
}
