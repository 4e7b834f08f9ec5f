import {type Progress, progress} from '../../domain/provisioning.ts';
import type {ComputerItem} from '../../state/lists.ts';
import type {AppParts} from '../use-app.ts';

/** How far a computer is at `now` (our Unix ms): its steps carry the service's times, so the skew is added. */
export function progressOf(parts: AppParts, item: ComputerItem, now: number): Progress {
	const skew = parts.stores.connection.getState().skew ?? 0;
	return progress(item.known.computer ?? {id: item.id}, parts.median, now + skew);
}
