/** Are we inside tmux or screen? Then only wrapped sequences reach the terminal outside. */
export function isInTmux(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.TMUX) || /^(?:tmux|screen)/.test(env.TERM ?? '');
}

/** A sequence wrapped so that tmux hands it to the terminal outside (its `allow-passthrough` must be on). */
export function throughTmux(sequence: string): string {
	return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
}
