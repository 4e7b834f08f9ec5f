/** The sequences that set the text color, as chalk writes them. */
const color = String.raw`\x1b\[(?:3[0-79]|9[0-7]|38;5;\d{1,3}|38;2;\d{1,3};\d{1,3};\d{1,3})m`;
const replaced = new RegExp(`(?:${color})+(?=${color})`, 'g');
const steps = /(?:\x1b\[E){2,}/g;

/**
 * Shortens a frame without changing the picture, for slow connections. Ink steps over unchanged rows one by
 * one and leaves color codes of text that it cut away; without them, a keystroke writes a third as much.
 */
export function shortenFrame(frame: string): string {
	return frame.replace(steps, run => `\x1b[${run.length / 3}E`).replace(replaced, '');
}
