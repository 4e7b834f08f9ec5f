/** GNU screen drops a string that is longer than this whole. */
const maxLength = 700;

/** Are we inside GNU screen, and not tmux, which may call itself `screen` too? */
export function isInScreen(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.STY) && !env.TMUX;
}

/** A sequence wrapped so that GNU screen hands it to the terminal outside: in pieces it takes. */
export function throughScreen(sequence: string): string {
	const pieces = sequence.match(new RegExp(`[^]{1,${maxLength}}`, 'g')) ?? [];
	return pieces.map(piece => `\x1bP${piece}\x1b\\`).join('');
}
