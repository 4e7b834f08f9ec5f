import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {
	herePlace,
	isPrivateFolder,
	openRuntimeFolder,
	runtimeFolders,
} from '../../../hooks/runtime-folder.ts';
import {findSockets} from '../../../hooks/sockets.ts';
import {parseSpoolName, spoolFolders} from '../../../hooks/spool.ts';
import {byteSize} from '../../text/size.ts';
import {type Check, ok, problem, warning} from './check.ts';

/** More waiting events than this, and no program has taken them for long. */
const manyFiles = 400;

/** Where hook events come in: the runtime folder, the sockets of running programs, and the spool. */
export function checkHooks(): Check[] {
	return [checkFolder(), checkSockets(), checkSpool()];
}

function checkFolder(): Check {
	try {
		return ok('runtime folder', openRuntimeFolder(herePlace()));
	} catch (error) {
		return problem('runtime folder', 'none can be used', (error as Error).message);
	}
}

function checkSockets(): Check {
	const place = herePlace();
	const sockets = findSockets(runtimeFolders(place), place);
	const programs = sockets.map(({pid}) => pid).join(', ');
	return ok('sockets', sockets.length === 0 ? 'no program listens now' : `process ${programs}`);
}

function checkSpool(): Check {
	const place = herePlace();
	let files = 0;
	let bytes = 0;
	for (const folder of spoolFolders(place)) {
		if (!isPrivateFolder(folder, place)) continue;
		for (const name of readdirSync(folder)) {
			if (!parseSpoolName(name)) continue;
			files++;
			bytes += statSync(join(folder, name), {throwIfNoEntry: false})?.size ?? 0;
		}
	}
	const found = `${files} events, ${byteSize(bytes)}`;
	if (files < manyFiles) return ok('spool', found);
	return warning('spool', found, 'run quarterdeck events to take them in before the oldest are dropped');
}
