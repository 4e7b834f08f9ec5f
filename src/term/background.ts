import type {Rgb} from '../domain/display.ts';
import {operatingSystemCommand} from './capabilities.ts';

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

const hexColor = /^#([\da-f]{3}|[\da-f]{6}|[\da-f]{9}|[\da-f]{12})$/i;
const rgbColor = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i;

/** Parses a terminal's color (XParseColor): `rgb:1c1c/1c1c/1c1c`, `#1c1c1c`; else undefined. */
export function readColor(text: string): Rgb | undefined {
	const parts = rgbColor.exec(text)?.slice(1, 4) ?? thirds(hexColor.exec(text)?.[1]);
	return parts && (parts.map(scaled) as unknown as Rgb);
}

function thirds(digits: string | undefined): string[] | undefined {
	const length = (digits?.length ?? 0) / 3;
	return digits ? [0, 1, 2].map(index => digits.slice(index * length, (index + 1) * length)) : undefined;
}

/** Scales one to four hexadecimal digits to 0-255, relative to the largest value of that many digits. */
function scaled(digits: string): number {
	return Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
}

/** Whether `COLORFGBG` (rxvt: `15;0`, `15;default;0`) means a dark background. */
export function isDarkByEnvironment({COLORFGBG}: NodeJS.ProcessEnv): boolean | undefined {
	const [, index] = /^\d{1,2};(?:[a-z\d]{1,10};)?(\d{1,2})$/.exec(COLORFGBG ?? '') ?? [];
	return index === undefined ? undefined : Number(index) < 7 || Number(index) === 8;
}
