/** The user or the system asked the command to end before it was done. */
export class InterruptedError extends Error {
	override readonly name = 'InterruptedError';

	constructor() {
		super('interrupted');
	}
}
