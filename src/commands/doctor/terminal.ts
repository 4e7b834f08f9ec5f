import {capabilities, refusal} from '../../term/capabilities.ts';
import {localClipboard} from '../../term/local-clipboard.ts';
import {askedModes, probeTerminal, sampleWidth, type TerminalAnswers, widthSample} from '../../term/probe.ts';
import {isInTmux} from '../../term/tmux.ts';
import {type Check, ok, warning} from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the terminal can show and tell. It is asked, where both streams are the terminal. */
export async function checkTerminal(env: Environment): Promise<Check[]> {
	const streams = {stdin: process.stdin, stdout: process.stdout, env: {...env}};
	const {colors, hasUnicode, isDark} = capabilities(streams);
	const shown = `${env.TERM ?? 'TERM is not set'}, colours ${colors}, ${hasUnicode ? 'Unicode' : 'ASCII only'}`;
	const why = refusal(streams);
	if (why) {
		return [warning('terminal', shown, `${why} (run the doctor in the terminal itself to check it)`)];
	}
	const answers = await probeTerminal(process.stdin, process.stdout, {...env});
	if (!answers.hasAnswered) return [ok('terminal', `${shown}; it answers no questions`)];
	return [
		ok('terminal', shown),
		checkBackground(answers, isDark),
		checkKeyboard(answers, env),
		checkMode(
			'mouse',
			answers,
			askedModes.mouse,
			'clicks, wheel and dragging',
			'not known to it: keys do all',
		),
		checkMode('frames', answers, askedModes.frames, 'drawn at once (mode 2026)', 'drawn as they come'),
		checkClipboard(answers, env),
		checkWidths(answers),
	];
}

function checkBackground({background, modes}: TerminalAnswers, isDark: boolean | undefined): Check {
	if (!background) {
		const guess = isDark === undefined ? 'taken for dark' : `${isDark ? 'dark' : 'light'} by COLORFGBG`;
		return ok('background', `not told, ${guess}; theme in the configuration says otherwise`);
	}
	const color = `#${background.map(value => value.toString(16).padStart(2, '0')).join('')}`;
	const isFollowed = modes.get(askedModes.colors) === true;
	return ok(
		'background',
		`${color}, ${isFollowed ? 'changes are told' : 'asked again when the focus returns'}`,
	);
}

function checkKeyboard({kittyKeyboard}: TerminalAnswers, env: Environment): Check {
	if (kittyKeyboard) return ok('keyboard', 'kitty protocol: every key is told apart');
	const tmux = isInTmux({...env}) ? ', as in all of tmux' : '';
	return ok('keyboard', `as of old${tmux}: Shift+Enter is Enter, Ctrl+J makes a new line`);
}

function checkMode(name: string, {modes}: TerminalAnswers, mode: number, yes: string, no: string): Check {
	const isKnown = modes.get(mode);
	return ok(name, isKnown === undefined ? `${yes}; it doesn't tell whether` : isKnown ? yes : no);
}

function checkClipboard({clipboard}: TerminalAnswers, env: Environment): Check {
	const program = localClipboard({...env});
	if (program !== undefined) return ok('clipboard', `by ${program}`);
	const tmux = isInTmux({...env}) ? '; in tmux, set-clipboard must be on' : '';
	return ok(
		'clipboard',
		`by the terminal (OSC 52)${clipboard ? '' : ", which doesn't tell that it can"}${tmux}`,
	);
}

function checkWidths({width}: TerminalAnswers): Check {
	if (width === undefined) return ok('widths', 'not told');
	if (width === sampleWidth)
		return ok('widths', 'wide characters take two columns, as they are counted here');
	return warning(
		'widths',
		`${widthSample} takes ${width} columns, not ${sampleWidth}`,
		'set a UTF-8 locale (LANG=C.UTF-8) here and in the terminal, or rows with wide characters are shifted',
	);
}
