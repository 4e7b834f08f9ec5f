import type {SessionItem} from '../../state/session-items.ts';
import type {Stream} from '../../state/stream.ts';

/**
 * Does a session run outside of the service? Known by hook events alone, and the service has no messages of it: then
 * there is nothing to read and nobody to write to. Until the service was asked, it counts as outside.
 */
export function isOutside(
	item: Pick<SessionItem, 'client'> | undefined,
	stream: Stream | undefined,
): boolean {
	if (item?.client === undefined) return false;
	return stream === undefined || (stream.phase.name !== 'ready' && stream.entries.length === 0);
}
