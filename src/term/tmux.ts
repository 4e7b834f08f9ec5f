/** Are we inside tmux or screen? Then only wrapped sequences reach the outer terminal. */
export function isInTmux(env: NodeJS.ProcessEnv): boolean {
	return Boolean(env.TMUX) || /^(?:tmux|screen)/.test(env.TERM ?? '');
}

/** Wraps a sequence so that tmux passes it to the outer terminal (needs its `allow-passthrough` option). */
export function throughTmux(sequence: string): string {
	return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
}
