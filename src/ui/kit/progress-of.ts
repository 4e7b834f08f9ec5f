import {type Progress, progress} from '../../domain/provisioning.ts';
import type {ComputerItem} from '../../state/lists.ts';
import type {AppParts} from '../use-app.ts';

/**
 * A computer's progress at `now` (our Unix ms). Adds the clock skew, since steps carry the service's times.
 */
export function progressOf(parts: AppParts, item: ComputerItem, now: number): Progress {
	const skew = parts.stores.connection.getState().skew ?? 0;
	return progress(item.known.computer ?? {id: item.id}, parts.median, now + skew);
}
