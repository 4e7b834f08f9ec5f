import type {Environment} from '../../config/folders.ts';
import {readSettings, type Settings, type SettingsInput} from '../../config/settings.ts';
import {capabilities, isInTmux, refusal} from '../../term/capabilities.ts';
import {clipboardPrograms} from '../../term/clipboard.ts';
import {
	probeTerminal,
	queriedModes,
	sampleWidth,
	type TerminalAnswers,
	widthSample,
} from '../../term/probe.ts';
import {createKeyMap} from '../../ui/bindings.ts';
import type {CommandContext} from '../cli/context.ts';
import {type Check, ok, warning} from './check.ts';
import {strings} from './strings.ts';

const {terminal: text} = strings;

/** Reports the terminal's capabilities. Queries the terminal when both streams are connected to it. */
export async function checkTerminal({input, system: {stdin, stdout}}: CommandContext): Promise<Check[]> {
	const {env} = input;
	const streams = {stdin, stdout, env: {...env}};
	const {colors, hasUnicode} = capabilities(streams);
	const found = text.found(env.TERM ?? text.noTerm, colors, hasUnicode ? text.unicode : text.ascii);
	const reason = refusal(streams);
	if (reason) return [warning('terminal', found, text.refused(reason))];
	const isTerminal = stdin.isTTY && stdout.isTTY;
	const answers = isTerminal ? await probeTerminal(stdin, stdout, {...env}) : undefined;
	if (!answers?.hasAnswered) return [ok('terminal', text.silent(found))];
	return [
		ok('terminal', found),
		checkBackground(answers, await isThemeSet(input)),
		checkKeyboard(answers, env),
		checkMode('mouse', answers, queriedModes.mouse, text.mouse, text.noMouse),
		checkMode('frames', answers, queriedModes.frames, text.frames, text.noFrames),
		await checkClipboard(answers, env),
		checkWidths(answers),
	];
}

/** Whether the theme is one that needs no background to choose it. */
function isThemeSet(input: SettingsInput): Promise<boolean> {
	return readSettings(input).then(
		({display}) => display.theme !== 'auto',
		// It is reported where the configuration is checked.
		() => false,
	);
}

function checkBackground({background, modes}: TerminalAnswers, hasTheme: boolean): Check {
	if (!background && hasTheme) return ok('background', text.unneededBackground);
	if (!background) return ok('background', text.unknownBackground);
	const color = `#${background.map(value => value.toString(16).padStart(2, '0')).join('')}`;
	const isFollowed = modes.get(queriedModes.colors) === true;
	return ok('background', text.background(color, isFollowed ? text.followed : text.checkedOnFocus));
}

function checkKeyboard({kittyKeyboard}: TerminalAnswers, env: Environment): Check {
	return ok('keyboard', kittyKeyboard ? text.kitty : text.legacyKeyboard(isInTmux({...env})));
}

function checkMode(name: string, {modes}: TerminalAnswers, mode: number, yes: string, no: string): Check {
	const isSupported = modes.get(mode);
	return ok(name, isSupported === undefined ? text.unknownSupport(yes) : isSupported ? yes : no);
}

async function checkClipboard({clipboard}: TerminalAnswers, env: Environment): Promise<Check> {
	const {findProgram} = await import('../../local/agents/installed.ts');
	const program = clipboardPrograms({...env}).find(name => findProgram(name, env) !== undefined);
	if (program !== undefined) return ok('clipboard', text.clipboardProgram(program));
	return ok('clipboard', text.clipboard(clipboard === true, isInTmux({...env})));
}

function checkWidths({width}: TerminalAnswers): Check {
	if (width === undefined) return ok('widths', text.unknownWidths);
	if (width === sampleWidth) return ok('widths', text.widths);
	return warning('widths', text.wrongWidths(widthSample, width, sampleWidth), text.widthsAdvice);
}

/** Reports the number of user-defined keys and each problem with them. */
export function checkKeys({keys: choices, configFile}: Settings): Check[] {
	const {problems} = createKeyMap(choices);
	const count = choices.byAction.size;
	if (problems.length === 0)
		return [ok('keys', count === 0 ? strings.keys.defaults : strings.keys.customized(count))];
	return problems.map(found => warning('keys', found, strings.keys.advice(configFile)));
}
