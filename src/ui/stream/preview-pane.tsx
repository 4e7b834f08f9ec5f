import {useEffect} from 'react';
import {useStore} from 'zustand';
import {runsOutside, type SessionItem} from '../../state/sessions/session-items.ts';
import type {Stream} from '../../state/stream.ts';
import type {View} from '../../state/view/view.ts';
import {following} from '../../state/view/view-states.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {noMatches} from '../../text/search/search-matches.ts';
import {Pane, type Row} from '../kit/pane.tsx';
import {keyed} from '../kit/strings.ts';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {openSession} from '../open-session.ts';
import {useApp} from '../use-app.ts';
import {keysAfter} from '../way-out.ts';
import {useDeliveryNotes} from './delivery-note.ts';
import {hiddenCount, streamNow} from './stream-now.ts';
import {bodyRows, titleEnd, titleWidth} from './stream-pane.tsx';
import {phaseRows} from './stream-phase.ts';
import {streamTitle} from './stream-title.ts';
import {windowOf} from './viewport.ts';

const nothing: readonly never[] = [];
type Props = {
	readonly item: SessionItem;
	readonly stream: Stream;
	readonly view: View;
	readonly rect: Rect;
};

/** The newest cached messages of the session at the cursor of the lists. A press opens it. */
export function PreviewPane({item, stream, view, rect}: Props) {
	const parts = useApp();
	const {stores, keys} = parts;
	const outbox = useStore(stores.outbox, ({bySession}) => bySession.get(item.id) ?? nothing);
	const problem = useStore(stores.fleet, ({problems}) => problems.get(item.id));
	const now = useNow(at => (item.since === undefined ? undefined : ageChangesAt(item.since, at)));
	useDeliveryNotes(outbox);
	useEffect(() => () => parts.caches.streams.forget(item.id), [parts, item.id]);
	useZone({rect, order: zoneOrder.pane, press: () => openSession(parts, item.id, 'main')});

	const hidden = hiddenCount(stream.entries);
	// A preview has no line for the work.
	const {state: _state, reason: _reason, ...shown} = item;
	const extent = streamNow(parts, view, shown, rect, stream);
	const window = windowOf(extent, following);
	const body = (): Row[] => {
		if (extent.items.length > 0)
			return bodyRows(extent, window, view, {
				isFocused: false,
				hitMatches: noMatches,
				expands: nothing,
				opensPager: nothing,
			});
		const isUnread = stream.phase.name === 'loading' && !problem && !runsOutside(item, stream);
		if (isUnread)
			return [{line: []}, {line: [span(safe`  `), span(safe`No messages have been read yet.`, 'dim')]}];
		return phaseRows(stream, item, hidden, extent.width, keys, {blocked: problem});
	};
	const isAtCursor = view.cursor?.id === item.id;
	const title = streamTitle(item, {
		now,
		isFocused: false,
		width: titleWidth(rect, window),
	});
	return (
		<Pane
			rect={rect}
			title={title}
			right={titleEnd([], view.showsHidden ? 0 : hidden, window)}
			bottom={[
				span(safe`Preview`, 'info'),
				...(isAtCursor ? [span(safe` · `, 'border'), ...keyed`${keysAfter(view, keys, 'open')} opens`] : []),
			]}
			body={body()}
		/>
	);
}
