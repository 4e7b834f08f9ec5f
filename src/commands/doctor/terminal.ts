import {currentEnvironment, openRuntimeFolder} from '../../../hooks/runtime-folder.ts';
import type {Settings} from '../../config/settings.ts';
import {findListeners, spoolSizes} from '../../hook-setup/listeners.ts';
import {createKeyMap} from '../../keys/key-map.ts';
import {capabilities, refusal} from '../../term/capabilities.ts';
import {localClipboard} from '../../term/local-clipboard.ts';
import {
	probeTerminal,
	queriedModes,
	sampleWidth,
	type TerminalAnswers,
	widthSample,
} from '../../term/probe.ts';
import {isInTmux} from '../../term/tmux.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {type Check, ok, problem, warning} from './check.ts';

/** More pending events than this mean that no program has read them for a long time. */
const manyFiles = 400;

/** Checks where hook events arrive: the runtime folder, the sockets of running programs and the spool. */
export async function checkHooks(): Promise<Check[]> {
	return [checkFolder(), await checkSockets(), checkSpool()];
}

function checkFolder(): Check {
	try {
		return ok('runtime folder', openRuntimeFolder(currentEnvironment()));
	} catch (error) {
		return problem('runtime folder', 'none is usable', (error as Error).message);
	}
}

async function checkSockets(): Promise<Check> {
	const listeners = await findListeners(currentEnvironment());
	const programs = listeners.filter(({isLive}) => isLive).map(({pid}) => pid);
	return ok('sockets', programs.length === 0 ? 'no program is listening' : `process ${programs.join(', ')}`);
}

function checkSpool(): Check {
	const sizes = spoolSizes(currentEnvironment());
	const files = sizes.reduce((sum, folder) => sum + folder.files, 0);
	const bytes = sizes.reduce((sum, folder) => sum + folder.bytes, 0);
	const found = `${files} events, ${byteSize(bytes)}`;
	if (files < manyFiles) return ok('spool', found);
	return warning('spool', found, 'run quarterdeck events to read them before the oldest are dropped');
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reports the terminal's capabilities. Queries the terminal when both streams are connected to it. */
export async function checkTerminal(env: Environment): Promise<Check[]> {
	const streams = {stdin: process.stdin, stdout: process.stdout, env: {...env}};
	const {colors, hasUnicode, isDark} = capabilities(streams);
	const shown = `${env.TERM ?? 'TERM is not set'}, colors ${colors}, ${hasUnicode ? 'Unicode' : 'ASCII only'}`;
	const why = refusal(streams);
	if (why) {
		return [warning('terminal', shown, `${why} (run the doctor in the terminal itself to check it)`)];
	}
	const answers = await probeTerminal(process.stdin, process.stdout, {...env});
	if (!answers.hasAnswered) return [ok('terminal', `${shown}; it does not answer queries`)];
	return [
		ok('terminal', shown),
		checkBackground(answers, isDark),
		checkKeyboard(answers, env),
		checkMode(
			'mouse',
			answers,
			queriedModes.mouse,
			'clicks, wheel and dragging',
			'not supported: use the keys',
		),
		checkMode('frames', answers, queriedModes.frames, 'synchronized updates (mode 2026)', 'not synchronized'),
		checkClipboard(answers, env),
		checkWidths(answers),
	];
}

function checkBackground({background, modes}: TerminalAnswers, isDark: boolean | undefined): Check {
	if (!background) {
		const guess = isDark === undefined ? 'assumed dark' : `${isDark ? 'dark' : 'light'} by COLORFGBG`;
		return ok('background', `unknown, ${guess}; set "theme" in the configuration to override`);
	}
	const color = `#${background.map(value => value.toString(16).padStart(2, '0')).join('')}`;
	const isFollowed = modes.get(queriedModes.colors) === true;
	return ok(
		'background',
		`${color}, ${isFollowed ? 'changes are reported' : 'checked again when the focus returns'}`,
	);
}

function checkKeyboard({kittyKeyboard}: TerminalAnswers, env: Environment): Check {
	if (kittyKeyboard) return ok('keyboard', 'kitty protocol: all keys are distinct');
	const tmux = isInTmux({...env}) ? ', as in all of tmux' : '';
	return ok('keyboard', `legacy${tmux}: Shift+Enter is Enter; Ctrl+J inserts a new line`);
}

function checkMode(name: string, {modes}: TerminalAnswers, mode: number, yes: string, no: string): Check {
	const isKnown = modes.get(mode);
	return ok(name, isKnown === undefined ? `${yes}; support unknown` : isKnown ? yes : no);
}

function checkClipboard({clipboard}: TerminalAnswers, env: Environment): Check {
	const program = localClipboard({...env});
	if (program !== undefined) return ok('clipboard', `by ${program}`);
	const tmux = isInTmux({...env}) ? '; in tmux, set-clipboard must be on' : '';
	return ok('clipboard', `by the terminal (OSC 52)${clipboard ? '' : ', support unknown'}${tmux}`);
}

function checkWidths({width}: TerminalAnswers): Check {
	if (width === undefined) return ok('widths', 'unknown');
	if (width === sampleWidth) return ok('widths', 'wide characters take two columns, as expected');
	return warning(
		'widths',
		`${widthSample} takes ${width} columns, not ${sampleWidth}`,
		'set a UTF-8 locale (LANG=C.UTF-8) here and in the terminal, or rows with wide characters will be misaligned',
	);
}

/** Reports the number of user-defined keys and each problem with them. */
export function checkKeys({keys: choices, configFile}: Settings): Check[] {
	const {problems} = createKeyMap(choices);
	const count = choices.byAction.size;
	if (problems.length === 0)
		return [ok('keys', count === 0 ? 'defaults' : `${count} customized; quarterdeck keys shows all`)];
	return problems.map(found =>
		warning('keys', found, `fix "keys" in ${configFile}; quarterdeck keys shows the active ones`),
	);
}
