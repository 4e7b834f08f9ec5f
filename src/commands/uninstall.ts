import {existsSync, readdirSync, realpathSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {currentEnvironment, isPrivateFolder, runtimeFolders} from '../../hooks/runtime-folder.ts';
import {leaveMachine} from '../actions/machines.ts';
import {delay} from '../api/http/timing.ts';
import {cacheFolder, configFile, stateFolder} from '../config/folders.ts';
import {refuseForeignFolder} from '../config/ownership.ts';
import {localFolder} from '../embedded-service.ts';
import {isRunning} from '../hook-listeners/client-files.ts';
import {allSettingsFiles, clients} from '../hook-setup/clients.ts';
import {hasOurs} from '../hook-setup/installed.ts';
import {findListeners} from '../hook-setup/listeners.ts';
import {SettingsFileError, writeSettingsFile} from '../hook-setup/settings-file.ts';
import {storedMachines, storedWorktrees} from '../local/service-files.ts';
import {findService, stopService} from '../reach-service.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {agrees} from './cli/confirm.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';
import {backupFolder, propose} from './hooks/change.ts';
import {thisMachine} from './hooks/chosen-files.ts';
import {strings} from './strings.ts';

const {uninstall: text} = strings;

/** Something that is ended or removed. `run` throws unless that has happened. */
type Step = {
	readonly kind: 'hooks' | 'computer' | 'service' | 'folder';
	readonly target: string;
	readonly about: string;
	run(): Promise<void> | void;
};

/** How often to look whether the service's process has ended, ms. */
const lookInterval = 30;

/**
 * Removes all that Quarterdeck has saved: says what that is, asks, and does one step after the other, first those that
 * may fail, up to the first that does.
 */
export async function uninstall(context: CommandContext): Promise<ExitCode> {
	const {output, input, flags, signal} = context;
	const environment = {...currentEnvironment(), env: {...input.env}};
	const state = stateFolder(input.env, input.home);
	refuseForeignFolder(state);
	const running = await findService(localFolder({stateFolder: state}));
	const open = (await findListeners(environment))
		.filter(({isLive, pid}) => isLive && pid !== running?.pid)
		.map(({pid}) => pid);
	if (open.length > 0) {
		output.note(text.isOpen(open));
		return exitCodes.refused;
	}
	const config = dirname(configFile(input.env, input.home));
	const steps = [
		...hookSteps(context),
		...serviceSteps(context, state, running),
		...folderSteps(state, text.state(worktreesIn(state))),
		...folderSteps(cacheFolder(input.env, input.home), text.cache),
		...runtimeFolders(environment)
			.filter(folder => isPrivateFolder(folder, environment))
			.flatMap(folder => folderSteps(folder, text.runtime)),
		...(flags.is('config') ? folderSteps(config, text.config) : []),
	];
	if (!output.isJson) for (const {about} of steps) output.text(cleanLine(about, maxLine));
	const isConfigKept = !flags.is('config') && existsSync(config);
	if (steps.length === 0) output.note(text.nothing);
	if (isConfigKept) output.note(text.keptConfig(config));
	for (const note of branchNotes(state)) output.note(note);
	if (steps.length === 0) return exitCodes.done;
	if (!(await agrees(context, text.question))) {
		output.note(text.unchanged);
		return exitCodes.refused;
	}
	for (const {kind, target, run} of steps) {
		try {
			signal.throwIfAborted();
			await run();
		} catch (error) {
			output.note(text.stopped(target));
			throw error;
		}
		if (output.isJson) output.json({kind, target});
	}
	if (!output.isJson) output.line(text.done);
	return exitCodes.done;
}

/** Paths are long. */
const maxLine = 1024;

function hookSteps(context: CommandContext): Step[] {
	const machine = thisMachine(context);
	const folder = backupFolder(context);
	const files = clients.flatMap(client => allSettingsFiles(client, machine)).filter(hasOurs);
	return files.map(file => ({
		kind: 'hooks',
		target: file.path,
		about: text.hooks(file.client.title, file.path),
		run() {
			const {read, plan} = propose(file, [], folder);
			if (plan.kind === 'refused') throw new SettingsFileError(`${file.path}: ${plan.reason}`);
			if (plan.kind === 'change' && read)
				writeSettingsFile(read, plan.after, {folder, now: context.clock.now(), isInstall: false});
		},
	}));
}

/** Ends the embedded service, after what only it can do: remove the program from other machines. */
function serviceSteps(
	{wiring, input, clock, signal}: CommandContext,
	state: string,
	running: Awaited<ReturnType<typeof findService>>,
): Step[] {
	const folder = localFolder({stateFolder: state});
	const local = () => wiring({...input, flags: {...input.flags, local: true, profile: undefined}});
	const machines = storedMachines(folder).map(
		({id, name}): Step => ({
			kind: 'computer',
			target: name,
			about: text.computer(name),
			run: async () => void (await leaveMachine(await (await local()).connect(), id, true, {signal})),
		}),
	);
	const service: Step = {
		kind: 'service',
		target: folder,
		about: text.service(running?.agentsAtWork),
		async run() {
			if (machines.length > 0) await (await local()).close();
			const now = await findService(folder);
			if (!now) return;
			await stopService(folder);
			// It still writes to the folders at its end.
			while (isRunning({pid: now.pid})) await delay(clock, lookInterval, signal);
		},
	};
	return running || machines.length > 0 ? [...machines, service] : [];
}

function folderSteps(folder: string, what: string): Step[] {
	if (!existsSync(folder)) return [];
	return [
		{
			kind: 'folder',
			target: folder,
			about: text.folder(folder, what),
			run() {
				// It may be a link.
				for (const path of [realpathSync(folder), folder])
					rmSync(path, {recursive: true, force: true, maxRetries: 3});
			},
		},
	];
}

/** What stays in repositories of the worktrees that go with the state folder. */
function branchNotes(state: string): readonly string[] {
	const worktrees = storedWorktrees(localFolder({stateFolder: state}));
	return [...Map.groupBy(worktrees, ({repository}) => repository)].map(([repository, own]) =>
		text.keptBranches(
			repository,
			own.map(({branch}) => branch),
		),
	);
}

/** How many sessions have a worktree in the state folder. */
function worktreesIn(state: string): number {
	const folder = join(localFolder({stateFolder: state}), 'worktrees');
	return existsSync(folder) ? readdirSync(folder).length : 0;
}
