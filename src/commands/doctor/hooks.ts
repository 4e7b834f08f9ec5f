import {currentEnvironment, openRuntimeFolder} from '../../../hooks/runtime-folder.ts';
import {findListeners, spoolSizes} from '../../hook-setup/listeners.ts';
import {byteSize} from '../../text/size.ts';
import {type Check, ok, problem, warning} from './check.ts';

/** More pending events than this mean that no program has read them for a long time. */
const manyFiles = 400;

/** Checks where hook events arrive: the runtime folder, the sockets of running programs and the spool. */
export async function checkHooks(): Promise<Check[]> {
	return [checkFolder(), await checkSockets(), checkSpool()];
}

function checkFolder(): Check {
	try {
		return ok('runtime folder', openRuntimeFolder(currentEnvironment()));
	} catch (error) {
		return problem('runtime folder', 'none is usable', (error as Error).message);
	}
}

async function checkSockets(): Promise<Check> {
	const listeners = await findListeners(currentEnvironment());
	const programs = listeners.filter(({isLive}) => isLive).map(({pid}) => pid);
	return ok('sockets', programs.length === 0 ? 'no program is listening' : `process ${programs.join(', ')}`);
}

function checkSpool(): Check {
	const sizes = spoolSizes(currentEnvironment());
	const files = sizes.reduce((sum, folder) => sum + folder.files, 0);
	const bytes = sizes.reduce((sum, folder) => sum + folder.bytes, 0);
	const found = `${files} events, ${byteSize(bytes)}`;
	if (files < manyFiles) return ok('spool', found);
	return warning('spool', found, 'run quarterdeck events to read them before the oldest are dropped');
}
