/** Why the service stops, if its user chose to end its agents. */
export const userQuit = new Error('the user has quit');

/** The last line of an answer that was cut off when the service stopped, which is an error whoever stopped it. */
export function stopNote({reason}: AbortSignal): string {
	return reason === userQuit
		? '[interrupted: you quit Quarterdeck]'
		: '[interrupted: the service was stopped]';
}
