import {type Progress, progress} from '../../domain/computers/provisioning.ts';
import type {ComputerItem} from '../../state/lists.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import type {AppParts} from '../use-app.ts';

/**
 * A progress bar of `width` columns: heavy for done, light for left, so that it is readable without color.
 */
export function barLine(share: number, width: number, tone: Tone): Line {
	const full = Math.round(Math.max(0, Math.min(1, share)) * width);
	return [span(cleanLine('━'.repeat(full)), tone), span(cleanLine('─'.repeat(width - full)), 'border')];
}

/**
 * A computer's progress at `now` (our Unix ms). Adds the clock skew, since steps carry the service's times.
 */
export function progressOf(parts: AppParts, item: ComputerItem, now: number): Progress {
	const skew = parts.stores.connection.getState().skew ?? 0;
	return progress(item.known.computer ?? {id: item.id}, parts.median, now + skew);
}
