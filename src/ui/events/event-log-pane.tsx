import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import type {KeyMap} from '../../keys/key-map.ts';
import {indexFrom} from '../../state/event-log.ts';
import type {View} from '../../state/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import type {Rect} from '../layout.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {useApp} from '../use-app.ts';
import {eventIndex} from './event-intents.ts';
import {eventRow} from './event-row.ts';
import type {EventsNow} from './events-layout.ts';
import {focusEvents, moveEventCursor} from './scroll-events.ts';
import {strings} from './strings.ts';

type Props = {readonly rect: Rect; readonly view: View; readonly now: EventsNow};

/** The hook events in order of arrival, newest last. */
export function EventLogPane({rect, view, now: events}: Props) {
	const parts = useApp();
	const {stores, actions} = parts;
	const {entries, index} = events;
	const {kept, hasOlder} = useStore(stores.events);
	const loaded = useStore(stores.events, log => log.entries.length);
	const {pane, cursor, words: filter, sessionId} = view.events;
	const words = strings.log;
	const isFocused = pane === 'log' || (pane === 'event' && entries.length === 0);
	const now = actions.clock.now();
	const height = rect.height - 2;
	// When the matches don't fill the pane, load older events, one batch at a time.
	const isShort = hasOlder && entries.length < height;
	useEffect(() => {
		if (isShort && loaded > 0) actions.engine.loadOlderEvents();
	}, [actions.engine, isShort, loaded]);
	/** Number of the first visible entry, so that entries loaded before it don't move the view. */
	const top = useRef<number>(undefined);
	const from = top.current === undefined ? 0 : indexFrom(entries, top.current);
	const start = listTop(cursor === undefined ? entries.length : from, index, height, entries.length);
	top.current = entries[start]?.number;
	useRowsZone({
		rect,
		above: 1,
		top: start,
		shown: Math.min(Math.max(0, height), entries.length - start),
		pick(at, isDouble) {
			if (at === undefined) return;
			moveEventCursor(parts, at);
			focusEvents(parts, 'log');
			if (isDouble) parts.input.perform(parts, 'open-event-session');
		},
		wheel: rows => moveEventCursor(parts, eventIndex(entries, parts.view.getState().events.cursor) + rows),
	});
	const isFiltered = filter !== '' || sessionId !== undefined;
	const body =
		entries.length === 0
			? emptyText(isFiltered, parts.keys).map(line => ({line: [span(safe` `), ...line]}))
			: entries.slice(start, start + Math.max(0, height)).map((entry, row) => {
					const isCursor = start + row === index;
					const marker = isCursor ? span(safe`▌`, 'accent') : span(safe` `);
					return {line: [marker, ...eventRow(entry.event, rect.width - 4, now)], isSelected: isCursor};
				});
	const count = isFiltered ? words.shown(entries.length, loaded) : safe`${kept}`;
	const unseen = entries.length - 1 - index;
	if (rect.height < 3) return undefined;
	return (
		<Pane
			rect={rect}
			title={[span(words.title, isFocused ? 'heading' : 'strong'), ...filterWords(view)]}
			right={[
				span(isShort ? words.loadingOlder : safe``, 'dim'),
				span(cursor === undefined ? words.live : safe``, 'dim'),
				span(count, 'dim'),
			]}
			bottom={unseen > 0 ? [span(words.newer(unseen), 'dim')] : []}
			isFocused={isFocused}
			body={body}
		/>
	);
}

function filterWords({events: {words, sessionId}}: View): Line {
	return [
		...(words === ''
			? []
			: [span(safe` · `, 'border'), span(strings.log.filter(cleanLine(words, 40)), 'accent')]),
		...(sessionId === undefined
			? []
			: [span(safe` · `, 'border'), span(strings.log.session(cleanLine(sessionId, 12)), 'accent')]),
	];
}

function emptyText(isFiltered: boolean, keys: KeyMap): Line[] {
	const {noMatches, none, install, test} = strings.log;
	return isFiltered ? [noMatches(keys.label('back'))] : [[span(none, 'dim')], install, test];
}
