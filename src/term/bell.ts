import {cleanLine} from '../text/cells/clean.ts';
import {isInTmux, throughTmux} from './capabilities.ts';

/** The terminal's bell, which every terminal, tmux and screen support. */
export const bell = '\x07';

/** A notification as the terminal supports it (OSC 9, 99 or 777), or the bell. Cleans both texts. */
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

/** Detects these terminals by other variables: inside tmux, `TERM_PROGRAM` is tmux's own. */
function takesOsc777(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.WEZTERM_PANE || env.GHOSTTY_RESOURCES_DIR) || /^(?:rxvt|foot)/.test(env.TERM ?? '');
}

/** Replaces semicolons, which would start the next field. */
function field(text: string): string {
	return cleanLine(text, 200).replaceAll(';', ',');
}
