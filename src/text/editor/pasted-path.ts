import {fileURLToPath} from 'node:url';
import {ifPossible} from '../../domain/if-possible.ts';

const maxLength = 16_384;

const word = /(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/g;
const quoting = /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/g;

/**
 * What a pasted text may name: one path as it stands, or paths as terminals write them for dropped files: quoted for a shell,
 * or as `file:` URLs, apart by blanks or line ends. Empty if it doesn't look like paths.
 */
export function pastedPaths(raw: string): readonly (readonly string[])[] {
	const text = raw.trim();
	if (text === '' || text.length > maxLength || text.includes('\0')) return [];
	const words = (text.match(word) ?? []).map(pathIn);
	const whole = /[\n\r]/.test(text) ? [] : [text];
	return [whole, words].filter(paths => paths.length > 0 && paths.every(looksLikePath));
}

function pathIn(written: string): string {
	const path = written.replace(
		quoting,
		(_, plain?: string, single?: string, double?: string) =>
			plain ?? single ?? (double ?? '').replace(/\\(["\\$`])/g, '$1'),
	);
	if (!path.startsWith('file://')) return path;
	return ifPossible(() => fileURLToPath(path)) ?? '';
}

function looksLikePath(path: string): boolean {
	return /^(?:~?\/|\.{1,2}\/)|^(?!file:).*\.\w{2,5}$/.test(path);
}
