import type {Stream} from '../stream.ts';
import type {SessionItem} from './session-items.ts';

/**
 * Whether a session runs outside the service: known by hook events only, and without messages in the service. Nobody can
 * write to it here, and only its transcript can be read. Counts as outside until the service has answered.
 */
export function runsOutside(
	item: Pick<SessionItem, 'client'> | undefined,
	stream: Stream | undefined,
): boolean {
	if (item?.client === undefined) return false;
	if (stream === undefined || stream.transcript) return true;
	return stream.phase.name !== 'ready' && stream.entries.length === 0;
}
