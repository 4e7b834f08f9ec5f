/** Why the service stops, if its user chose to end its agents. */
export const stoppedByUser = new Error('the user stopped the service');

/** The last line of an answer that was cut off when the service stopped, which is an error whoever stopped it. */
export function stopNote({reason}: AbortSignal): string {
	return reason === stoppedByUser
		? '[interrupted: you stopped the service]'
		: '[interrupted: the service was stopped]';
}
