import {cleanLine} from '../text/clean.ts';
import {isInTmux, throughTmux} from './tmux.ts';

/** The terminal's own bell: every terminal, tmux and screen know it. */
export const bell = '\x07';

/**
 * A desktop notification in the words the terminal understands (OSC 9, 99 or 777), and the bell where none is known.
 * Both texts are cleaned here.
 */
export function notification(title: string, body: string, env: NodeJS.ProcessEnv): string {
	const sequence = notificationFor(env, field(title), field(body));
	if (sequence === undefined) return bell;
	return isInTmux(env) ? bell + throughTmux(sequence) : sequence;
}

function notificationFor(env: NodeJS.ProcessEnv, title: string, body: string): string | undefined {
	if (env.KITTY_WINDOW_ID) return `\x1b]99;i=1:d=0;${title}\x1b\\\x1b]99;i=1:p=body;${body}\x1b\\`;
	const program = env.TERM_PROGRAM ?? '';
	if (program === 'iTerm.app' || env.LC_TERMINAL === 'iTerm2') return `\x1b]9;${title}: ${body}\x1b\\`;
	if (program === 'WezTerm' || program === 'ghostty' || takesOsc777(env))
		return `\x1b]777;notify;${title};${body}\x1b\\`;
	return undefined;
}

/** By what else these terminals leave in the environment: inside tmux the program's name is tmux's own. */
function takesOsc777(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.WEZTERM_PANE || env.GHOSTTY_RESOURCES_DIR) || /^(?:rxvt|foot)/.test(env.TERM ?? '');
}

/** A semicolon would begin the next field. */
function field(text: string): string {
	return cleanLine(text, 200).replaceAll(';', ',');
}
