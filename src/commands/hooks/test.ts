import type {SettingsFile} from '../../hook-setup/clients.ts';
import {fileStatus} from '../../hook-setup/installed.ts';
import {readSettingsFile} from '../../hook-setup/settings-file.ts';
import {ourEntries} from '../../hook-setup/settings-text.ts';
import {runTrial} from '../../hook-setup/trial.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes} from '../cli/errors.ts';
import {filesToInspect} from './chosen-files.ts';
import {strings} from './strings.ts';

const {test: text} = strings;

/**
 * Runs each installed hook once as its client would, and prints how long it took and whether the event arrived. Returns 1
 * when a run failed or nothing is installed.
 */
export async function test(context: CommandContext): Promise<ExitCode> {
	const {output, input, signal} = context;
	const installed = filesToInspect(context).flatMap(({files}) => files.flatMap(commandsIn));
	if (installed.length === 0) {
		output.note(text.notInstalled);
		return exitCodes.refused;
	}
	let hasFailed = false;
	for (const {file, command, event} of installed) {
		const result = await runTrial({command, event, home: input.home, abort: signal});
		signal.throwIfAborted();
		const {ms, outcome, problems} = result;
		hasFailed ||= problems.length > 0;
		const {client, path} = file;
		if (output.isJson) output.json({client: client.name, file: path, event, ...result});
		else
			output.text(cleanLine(text.result(client.title, path, problems.join('; ') || outcome, Math.round(ms))));
	}
	return hasFailed ? exitCodes.refused : exitCodes.done;
}

type Installed = {readonly file: SettingsFile; readonly command: string; readonly event: string};

/** Each distinct command of ours in a file, with an event that runs it. */
function commandsIn(file: SettingsFile): Installed[] {
	if (fileStatus(file, undefined).problem !== undefined) return [];
	const entries = ourEntries(readSettingsFile(file.path).text, file.isBare);
	return [...new Map(entries.map(({command, event}) => [command, event]))].map(([command, event]) => ({
		file,
		command,
		event,
	}));
}
