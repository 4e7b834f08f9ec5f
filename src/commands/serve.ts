import {existsSync, readdirSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {readSettings} from '../config/settings.ts';
import {localFolder} from '../embedded-service.ts';
import {launcherFile} from '../hook-setup/launcher.ts';
import {startLocalService} from '../local/start-local-service.ts';
import {findService, stopService} from '../reach-service.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {agrees} from './cli/confirm.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';
import {untilAborted} from './cli/interrupts.ts';
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
		idleTime: idle ? idle * 1000 : undefined,
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

/** Prints which process runs the service of a folder; 1 if none does. */
async function printStatus({output}: CommandContext, folder: string): Promise<ExitCode> {
	const running = await findService(folder);
	if (!running) {
		output.note(text.notRunning(folder));
		return exitCodes.refused;
	}
	const {address: _, ...status} = running;
	if (output.isJson) output.json({...status, quarterdeck: {folder}});
	else output.text(cleanLine(text.running(status)));
	return exitCodes.done;
}

/** Stops the service of a folder; asks first if that ends agents. */
async function stop(context: CommandContext, folder: string): Promise<ExitCode> {
	const {output} = context;
	const running = await findService(folder);
	if (!running) {
		output.note(text.notRunning(folder));
		return exitCodes.done;
	}
	const {agentsAtWork} = running;
	if (agentsAtWork > 0 && !(await agrees(context, text.question(agentsAtWork)))) {
		output.note(text.unchanged);
		return exitCodes.refused;
	}
	await stopService(folder);
	output.note(text.stopped(running.pid));
	return exitCodes.done;
}

/** What a Quarterdeck elsewhere copies to a machine: a folder for each build, and Node's file of each version. */
const copied = /^(?:\d[\w.-]*-[0-9a-f]{12}|node-v[\d.]+)$/;

type RunningProgram = {
	readonly script: string;
	readonly node: string;
	/** What the clients' settings name as their hook. */
	readonly launcher: string;
};

/**
 * Removes earlier copies beside the one that runs as the service of this machine: once it runs, no other service does.
 * Those that hooks run stay. A Quarterdeck elsewhere that misses its own copies it again.
 */
export function removeOldPrograms({script, node, launcher}: RunningProgram): void {
	try {
		const own = dirname(realpathSync(script));
		const folder = dirname(own);
		if (basename(folder) !== 'remote' || !copied.test(basename(own))) return;
		const hooks = existsSync(launcher) ? readFileSync(launcher, 'utf8') : '';
		for (const name of readdirSync(folder)) {
			const isUsed = [own, node].includes(join(folder, name)) || hooks.includes(`/remote/${name}`);
			if (copied.test(name) && !isUsed) rmSync(join(folder, name), {recursive: true, force: true});
		}
	} catch {
		// They only take room.
	}
}
