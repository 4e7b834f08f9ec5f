import type {Rgb} from '../domain/display.ts';
import {isInScreen, throughScreen} from './screen.ts';
import {isInTmux, throughTmux} from './tmux.ts';

const ask = '\x1b]11;?';

/**
 * Asks for the colour of the background (OSC 11); who knows it answers in a moment, who doesn't never does. tmux is
 * asked itself and, since only its newer releases answer, the terminal around it; screen hands the question on. The
 * kernel's own console isn't asked: it knows no such question.
 */
export function backgroundQuery(env: NodeJS.ProcessEnv): string {
	if (env.TERM === 'linux' || env.TERM === 'dumb') return '';
	// A string that ends with a bell can be wrapped for screen, whose own strings end with ESC and a backslash.
	if (isInScreen(env)) return throughScreen(`${ask}\x07`);
	const question = `${ask}\x1b\\`;
	return isInTmux(env) ? question + throughTmux(question) : question;
}

/** Asks the terminal to tell when its colours change (mode 2031). */
export const colorReports = {on: '\x1b[?2031h', off: '\x1b[?2031l'} as const;

const sharp = /^#([\da-f]{3}|[\da-f]{6}|[\da-f]{9}|[\da-f]{12})$/i;
const named = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i;

/** A colour as terminals write it (XParseColor): `rgb:1c1c/1c1c/1c1c`, `#1c1c1c`. Anything else is none. */
export function readColor(text: string): Rgb | undefined {
	const parts = named.exec(text)?.slice(1, 4) ?? thirds(sharp.exec(text)?.[1]);
	return parts && (parts.map(scaled) as unknown as Rgb);
}

function thirds(digits: string | undefined): string[] | undefined {
	const length = (digits?.length ?? 0) / 3;
	return digits ? [0, 1, 2].map(index => digits.slice(index * length, (index + 1) * length)) : undefined;
}

/** One to four hexadecimal digits of their largest, as 0 to 255. */
function scaled(digits: string): number {
	return Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
}

/**
 * Is the background dark, by what rxvt and those like it put in the environment (`COLORFGBG` is `15;0` or
 * `15;default;0`)? `undefined` where it says nothing.
 */
export function isDarkByEnvironment({COLORFGBG}: NodeJS.ProcessEnv): boolean | undefined {
	const [, index] = /^\d{1,2};(?:[a-z\d]{1,10};)?(\d{1,2})$/.exec(COLORFGBG ?? '') ?? [];
	return index === undefined ? undefined : Number(index) < 7 || Number(index) === 8;
}
