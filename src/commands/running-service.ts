import {findService, stopService} from '../reach-service.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {agrees} from './cli/confirm.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';
import {strings} from './strings.ts';

const {serve: text} = strings;

/** Prints which process runs the service of a folder; 1 if none does. */
export async function printStatus({output}: CommandContext, folder: string): Promise<ExitCode> {
	const running = await findService(folder);
	if (!running) {
		output.note(text.notRunning(folder));
		return exitCodes.refused;
	}
	const {address: _, ...status} = running;
	if (output.isJson) output.json({...status, quarterdeck: {folder}});
	else output.line(cleanLine(text.running(status)));
	return exitCodes.done;
}

/** Stops the service of a folder; asks first if that ends agents. */
export async function stop(context: CommandContext, folder: string): Promise<ExitCode> {
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
