const next = {
	queued:
		'The message is kept: the next send to this session or the screen sends it, and the same send again does not double it.',
	failed:
		'The message is kept as failed: the same send again tries it once more, and the screen shows it in its session.',
} as const;

/** A message was surely not accepted, and its text is in the outbox. The cause says why, and decides the exit code. */
export class MessageKeptError extends Error {
	override readonly name = 'MessageKeptError';
	/** How it is kept: waiting for its turn, or for the user to choose. */
	readonly state: keyof typeof next;

	constructor(state: keyof typeof next, cause: unknown) {
		super(`${(cause as Error).message} ${next[state]}`, {cause});
		this.state = state;
	}
}
