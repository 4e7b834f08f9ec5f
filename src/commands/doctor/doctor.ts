import {existsSync} from 'node:fs';
import {leftProfile, listProfiles} from '../../config/profiles.ts';
import {readSettings, type Settings, type SettingsInput} from '../../config/settings.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes} from '../cli/errors.ts';
import {requireWritable} from '../cli/require-storage.ts';
import {type OutputColumn, printTable} from '../output/print-rows.ts';
import {type Check, ok, problem, warning} from './check.ts';
import {checkHooks} from './hooks.ts';
import {checkAgents, checkPrograms} from './programs.ts';
import {checkService} from './service.ts';
import {checkStorage} from './storage.ts';
import {strings} from './strings.ts';
import {checkKeys, checkTerminal} from './terminal.ts';

const {configuration: text} = strings;

/** Checks everything the program needs and prints findings and remedies. Returns 1 when something can't work. */
export async function doctor(context: CommandContext): Promise<ExitCode> {
	const {output} = context;
	if (context.flags.is('acknowledge')) {
		const database = await (await context.wiring()).database();
		requireWritable(database);
		database.incidents.acknowledge();
	}
	const checks = [
		...checkProgram(),
		...(await checkPrograms(context.input.env)),
		...(await checkTerminal(context)),
		...(await checkSetup(context)),
		...checkHooks(context),
	];
	if (output.isJson) output.json({checks});
	else {
		printTable(output, columns, checks);
		const advice = checks.flatMap(check => ('advice' in check ? [`${check.name}: ${check.advice}`] : []));
		for (const one of new Set(advice)) output.text(safe`\n${cleanLine(one)}`);
		const count = (state: Check['state']) => checks.filter(check => check.state === state).length;
		output.text(safe`\n${cleanLine(strings.summary(count('problem'), count('warning')))}`);
	}
	return checks.some(({state}) => state === 'problem') ? exitCodes.refused : exitCodes.done;
}

const columns: readonly OutputColumn<Check>[] = [
	{name: 'check', show: ({name}) => cleanLine(name)},
	{name: 'state', show: ({state}) => cleanLine(state === 'none' ? '-' : state)},
	{name: 'found', show: ({found}) => cleanLine(found)},
];

function checkProgram(): Check[] {
	return [ok('quarterdeck', __VERSION__), ok('node', process.versions.node)];
}

async function checkSetup({input, signal}: CommandContext): Promise<Check[]> {
	try {
		const settings = await readSettings(input);
		return [
			...checkConfiguration(settings),
			ok('profiles', await profileText(input, settings)),
			...checkKeys(settings),
			...(await checkService(settings, input, signal)),
			...checkStorage(settings),
			...(await checkAgents(settings, input.env)),
		];
	} catch (error) {
		return [problem('configuration', text.unusable, (error as Error).message)];
	}
}

function checkConfiguration({configFile, profile, mistakes}: Settings): Check[] {
	const found = existsSync(configFile) ? text.file(configFile, profile) : text.noFile(configFile, profile);
	if (mistakes.length === 0) return [ok('configuration', found)];
	return [warning('configuration', mistakes.join('; '), text.mistakeAdvice)];
}

async function profileText(input: SettingsInput, {profile, mode}: Settings): Promise<string> {
	const entries = await listProfiles(input, {name: profile, isLocal: mode === 'local'});
	const left = await leftProfile(input);
	const others = entries
		.filter(({name}) => name !== profile)
		.map(({name, isLocal}) => (isLocal ? '--local' : `--profile ${name}`));
	return [
		text.checked(profile),
		...(left !== undefined && left !== profile ? [text.nextScreen(left)] : []),
		...(others.length > 0 ? [text.others(others)] : []),
	].join('; ');
}
