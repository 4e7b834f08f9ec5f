import {following} from '../../state/reading.ts';
import {opened} from '../../state/shown-item.ts';
import {withExpanded, withReading} from '../../state/view.ts';
import {scrollStreamRows} from '../kit/scroll.ts';
import type {Rect} from '../layout.ts';
import {useZone} from '../mouse/use-zone.ts';
import {zoneOrder} from '../mouse/zones.ts';
import {prepareComposer} from '../open-session.ts';
import {setView} from '../set-view.ts';
import {useApp} from '../use-app.ts';
import {markAt} from './marking.ts';
import type {StreamExtent} from './stream-extent.ts';
import {atSelected, positionInSight} from './viewport.ts';

/**
 * Pointer input in a stream: a press selects the message there (or moves the mark's end); a second press
 * expands it.
 */
export function useStreamZone(rect: Rect, extent: StreamExtent): void {
	const parts = useApp();
	const {sessionId} = extent;
	useZone({
		rect,
		order: zoneOrder.pane,
		press({y}, isDouble) {
			const view = parts.view.getState();
			const reading = view.readings.get(sessionId) ?? following;
			const position = positionInSight(extent, reading, y - 1);
			prepareComposer(parts, sessionId);
			setView(parts.view, now => opened(now, {kind: 'session', id: sessionId}, 'main'));
			if (!position) return;
			if (view.mark?.sessionId === sessionId) markAt(parts, extent, position);
			else {
				const next = atSelected(extent, reading, position.index);
				setView(parts.view, now => withReading(now, sessionId, next));
				const item = extent.items[position.index];
				if (isDouble && item) setView(parts.view, now => withExpanded(now, item.id));
			}
		},
		wheel: rows => scrollStreamRows(parts, extent, rows),
	});
}
