/** Why the service stops, if its user chose to end its agents. */
export const userQuit = new Error('the user has quit');

/**
 * The last line of an answer that was cut off when the service stopped. A stop that the user chose is not an error.
 */
export function stopNote({reason}: AbortSignal): {readonly text: string; readonly isError: boolean} {
	return reason === userQuit
		? {text: '[ended: you quit Quarterdeck]', isError: false}
		: {text: '[interrupted: the service was stopped]', isError: true};
}
