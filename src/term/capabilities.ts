import type {ReadStream, WriteStream} from 'node:tty';
import type {ColorDepth, Rgb} from '../domain/display.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {type Safe, safe} from '../text/cells/safe.ts';
import {program} from '../text/values/own-program.ts';

export type Capabilities = {
	readonly colors: ColorDepth;
	/** Whether it can draw more than ASCII. */
	readonly hasUnicode: boolean;
};

type NoTerminal = {readonly isTTY?: false};

type Streams = {
	readonly stdin: Pick<ReadStream, 'isTTY'> | NoTerminal;
	readonly stdout: Pick<WriteStream, 'isTTY' | 'getColorDepth'> | NoTerminal;
	readonly env: NodeJS.ProcessEnv;
};

/** The terminal's abilities, from the environment only: a query might never be answered. */
export function capabilities({stdout, env}: Streams): Capabilities {
	return {colors: colorDepth(stdout, env), hasUnicode: hasUnicode(env)};
}

function colorDepth(stdout: Streams['stdout'], env: NodeJS.ProcessEnv): ColorDepth {
	if (env.TERM === 'dumb' || !stdout.isTTY) return 'none';
	// Whether to use colors is a setting (`theme`); this is what the terminal supports, whoever set CI in it.
	const {NO_COLOR: _, CI: __, TF_BUILD: ___, TEAMCITY_VERSION: ____, ...terminal} = env;
	const bits = stdout.getColorDepth(terminal);
	if (bits >= 24) return 'truecolor';
	if (bits >= 8) return '256';
	return bits >= 4 ? '16' : 'none';
}

function hasUnicode(env: NodeJS.ProcessEnv): boolean {
	if (env.TERM === 'linux') return false;
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
	// Containers and ssh often set no locale, yet their terminals support UTF-8.
	return locale === undefined || /utf-?8/i.test(locale);
}

/** Why the screen can't open here and what to use instead, in one line; `undefined` if it can. */
export function refusal({stdin, stdout, env}: Streams): Safe | undefined {
	const why = whyNot(stdin, stdout, env);
	return (
		why &&
		safe`${why}. Use commands instead: ${program} computers, sessions, messages, send, events (${program} --help).`
	);
}

function whyNot(
	stdin: Streams['stdin'],
	stdout: Streams['stdout'],
	env: NodeJS.ProcessEnv,
): Safe | undefined {
	if (!stdout.isTTY) return safe`The screen needs a terminal, and the output is not one`;
	if (!stdin.isTTY) return safe`The screen needs a terminal, and the input is not one`;
	if (!env.TERM || env.TERM === 'dumb')
		return safe`The terminal can't show the screen (TERM is ${cleanLine(env.TERM || 'not set', 40)})`;
	return undefined;
}

/** GNU screen drops longer strings entirely. */
const maxScreenLength = 700;

/** Whether we run inside tmux or GNU screen: then only wrapped sequences reach the terminal around it. */
export function isInTmux(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.TMUX) || /^(?:tmux|screen)/.test(env.TERM ?? '');
}

/** Whether we run inside GNU screen. tmux, which may also call itself `screen`, doesn't count. */
function isInScreen(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.STY) && !env.TMUX;
}

/** Wraps a sequence so that tmux passes it to the outer terminal (needs its `allow-passthrough` option). */
export function throughTmux(sequence: string): string {
	return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
}

/**
 * An operating system command (OSC) that also reaches the terminal around a multiplexer: through GNU screen, in pieces
 * that it accepts, or both to tmux and through it.
 */
export function operatingSystemCommand(command: string, env: NodeJS.ProcessEnv): string {
	if (isInScreen(env)) {
		// Ends with a bell: screen's own strings end with ESC and a backslash.
		const pieces = `\x1b]${command}\x07`.match(new RegExp(`[^]{1,${maxScreenLength}}`, 'g')) ?? [];
		return pieces.map(piece => `\x1bP${piece}\x1b\\`).join('');
	}
	const sequence = `\x1b]${command}\x1b\\`;
	return isInTmux(env) ? sequence + throughTmux(sequence) : sequence;
}

/**
 * Query for the background color (OSC 11). Terminals that know it answer quickly; others never do. Inside tmux, the
 * terminal around it is asked too, as only newer releases of tmux answer. Skips the kernel's console, which doesn't
 * know the query.
 */
export function backgroundQuery(env: NodeJS.ProcessEnv): string {
	if (env.TERM === 'linux' || env.TERM === 'dumb') return '';
	return operatingSystemCommand('11;?', env);
}

/** Turns reports of color changes on and off (mode 2031). */
export const colorReports = {on: '\x1b[?2031h', off: '\x1b[?2031l'} as const;

const rgbColor = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i;

/** Parses a terminal's color, such as `rgb:1c1c/1c1c/1c1c`; else undefined. */
export function readColor(text: string): Rgb | undefined {
	const parts = rgbColor.exec(text)?.slice(1, 4);
	return parts && (parts.map(scaled) as unknown as Rgb);
}

/** Scales one to four hexadecimal digits to 0-255, relative to the largest value of that many digits. */
function scaled(digits: string): number {
	return Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
}
