import type {SessionItem} from './session-items.ts';
import type {Stream} from './stream.ts';

/**
 * Whether a session runs outside the service: known by hook events only, and without messages in the service.
 * There is nothing to read and nobody to write to. Counts as outside until the service has been asked.
 */
export function isOutside(
	item: Pick<SessionItem, 'client'> | undefined,
	stream: Stream | undefined,
): boolean {
	if (item?.client === undefined) return false;
	return stream === undefined || (stream.phase.name !== 'ready' && stream.entries.length === 0);
}
