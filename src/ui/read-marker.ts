import {isEqual} from '../domain/objects.ts';
import {answerText, type SessionActivity} from '../domain/sessions/activity.ts';
import type {Stores} from '../state/stores.ts';
import type {StreamEntry, Streams} from '../state/stream.ts';
import {setView, withNewLine, withScrollState} from '../state/view/view.ts';
import {following} from '../state/view/view-states.ts';
import {layoutNow, placedStreams, streamsOnScreen} from './layout-now.ts';
import {newLineOf} from './stream/stream-items.ts';
import {streamNow} from './stream/stream-now.ts';
import {type StreamExtent, scrollFrom, windowOf} from './stream/viewport.ts';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/** Sessions whose streams are on the screen, without a dialog over them, and up to date. */
function sessionsInView(parts: AppParts, {open}: Streams): readonly string[] {
	if (parts.view.getState().dialogs.length > 0) return [];
	return streamsOnScreen(parts).filter(id => open.get(id)?.phase.name === 'ready');
}

/** Whether a session's stream ends with the newest message that the registry knows. */
function isRecorded(stores: Stores, {open}: Streams, id: string): boolean {
	const {activity} = stores.fleet.getState().sessions.get(id) ?? {};
	return open.get(id)?.entries.at(-1)?.id === activity?.newestId;
}

/** Whether the newest message is recorded as the user has seen it: here or in another program, it may have grown since. */
function isAsRecorded(newest: StreamEntry, activity: SessionActivity | undefined): boolean {
	if (activity?.newestId !== newest.id) return false;
	const {answer} = activity;
	return newest.kind !== 'message' || answer?.id !== newest.id || answer.text === answerText(newest.message);
}

/** A session's stream as it is placed on the screen. */
function placedStream(parts: AppParts, id: string): StreamExtent | undefined {
	const view = parts.view.getState();
	const rect = placedStreams(layoutNow(parts), view).find(one => one.id === id)?.rect;
	return rect && streamNow(parts, view, listsNow(parts).all.sessionsById.get(id) ?? {id}, rect);
}

/** Whether the last row of a stream is on the screen, even if an earlier message is selected. */
function isEndShown(parts: AppParts, id: string): boolean {
	const scroll = parts.view.getState().scrollStates.get(id) ?? following;
	if (scroll.isFollowing) return true;
	const extent = placedStream(parts, id);
	return extent !== undefined && extent.ids.length > 0 && windowOf(extent, scroll).isAtEnd;
}

/** Sessions that the user has read: those in view whose streams are at the end. */
export function sessionsReadToEnd(
	parts: AppParts,
	streams: Streams,
	inView = sessionsInView(parts, streams),
): readonly string[] {
	return inView.filter(id => streams.open.get(id)?.hasNewer !== true && isEndShown(parts, id));
}

/**
 * Returns a function to call after each change of the view, the streams or the sessions, with whether the user looks at
 * the terminal. It records which sessions they have read. It sets the new line of a session that comes on the screen,
 * and scrolls the stream to that line unless everything below it fits.
 */
export function createReadMarker(parts: AppParts): (isScreenSeen: boolean) => void {
	/** Sessions in view whose new line has been set. */
	let marked: ReadonlySet<string> = new Set();
	/** Those of them that the user hasn't read to the end yet: their line counts what the registry does. */
	const counting = new Set<string>();
	/** Sessions that were opened before their first message, and on the screen since: nothing is new there. */
	const watched = new Set<string>();
	/** Whether the stream was scrolled to its unread messages, and whether those are all known, by open session. */
	const starts = new Map<string, {readonly isMoved: boolean; readonly isFinal: boolean}>();
	/** The newest message that the user has seen, by session; marked as seen once the registry knows it. */
	const lastSeen = new Map<string, StreamEntry>();
	const hasActivity = (id: string) => parts.stores.fleet.getState().sessions.get(id)?.activity !== undefined;

	function forgetClosed(): void {
		const {split, lastSession, newLines} = parts.view.getState();
		const isOpen = (id: string) => id === lastSession || split.includes(id);
		for (const ofSessions of [starts, lastSeen, watched, counting])
			for (const id of ofSessions.keys()) if (!isOpen(id)) ofSessions.delete(id);
		const remaining = new Map([...newLines].filter(([id]) => isOpen(id)));
		if (remaining.size < newLines.size) setView(parts.view, view => ({...view, newLines: remaining}));
	}

	function newLineNow(id: string, {open}: Streams) {
		const stream = open.get(id);
		const activity = parts.stores.fleet.getState().sessions.get(id)?.activity;
		return stream && !stream.hasNewer ? newLineOf(stream.entries, activity) : undefined;
	}

	/** Moves the stream to its unread messages unless they fit; returns whether it did. */
	function moveToUnread(id: string, streams: Streams): boolean {
		const newLine = newLineNow(id, streams);
		const extent = placedStream(parts, id);
		const {scrollStates} = parts.view.getState();
		if (!newLine || !extent || scrollStates.get(id)?.isFollowing === false) return false;
		const scroll = scrollFrom(extent, extent.indexOf(newLine.id));
		if (scroll.isFollowing) return false;
		setView(parts.view, now => withScrollState(now, id, scroll));
		return true;
	}

	return isScreenSeen => {
		const streams = parts.stores.streams.getState();
		const inView = isScreenSeen ? sessionsInView(parts, streams) : [];
		const arrived = inView.filter(id => !marked.has(id) && isRecorded(parts.stores, streams, id));
		// Before anything changes the view, which calls this function again.
		marked = new Set(inView.filter(id => marked.has(id) || arrived.includes(id)));
		forgetClosed();
		if (!isScreenSeen) watched.clear();
		for (const id of arrived) {
			if (!watched.delete(id)) counting.add(id);
		}
		for (const id of counting) {
			const newLine = marked.has(id) ? newLineNow(id, streams) : undefined;
			if (newLine && !isEqual(newLine, parts.view.getState().newLines.get(id)))
				setView(parts.view, view => withNewLine(view, id, newLine));
		}
		for (const id of streamsOnScreen(parts)) {
			// The user sees the first messages of a new session arrive.
			if (isScreenSeen && !hasActivity(id)) {
				starts.set(id, {isMoved: true, isFinal: true});
				if (!marked.has(id)) watched.add(id);
			}
			const start = starts.get(id);
			const isFinal = marked.has(id);
			const hasEntries = (streams.open.get(id)?.entries.length ?? 0) > 0;
			if (start?.isFinal || (!isFinal && (start || !hasEntries))) continue;
			starts.set(id, {isMoved: start?.isMoved ?? false, isFinal});
			if (!start?.isMoved) starts.set(id, {isMoved: moveToUnread(id, streams), isFinal});
		}
		const {engine} = parts.actions;
		for (const id of sessionsReadToEnd(parts, streams, inView)) {
			const newest = streams.open.get(id)?.entries.at(-1);
			if (newest !== undefined) lastSeen.set(id, newest);
		}
		const {sessions} = parts.stores.fleet.getState();
		for (const [id, newest] of lastSeen) {
			const isCurrent = streams.open.get(id)?.entries.at(-1)?.version === newest.version;
			if (isCurrent && isAsRecorded(newest, sessions.get(id)?.activity)) {
				counting.delete(id);
				engine.sessions.activity.markSeen(id);
			}
		}
	};
}
