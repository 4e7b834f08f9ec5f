/** The user or the system ended the command before it was done. */
export class InterruptedError extends Error {
	override readonly name = 'InterruptedError';

	constructor() {
		super('interrupted');
	}
}
