import type {KnownStatus} from '../known.ts';

/** A message found this soon after the end of a turn was reported belongs to that turn, ms. */
export const afterStop = 10_000;

const ourWords: readonly string[] = ['idle', 'pending', 'running', 'unknown'];

/**
 * Whether a status says that the session is at work. An unknown word that the service returned when it accepted our
 * message applies to the turn which that message started.
 */
export function isBusy(status: KnownStatus | undefined): boolean {
	if (!status) return false;
	const {value, source} = status;
	return value === 'running' || value === 'pending' || (source === 'posted' && !ourWords.includes(value));
}
