const named: Record<string, string> = {
	enter: '\r',
	esc: '\u001B',
	tab: '\t',
	'shift+tab': '\u001B[Z',
	space: ' ',
	backspace: '\u007F',
	delete: '\u001B[3~',
	up: '\u001B[A',
	down: '\u001B[B',
	right: '\u001B[C',
	left: '\u001B[D',
	home: '\u001B[H',
	end: '\u001B[F',
	pageup: '\u001B[5~',
	pagedown: '\u001B[6~',
	'ctrl+left': '\u001B[1;5D',
	'ctrl+right': '\u001B[1;5C',
	'alt+enter': '\u001B\r',
};

/** The bytes an xterm sends for a key: by name, `ctrl+x`, `alt+x`, or one character. */
export function keySequence(key: string): string {
	const known = named[key];
	if (known !== undefined) return known;
	if ([...key].length === 1) return key;
	const control = /^ctrl\+([a-z@[\]\\^_])$/.exec(key)?.[1];
	if (control) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
	const meta = /^alt\+(.)$/.exec(key)?.[1];
	if (meta) return `\u001B${meta}`;
	throw new Error(`no such key: ${key}`);
}
