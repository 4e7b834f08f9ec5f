/** GNU screen drops longer strings entirely. */
const maxScreenLength = 700;

/** Whether we run inside tmux or GNU screen: then only wrapped sequences reach the terminal around it. */
export function isInTmux(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.TMUX) || /^(?:tmux|screen)/.test(env.TERM ?? '');
}

/** Whether we run inside GNU screen. tmux, which may also call itself `screen`, doesn't count. */
function isInScreen(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.STY) && !env.TMUX;
}

/** Wraps a sequence so that tmux passes it to the outer terminal (needs its `allow-passthrough` option). */
export function throughTmux(sequence: string): string {
	return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
}

/**
 * An operating system command (OSC) that also reaches the terminal around a multiplexer: through GNU screen, in pieces
 * that it accepts, or both to tmux and through it.
 */
export function operatingSystemCommand(command: string, env: NodeJS.ProcessEnv): string {
	if (isInScreen(env)) {
		// Ends with a bell: screen's own strings end with ESC and a backslash.
		const pieces = `\x1b]${command}\x07`.match(new RegExp(`[^]{1,${maxScreenLength}}`, 'g')) ?? [];
		return pieces.map(piece => `\x1bP${piece}\x1b\\`).join('');
	}
	const sequence = `\x1b]${command}\x1b\\`;
	return isInTmux(env) ? sequence + throughTmux(sequence) : sequence;
}
