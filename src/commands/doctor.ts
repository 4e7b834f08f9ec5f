import {readSettings} from '../config/settings.ts';
import {capabilities, refusal} from '../term/capabilities.ts';
import {cleanLine} from '../text/clean.ts';
import {safe} from '../text/safe.ts';
import type {CommandContext} from './context.ts';
import {type Check, ok, problem, warning} from './doctor/check.ts';
import {checkHooks} from './doctor/hooks.ts';
import {checkKeys} from './doctor/keys.ts';
import {checkService} from './doctor/service.ts';
import {checkStorage} from './doctor/storage.ts';
import {type ExitCode, exitCodes} from './exit-codes.ts';

/** Looks at everything the program needs, prints what it found and what to do; 1 when something can't work. */
export async function doctor(context: CommandContext): Promise<ExitCode> {
	const {output} = context;
	const checks = [...checkProgram(context), ...(await checkSetup(context)), ...(await checkHooks())];
	if (output.isJson) output.json({checks});
	else {
		output.table(
			[{title: safe`CHECK`}, {title: safe`STATE`}, {title: safe`FOUND`}],
			checks.map(({name, state, found}) => [cleanLine(name), cleanLine(state), cleanLine(found)]),
		);
		for (const check of checks) {
			if (check.state !== 'ok') output.line(safe`\n${cleanLine(check.name)}: ${cleanLine(check.advice)}`);
		}
	}
	return checks.some(({state}) => state === 'problem') ? exitCodes.refused : exitCodes.done;
}

function checkProgram({input}: CommandContext): Check[] {
	const streams = {stdin: process.stdin, stdout: process.stdout, env: {...input.env}};
	const {colors, hasUnicode} = capabilities(streams);
	const terminal = `colours ${colors}, ${hasUnicode ? 'Unicode' : 'ASCII only'}`;
	const why = refusal(streams);
	return [
		ok('quarterdeck', __VERSION__),
		ok('node', process.versions.node),
		why
			? warning('terminal', terminal, `${why} (run the doctor in the terminal itself to check it)`)
			: ok('terminal', terminal),
	];
}

async function checkSetup({input, signal}: CommandContext): Promise<Check[]> {
	try {
		const settings = await readSettings(input);
		return [
			ok('configuration', `${settings.configFile}, profile ${settings.profile}`),
			...checkKeys(settings),
			...(await checkService(settings, input, signal)),
			...checkStorage(settings),
		];
	} catch (error) {
		return [problem('configuration', "it can't be used", (error as Error).message)];
	}
}
