import {fileURLToPath} from 'node:url';

const maxLength = 4096;

/**
 * The path in a pasted text, as terminals write it for a dropped file: plain, quoted, with backslashes before
 * spaces, or as a `file:` URL. Undefined if it doesn't look like a path.
 */
export function pastedPath(raw: string): string | undefined {
	const text = raw.trim();
	if (text === '' || text.length > maxLength || /[\n\r\0]/.test(text)) return undefined;
	if (text.startsWith('file://')) return fromAddress(text);
	const quoted = /^(['"])(.+)\1$/.exec(text)?.[2];
	const path = quoted ?? text.replace(/\\(.)/g, '$1');
	return /^(?:~?\/|\.{1,2}\/)|\.\w{2,5}$/.test(path) ? path : undefined;
}

function fromAddress(text: string): string | undefined {
	try {
		return fileURLToPath(text);
	} catch {
		return undefined;
	}
}
