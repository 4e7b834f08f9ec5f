/** GNU screen drops longer strings entirely. */
const maxLength = 700;

/** Are we inside GNU screen? tmux, which may also call itself `screen`, doesn't count. */
export function isInScreen(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.STY) && !env.TMUX;
}

/** Wraps a sequence so that GNU screen passes it to the outer terminal, in pieces it accepts. */
export function throughScreen(sequence: string): string {
	const pieces = sequence.match(new RegExp(`[^]{1,${maxLength}}`, 'g')) ?? [];
	return pieces.map(piece => `\x1bP${piece}\x1b\\`).join('');
}
