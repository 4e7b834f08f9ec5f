import type {Enabled} from '../keys/key-state.ts';
import {maxSplit, streamsOf} from '../state/split.ts';
import type {View} from '../state/view.ts';
import {streamMin, streamsIn} from './layout.ts';

/** Whether the session can be added to the split, or removed from it. */
export function canSplit(view: View, mainWidth: number, sessionId: string | undefined): Enabled {
	if (sessionId === undefined || view.split.includes(sessionId)) return true;
	if (view.shown?.kind !== 'session') return true;
	if (view.shown.id === sessionId) return 'It is already open: select another session';
	const count = streamsOf(view).length + 1;
	if (count > maxSplit) return `${maxSplit} are already open side by side: {split} on one of them closes it`;
	if (streamsIn(mainWidth) >= count) return true;
	return `${count} side by side need ${count * streamMin} columns; there are ${mainWidth}`;
}
