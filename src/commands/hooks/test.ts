import {fileStatus} from '../../hook-setup/file-status.ts';
import {ourEntries} from '../../hook-setup/plan-change.ts';
import {readSettingsFile} from '../../hook-setup/read-settings.ts';
import type {SettingsFile} from '../../hook-setup/settings-files.ts';
import {runTrial, type TrialResult} from '../../hook-setup/trial.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes} from '../cli/errors.ts';
import type {Output} from '../output/output.ts';
import {type OutputColumn, printTable} from '../output/print-rows.ts';
import {strings} from './strings.ts';
import {filesToInspect} from './targets.ts';

const {test: text} = strings;

/**
 * Runs each installed hook as its client would and prints every fault. Returns 1 when a run failed or nothing
 * is installed.
 */
export async function test(context: CommandContext): Promise<ExitCode> {
	const {output, input, signal} = context;
	const installed = filesToInspect(context).flatMap(({files}) => files.flatMap(commandsIn));
	if (installed.length === 0) {
		output.note(text.notInstalled);
		return exitCodes.refused;
	}
	let hasFailed = false;
	for (const {file, command, events} of installed) {
		const results: TrialResult[] = [];
		for await (const result of runTrial({command, events, home: input.home, abort: signal})) {
			signal.throwIfAborted();
			results.push(result);
			if (output.isJson) output.json({client: file.client.name, file: file.path, ...result});
		}
		hasFailed ||= results.some(({problems}) => problems.length > 0);
		if (!output.isJson) show(output, file, results);
	}
	return hasFailed ? exitCodes.refused : exitCodes.done;
}

type Installed = {readonly file: SettingsFile; readonly command: string; readonly events: readonly string[]};

/** Each distinct command of ours in a file, with the events that run it. */
function commandsIn(file: SettingsFile): Installed[] {
	if (fileStatus(file, undefined).problem !== undefined) return [];
	const entries = ourEntries(readSettingsFile(file.path).text, file.isBare);
	return [...new Set(entries.map(({command}) => command))].map(command => ({
		file,
		command,
		events: [...new Set(entries.filter(entry => entry.command === command).map(({event}) => event))],
	}));
}

function show(output: Output, {client, path}: SettingsFile, results: readonly TrialResult[]): void {
	output.line(cleanLine(text.file(client.title, path)));
	const names = [...new Set(results.map(({fault}) => fault))];
	printTable(
		output,
		columns,
		names.map(name => ({name, runs: results.filter(({fault}) => fault === name)})),
	);
	for (const {event, fault, problems} of results)
		for (const problem of problems) output.line(cleanLine(text.problem(event, fault, problem)));
}

const columns: readonly OutputColumn<{name: string; runs: readonly TrialResult[]}>[] = [
	{name: 'case', show: ({name}) => cleanLine(name)},
	{name: 'runs', show: ({runs}) => cleanLine(passedText(runs))},
	{name: 'event is', show: ({runs}) => cleanLine([...new Set(runs.map(({outcome}) => outcome))].join(', '))},
	{
		name: 'median',
		isNumber: true,
		show: ({runs}) => cleanLine(text.time(Math.round(median(runs.map(({ms}) => ms))))),
	},
];

function passedText(runs: readonly TrialResult[]): string {
	const failed = runs.filter(({problems}) => problems.length > 0).length;
	return failed === 0 ? text.passed(runs.length) : text.failed(failed, runs.length);
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
