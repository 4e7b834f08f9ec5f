/** The command line is invalid; nothing was sent. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}
