/** The command line asks for something that can't be: nothing was sent. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}
