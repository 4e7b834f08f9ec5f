import {isInScreen, throughScreen} from './screen.ts';
import {isInTmux, throughTmux} from './tmux.ts';

/** Maximum bytes of text: terminals drop longer sequences whole (xterm: 100,000 bytes of base64). */
export const maxClipboardLength = 74_000;

/**
 * Sequence that copies text to the terminal's clipboard (OSC 52), also over ssh. In tmux it goes both to tmux
 * and through it; in GNU screen it goes through. `undefined` if the text exceeds `maxClipboardLength` bytes:
 * half a copy would be worse than none.
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
