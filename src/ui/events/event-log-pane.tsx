import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import {indexFrom} from '../../state/event-log.ts';
import {filterOf, type View} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {program} from '../../text/values/own-program.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {Pane} from '../kit/pane.tsx';
import {listTop} from '../kit/scroll.ts';
import {filterTitle, noMatches} from '../kit/strings.ts';
import type {Rect} from '../layout.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {useApp} from '../use-app.ts';
import {eventRow} from './event-row.ts';
import {type EventsNow, eventIndex} from './events-layout.ts';
import {focusEvents, moveEventCursor} from './scroll-events.ts';

type Props = {readonly rect: Rect; readonly view: View; readonly events: EventsNow};

/** The hook events in order of arrival, newest last. */
export function EventLogPane({rect, view, events}: Props) {
	const parts = useApp();
	const {stores, actions} = parts;
	const {entries, index} = events;
	const {entries: all, storedCount, hasOlder} = useStore(stores.events);
	const loaded = all.length;
	const {pane, cursor, sessionId} = view.events;
	const isFocused = pane === 'log' || (pane === 'event' && entries.length === 0);
	const now = actions.clock.now();
	const height = rect.height - 2;
	// When the matches don't fill the pane, load older events, one batch at a time.
	const isShort = hasOlder && entries.length < height;
	useEffect(() => {
		if (isShort && loaded > 0) actions.engine.hooks.feed.loadOlder();
	}, [actions.engine, isShort, loaded]);
	/** Number of the first visible entry: entries loaded before it don't move the view. */
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
	const isFiltered = filterOf(view) !== '' || sessionId !== undefined;
	const body =
		entries.length === 0
			? emptyText(isFiltered, parts.keys).map(line => ({line: [span(safe` `), ...line]}))
			: entries.slice(start, start + Math.max(0, height)).map((entry, row) => {
					const isCursor = start + row === index;
					const marker = isCursor ? span(safe`▌`, 'accent') : span(safe` `);
					return {line: [marker, ...eventRow(entry.event, rect.width - 4, now)], isSelected: isCursor};
				});
	const count = isFiltered ? safe`${entries.length} of ${loaded}` : safe`${storedCount}`;
	const newer = entries.length - 1 - index;
	if (rect.height < 3) return undefined;
	return (
		<Pane
			rect={rect}
			title={[span(safe`Hook events`, isFocused ? 'heading' : 'strong'), ...filterLine(view)]}
			right={[
				span(isShort ? safe`loading older events · ` : safe``, 'dim'),
				span(cursor === undefined ? safe`live · ` : safe``, 'dim'),
				span(count, 'dim'),
			]}
			bottom={newer > 0 ? [span(safe`${newer} newer ↓`, 'dim')] : []}
			isFocused={isFocused}
			body={body}
		/>
	);
}

function filterLine(view: View): Line {
	const {sessionId} = view.events;
	return [
		...filterTitle(filterOf(view)),
		...(sessionId === undefined
			? []
			: [span(safe` · `, 'border'), span(safe`session ${cleanLine(sessionId, 12)}`, 'accent')]),
	];
}

function emptyText(isFiltered: boolean, keys: KeyMap): Line[] {
	if (isFiltered) return [noMatches(keys.label('back'))];
	return [
		[span(safe`No hook events yet.`, 'dim')],
		[span(keys.label('hooks'), 'strong'), span(safe` installs the hooks for your agents;`, 'dim')],
		[span(safe`${program} hooks test`, 'code'), span(safe` checks that events arrive.`, 'dim')] as Line,
	];
}
