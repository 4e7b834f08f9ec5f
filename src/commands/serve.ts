import {resolve} from 'node:path';
import {readSettings} from '../config/settings.ts';
import {localFolder} from '../embedded-service.ts';
import {announce} from '../local/attach.ts';
import {makePrivateFolder} from '../local/private-files.ts';
import {startLocalService} from '../local/start-local-service.ts';
import {cleanLine} from '../text/cells/clean.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';
import {untilAborted} from './cli/interrupts.ts';
import {strings} from './strings.ts';

const {serve: text} = strings;

/**
 * Runs the embedded service and the processes it started until a signal ends them. Prints the listening
 * address. With --port, for other clients, also prints the key file's path, never the key.
 */
export async function serve({
	flags,
	input,
	wiring,
	output,
	system,
	signal,
}: CommandContext): Promise<ExitCode> {
	const port = flags.count('port');
	const settings = await readSettings({...input, flags: {...input.flags, local: true}});
	const chosen = flags.text('folder');
	const folder = resolve(system.folder, chosen ?? localFolder(settings));
	if (chosen !== undefined) makePrivateFolder(folder, text.otherFolder);
	const service = await startLocalService({
		folder,
		agent: settings.agent,
		provisionsThisMachine: true,
		startedIn: system.folder,
		...(port !== undefined && {port}),
		onFileLost: what => void recordIncident(wiring, what).catch(() => output.note(what)),
	});
	try {
		const withdraw = announce(folder, service);
		const {socket} = service;
		if (output.isJson) {
			const {url, keyFile} = service.port ?? {};
			output.json({socket, ...(url && {url, keyFile}), quarterdeck: {pid: process.pid, folder}});
		} else {
			output.line(cleanLine(text.socket + socket));
			if (service.port) {
				output.line(cleanLine(text.url + service.port.url));
				output.line(cleanLine(text.keyFile + service.port.keyFile));
			}
		}
		await untilAborted(signal);
		withdraw();
	} finally {
		await service.close();
	}
	return exitCodes.done;
}

/** Records the incident so that every screen shows it until acknowledged; also prints it on stderr. */
async function recordIncident(wiring: CommandContext['wiring'], what: string): Promise<void> {
	const {incidents} = await (await wiring()).machine();
	incidents.add({at: Date.now(), what});
}
