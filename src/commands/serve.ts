import {readSettings} from '../config/settings.ts';
import {localFolder} from '../embedded-service.ts';
import {launcherFile} from '../hook-setup/launcher.ts';
import {startLocalService} from '../local/start-local-service.ts';
import {cleanLine} from '../text/cells/clean.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';
import {untilAborted} from './cli/interrupts.ts';
import {removeOldPrograms} from './old-programs.ts';
import {strings} from './strings.ts';

const {serve: text} = strings;

/**
 * Runs the embedded service and the processes it started until a signal, a request or, with --idle, time ends them.
 * Prints the listening address. With --port, for other clients, also prints the key file's path, never the key.
 */
export async function serve(context: CommandContext): Promise<ExitCode> {
	const {flags, input, wiring, output, system, signal} = context;
	const port = flags.count('port');
	const idle = flags.count('idle');
	const read = () => readSettings({...input, flags: {...input.flags, local: true}});
	const settings = await read();
	const folder = localFolder(settings);
	if (flags.is('status') || flags.is('stop')) {
		const {printStatus, stop} = await import('./running-service.ts');
		return flags.is('stop') ? stop(context, folder) : printStatus(context, folder);
	}
	const service = await startLocalService({
		folder,
		agent: settings.agent,
		provisionsThisMachine: true,
		startedIn: system.folder,
		port,
		hooks: {
			openMachine: async () => (await wiring()).machine(),
			stateFolder: settings.stateFolder,
		},
		worktreeSetup: async () => (await read()).worktreeSetup,
		...(idle && {idleTime: idle * 1000}),
		onFileLost: what => void recordIncident(wiring, what).catch(() => output.note(what)),
	});
	let ended: 'idle' | 'stopped' | undefined;
	try {
		if (idle !== undefined) {
			// A program in the background keeps no folder in use that the user may want to remove or unmount.
			process.chdir(folder);
			process.title = 'quarterdeck service';
			const launcher = launcherFile(settings.stateFolder);
			removeOldPrograms({script: system.script, node: process.execPath, launcher});
			output.line(cleanLine(text.started(new Date(), process.pid)));
		}
		const {socket} = service;
		if (output.isJson) {
			const {url, keyFile} = service.port ?? {};
			output.json({socket, url, keyFile, quarterdeck: {pid: process.pid, folder}});
		} else {
			output.line(cleanLine(text.socket + socket));
			if (service.port) {
				output.line(cleanLine(text.url + service.port.url));
				output.line(cleanLine(text.keyFile + service.port.keyFile));
			}
		}
		ended = await Promise.race([service.ended, untilAborted(signal).then(() => undefined)]);
	} finally {
		await service.close(ended === 'stopped');
	}
	if (idle !== undefined) output.line(cleanLine(text.ended(new Date(), ended)));
	return exitCodes.done;
}

/** Records the incident so that every screen shows it until acknowledged; also prints it on stderr. */
async function recordIncident(wiring: CommandContext['wiring'], what: string): Promise<void> {
	const {incidents} = await (await wiring()).machine();
	incidents.add({at: Date.now(), what});
}
