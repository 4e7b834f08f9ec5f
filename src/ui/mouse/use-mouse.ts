import {useEffect} from 'react';
import type {AppParts} from '../use-app.ts';
import {type Gesture, gestureOf, idlePointer, type PointerState} from './gesture.ts';
import {cellIn, type Zone, zoneAt} from './zones.ts';

/** Rows per notch of the wheel. */
const notch = 3;

/** Sends mouse gestures to the zone under the pointer. A drag stays with the zone it started in. */
export function useMouse(parts: AppParts): void {
	useEffect(() => {
		let hand: PointerState = idlePointer;
		let held: Zone | undefined;
		return parts.mouse.listen(report => {
			const [next, gesture] = gestureOf(hand, report, parts.actions.clock.now());
			hand = next;
			if (!gesture) return;
			parts.ticker.refresh();
			if (gesture.kind === 'drag') held?.drag?.(gesture.at);
			else if (gesture.kind === 'release') {
				held?.drop?.();
				held = undefined;
			} else held = reach(parts, gesture) ?? held;
		});
	}, [parts]);
}

/** Notifies the zone under the pointer; for a press, returns the zone that receives the drag from now on. */
function reach(parts: AppParts, gesture: Gesture & {kind: 'press' | 'wheel'}): Zone | undefined {
	const hasDialog = parts.view.getState().dialogs.length > 0;
	const zone = zoneAt(parts.zones.values(), gesture.at, hasDialog);
	if (gesture.kind === 'wheel') {
		zone?.wheel?.(gesture.by * notch);
		return undefined;
	}
	zone?.press?.(cellIn(zone, gesture.at), gesture.isDouble);
	return zone;
}
