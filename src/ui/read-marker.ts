import {newLineOf} from '../state/new-line.ts';
import type {Stores} from '../state/stores.ts';
import type {Streams} from '../state/stream.ts';
import {withNewLine, withReading} from '../state/view.ts';
import {layoutNow, placedStreams, streamsOnScreen} from './layout-now.ts';
import {setView} from './set-view.ts';
import {streamNow} from './stream/stream-now.ts';
import {indexOfId, readingFrom} from './stream/viewport.ts';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/** Sessions in front of the user: their streams are up to date and on the screen without a dialog over them. */
function sessionsInFront(parts: AppParts, {open}: Streams): readonly string[] {
	if (parts.view.getState().dialogs.length > 0) return [];
	return streamsOnScreen(parts).filter(id => open.get(id)?.phase.name === 'ready');
}

/** Whether a session's stream shows the newest message that is recorded of it, and no newer one. */
function isRecorded(stores: Stores, {open}: Streams, id: string): boolean {
	const {activity} = stores.fleet.getState().sessions.get(id) ?? {};
	return open.get(id)?.entries.at(-1)?.id === activity?.newestId;
}

/** Sessions that the user has read: those in front of them whose streams are at the end. */
export function sessionsReadToEnd(
	parts: AppParts,
	streams: Streams,
	inFront = sessionsInFront(parts, streams),
): readonly string[] {
	const {readings} = parts.view.getState();
	return inFront.filter(
		id => readings.get(id)?.isFollowing !== false && streams.open.get(id)?.hasNewer !== true,
	);
}

/**
 * Returns what is to be called after each change of the view, the streams or the sessions, with whether the user
 * looks at the terminal. It records which sessions they have read. What was unread when a session came in front
 * of them keeps its line until the session is closed; on opening, the stream starts at that line if not
 * everything below it fits.
 */
export function createReadMarker(parts: AppParts): (isLooking: boolean) => void {
	/** Sessions that have been in front of the user since their unread messages were counted. */
	let before: ReadonlySet<string> = new Set();
	/** For each open session: whether it was moved to its unread messages, and whether those are all known. */
	const starts = new Map<string, {readonly isMoved: boolean; readonly isFinal: boolean}>();
	/** The newest message that the user saw come, by session: it is recorded later, once its author is known. */
	const watched = new Map<string, string>();
	const hasActivity = (id: string) => parts.stores.fleet.getState().sessions.get(id)?.activity !== undefined;

	function forgetClosed(): void {
		const {split, lastSession, newLines} = parts.view.getState();
		const isOpen = (id: string) => id === lastSession || split.includes(id);
		for (const ofSessions of [starts, watched])
			for (const id of ofSessions.keys()) if (!isOpen(id)) ofSessions.delete(id);
		const left = new Map([...newLines].filter(([id]) => isOpen(id)));
		if (left.size < newLines.size) setView(parts.view, view => ({...view, newLines: left}));
	}

	function newLineNow(id: string, {open}: Streams) {
		const stream = open.get(id);
		const activity = parts.stores.fleet.getState().sessions.get(id)?.activity;
		return stream && !stream.hasNewer ? newLineOf(stream.entries, activity) : undefined;
	}

	/** Moves the stream to its unread messages unless they fit; returns whether it did. */
	function moveToUnread(id: string, streams: Streams): boolean {
		const view = parts.view.getState();
		const newLine = newLineNow(id, streams);
		const rect = placedStreams(layoutNow(parts), view).find(one => one.id === id)?.rect;
		if (!newLine || !rect || view.readings.get(id)?.isFollowing === false) return false;
		const extent = streamNow(parts, view, listsNow(parts).all.sessionsById.get(id) ?? {id}, rect);
		const reading = readingFrom(extent, indexOfId(extent, newLine.id));
		if (reading.isFollowing) return false;
		setView(parts.view, now => withReading(now, id, reading));
		return true;
	}

	return isLooking => {
		const streams = parts.stores.streams.getState();
		const inFront = isLooking ? sessionsInFront(parts, streams) : [];
		const arrived = inFront.filter(id => !before.has(id) && isRecorded(parts.stores, streams, id));
		// First of all: what follows changes the view, which calls this again.
		before = new Set(inFront.filter(id => before.has(id) || arrived.includes(id)));
		forgetClosed();
		for (const id of arrived) {
			const newLine = newLineNow(id, streams);
			if (newLine) setView(parts.view, view => withNewLine(view, id, newLine));
		}
		for (const id of streamsOnScreen(parts)) {
			// Nothing is known of a new session yet: the user sees its first messages arrive.
			if (isLooking && !hasActivity(id)) starts.set(id, {isMoved: true, isFinal: true});
			const start = starts.get(id);
			const isFinal = before.has(id);
			const hasEntries = (streams.open.get(id)?.entries.length ?? 0) > 0;
			if (start?.isFinal || (!isFinal && (start || !hasEntries))) continue;
			starts.set(id, {isMoved: start?.isMoved ?? false, isFinal});
			if (!start?.isMoved) starts.set(id, {isMoved: moveToUnread(id, streams), isFinal});
		}
		const {engine} = parts.actions;
		for (const id of sessionsReadToEnd(parts, streams, inFront)) {
			const newest = streams.open.get(id)?.entries.at(-1)?.id;
			if (newest !== undefined) watched.set(id, newest);
		}
		const {sessions} = parts.stores.fleet.getState();
		for (const [id, newest] of watched)
			if (sessions.get(id)?.activity?.newestId === newest) engine.markSeen(id);
	};
}
