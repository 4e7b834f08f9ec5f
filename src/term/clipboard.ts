import {isInScreen, throughScreen} from './screen.ts';
import {isInTmux, throughTmux} from './tmux.ts';

/** Bytes of text beyond which terminals drop the whole sequence (xterm and its kin stop at 100,000 of base64). */
export const maxClipboardLength = 74_000;

/**
 * Puts text on the clipboard of the terminal (OSC 52), also over ssh. In tmux it is said twice: to tmux, and through it;
 * in GNU screen it goes through. `undefined` when the text is longer than `maxClipboardLength` bytes: half a copy would be
 * worse than none.
 */
export function clipboardSequence(text: string, env: NodeJS.ProcessEnv): string | undefined {
	const bytes = Buffer.from(text);
	if (bytes.length > maxClipboardLength) return undefined;
	const data = bytes.toString('base64');
	// A string that ends with a bell can be wrapped for screen, whose own strings end with ESC and a backslash.
	if (isInScreen(env)) return throughScreen(`\x1b]52;c;${data}\x07`);
	const sequence = `\x1b]52;c;${data}\x1b\\`;
	return isInTmux(env) ? sequence + throughTmux(sequence) : sequence;
}
