import {currentEnvironment, openRuntimeFolder} from '../../../hooks/runtime-folder.ts';
import {checkInstalledHooks} from '../../hook-setup/installed.ts';
import type {CommandContext} from '../cli/context.ts';
import {thisMachine} from '../hooks/chosen-files.ts';
import {type Check, ok, problem, warning} from './check.ts';
import {strings} from './strings.ts';

const text = strings.hooks;

/** Checks the installed hooks, and the folder where programs hear their events; `hooks status` says more. */
export function checkHooks(context: CommandContext): Check[] {
	return [...checkInstalled(context), checkFolder()];
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
