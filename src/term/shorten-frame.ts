/** The sequences that set the whole text colour, in the forms chalk writes. */
const color = String.raw`\x1b\[(?:3[0-79]|9[0-7]|38;5;\d{1,3}|38;2;\d{1,3};\d{1,3};\d{1,3})m`;
const replaced = new RegExp(`(?:${color})+(?=${color})`, 'g');
const steps = /(?:\x1b\[E){2,}/g;

/**
 * The same picture in fewer bytes, for terminals at the end of a slow line. Ink steps over every row that has not
 * changed by itself, and leaves the colours of text that it cut away: a third of what a key writes is enough.
 */
export function shortenFrame(frame: string): string {
	return frame.replace(steps, run => `\x1b[${run.length / 3}E`).replace(replaced, '');
}
