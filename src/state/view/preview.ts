import type {Stream, Streams} from '../stream.ts';
import {streamsOf} from './split.ts';
import {targets} from './targets.ts';
import {isInLists, type View} from './view.ts';

/**
 * The session to preview in the main area: the one at the cursor while the lists have the focus, unless its
 * stream is on the screen anyway.
 */
export function previewTarget(view: View): string | undefined {
	const {sessionId} = isInLists(view) ? targets({...view, dialogs: []}) : {};
	return sessionId === undefined || streamsOf(view).includes(sessionId) ? undefined : sessionId;
}

/** The preview on the screen. Right after a move of the cursor, it is still the last one. */
export function shownPreview(view: View, {preview}: Streams): Stream | undefined {
	return previewTarget(view) === undefined ? undefined : preview;
}
