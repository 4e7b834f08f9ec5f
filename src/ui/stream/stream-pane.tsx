import {useEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import {isBlocked, isDown} from '../../state/connection.ts';
import {isRequesting, runsOutside, type SessionItem} from '../../state/sessions/session-items.ts';
import {isStuck, sessionLook} from '../../state/sessions/session-look.ts';
import type {Stream} from '../../state/stream.ts';
import type {Find} from '../../state/view/find.ts';
import {withOpened} from '../../state/view/shown-item.ts';
import {
	isExpanded,
	isInLists,
	isTypingIn,
	isWriting,
	setView,
	type View,
	withExpanded,
	withScrollState,
} from '../../state/view/view.ts';
import {following} from '../../state/view/view-states.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {type Line, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {endsInCount} from '../../text/messages/collapsed-rows.ts';
import {noMatches, type RowMatches, searchPattern} from '../../text/search/search-matches.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {isAnswerable} from '../keys/reasons.ts';
import {joined, Pane, type Row, tailStart} from '../kit/pane.tsx';
import {keyed} from '../kit/strings.ts';
import {ageChangesAt, secondAfter} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {prepareComposer} from '../open-session.ts';
import {useDisplay, useTheme} from '../theme/use-theme.ts';
import {useApp} from '../use-app.ts';
import {keysAfter, wayOutKey} from '../way-out.ts';
import {useDeliveryNotes} from './delivery-note.ts';
import {findCursor, findLine} from './find-line.ts';
import {foundInItem, markRow, matchIndex} from './found-rows.ts';
import {goToHit} from './go-to-hit.ts';
import {scrollStreamRows} from './scroll-stream.ts';
import {messageIds} from './stream-items.ts';
import {hiddenCount, streamNow} from './stream-now.ts';
import {blockedBy, phaseRows, phaseWord} from './stream-phase.ts';
import {streamTitle} from './stream-title.ts';
import {atSelected, positionInSight, type StreamExtent, type Window, windowOf} from './viewport.ts';
import {workRow, workRows} from './work-row.ts';

const nothing: readonly never[] = [];
/** Columns of the lower border reserved at both ends of its text. */
const borderEnds = 7;

/** Columns of the upper border for the sign that there is more above. */
const aboveColumns = 4;

type Props = {
	readonly item: SessionItem;
	readonly view: View;
	readonly rect: Rect;
	/** Whether keys act on this stream; exactly one of several side by side is current. */
	readonly isCurrent: boolean;
};

/** The messages of an open session. Lays out only visible items. */
export function StreamPane({item, view, rect, isCurrent}: Props) {
	const parts = useApp();
	const {stores, keys} = parts;
	const stream = useStore(stores.streams, ({open}) => open.get(item.id));
	const outbox = useStore(stores.outbox, ({bySession}) => bySession.get(item.id) ?? nothing);
	const blocked = useStore(stores.connection, blockedBy);
	const isTold = useStore(
		stores.connection,
		one => isDown(one) || isBlocked(one) || one.outage !== undefined,
	);
	const isWorking = workRows(item, rect.height - 2) > 0;
	const {hasReducedMotion} = useDisplay();
	const now = useNow(at => {
		if (isWorking && !isStuck(item, at)) return secondAfter(at);
		return item.since === undefined ? undefined : ageChangesAt(item.since, at);
	});
	useDeliveryNotes(outbox);
	const {showsHidden} = view;
	const entries = stream?.entries ?? nothing;
	const hidden = useMemo(() => hiddenCount(entries), [entries]);
	const extent = streamNow(parts, view, item, rect);
	useEffect(() => () => parts.caches.streams.forget(item.id), [parts, item.id]);
	const {items, width, height} = extent;
	const isFocused = isCurrent && view.focus === 'main';
	useStreamZone(rect, extent);

	const scroll = view.scrollStates.get(item.id) ?? following;
	const window = windowOf(extent, scroll);
	useMissingMessages(item.id, stream, extent, window, view);

	const find = view.find?.sessionId === item.id ? view.find : undefined;
	useLateHit(extent, find);
	const hitMatches = useHitMatches(extent, find);
	const hitIndex = find?.hit ? extent.indexOf(find.hit.id) : -1;
	const hitItem = hitIndex < 0 ? undefined : {matches: hitMatches, isSelected: hitIndex === window.selected};
	const line = find && findLine(find, hitItem, stream?.hasUnread === true, rect.width - borderEnds, keys);
	const theme = useTheme();
	const isTyping = find?.isTyping === true && isFocused && view.dialogs.length === 0;
	useScreenCursor(
		isTyping
			? {
					x: rect.x + tailStart(rect.width, line ?? [], theme) + findCursor(find, rect.width - borderEnds),
					y: rect.y + rect.height - 1,
				}
			: undefined,
	);
	const body = (): Row[] => {
		const around = {
			blocked,
			wayOut: wayOutKey(view, keys),
			isWriting: isCurrent && isWriting(view) && isTypingIn(view, item.id),
		};
		const phase = phaseRows(stream, item, hidden, width, keys, around);
		if (items.length === 0) return phase;
		const isActive = isCurrent && !isInLists(view);
		const expands = isActive ? keyed`  ${keysAfter(view, keys, 'expand')} expands` : nothing;
		const opensPager = isActive
			? keyed`  ${keysAfter(view, keys, 'read-in-pager')} opens the pager`
			: nothing;
		const messages = bodyRows(extent, window, view, {isFocused, hitMatches, expands, opensPager});
		const work = () => [span(safe` `), ...workRow(item, items, {now, hasReducedMotion, width})];
		const shown = isWorking ? [...messages, {line: work()}] : messages;
		// Above only our own messages, explain why there are no others, if there is room.
		const isAlone = entries.length === 0 && stream?.phase.name !== 'ready';
		return isAlone && phase.length + 1 + shown.length <= height ? [...phase, {line: []}, ...shown] : shown;
	};
	// Text in place of the messages already explains it.
	const isExplained = entries.length === 0 && runsOutside(item, stream);
	// An unread answer asks nothing.
	const asksUser = item.group === 'needs' && item.state !== 'done';
	const reason = asksUser && !isExplained ? item.reason : undefined;
	const answerKeys = isAnswerable(parts, item) ? keysAfter(view, keys, 'answer-request') : undefined;
	const answers = answerKeys
		? safe`${answerKeys} answers`
		: isRequesting(item)
			? safe`${sessionLook(item).word}, answer where it runs:`
			: undefined;
	const asks = reason === undefined ? [] : asksLine(sessionLook(item).word, cleanLine(reason, 200), answers);
	return (
		<Pane
			rect={rect}
			title={streamTitle(item, {
				now,
				isFocused: isCurrent && (view.focus !== 'lists' || view.split.length > 0),
				width: titleWidth(rect, window),
			})}
			right={titleEnd(phaseWord(stream, item, blocked, isTold), showsHidden ? 0 : hidden, window)}
			bottom={
				line ??
				streamEnd({
					window,
					stream,
					asks,
					down: isCurrent ? downKey(view, keys) : undefined,
					width: rect.width - borderEnds,
				})
			}
			isFocused={isFocused}
			body={body()}
		/>
	);
}

/** Loads what the reader needs: messages of a visible gap, those around the anchor, or the newest. */
function useMissingMessages(
	sessionId: string,
	stream: Stream | undefined,
	extent: StreamExtent,
	window: Window,
	view: View,
): void {
	const {engine} = useApp().actions;
	const gap = window.slices
		.map(({index}) => extent.items[index]?.entry)
		.find(entry => entry?.kind === 'gap')?.id;
	useEffect(() => {
		if (gap !== undefined) void engine.sessions.follower(sessionId)?.fillGap(gap);
	}, [engine, sessionId, gap]);

	const scroll = view.scrollStates.get(sessionId) ?? following;
	const anchor = scroll.isFollowing ? undefined : scroll.top.id;
	const isMissing = anchor !== undefined && stream !== undefined && extent.indexOf(anchor) < 0;
	useEffect(() => {
		if (isMissing && anchor !== undefined) engine.sessions.follower(sessionId)?.showMessage(anchor);
	}, [engine, sessionId, anchor, isMissing]);

	const isLeft = scroll.isFollowing && stream?.hasNewer === true;
	useEffect(() => {
		if (isLeft) engine.sessions.follower(sessionId)?.showNewest();
	}, [engine, sessionId, isLeft]);
}

/** Goes to the best match of a message that was found before it was loaded. */
function useLateHit(extent: StreamExtent, find: Find | undefined): void {
	const parts = useApp();
	const hit = find?.hit;
	const isLate = hit !== undefined && hit.nth === undefined && extent.indexOf(hit.id) >= 0;
	const id = hit?.id;
	useEffect(() => {
		const current = parts.view.getState().find;
		if (isLate && current?.hit && current.hit.id === id) goToHit(parts, {...current, hit: current.hit});
	}, [parts, isLate, id]);
}

/** Matches in the current message; none when there is no such message. */
function useHitMatches(extent: StreamExtent, find: Find | undefined): RowMatches {
	const words = find?.words ?? '';
	const pattern = useMemo(() => searchPattern(words), [words]);
	const index = find?.hit ? extent.indexOf(find.hit.id) : -1;
	return pattern && index >= 0 ? foundInItem(extent.ownLinesAt(index), pattern, extent.width) : noMatches;
}

type Looks = {
	readonly isFocused: boolean;
	readonly hitMatches: RowMatches;
	/** The key that expands the selected message, beside the number of lines that it hides. */
	readonly expands: Line;
	/** The same of a message that is expanded, and still hides lines. */
	readonly opensPager: Line;
};

/** Painted rows of the visible items. */
export function bodyRows(
	extent: StreamExtent,
	window: Window,
	view: View,
	{isFocused, hitMatches, expands, opensPager}: Looks,
): Row[] {
	const find = view.find?.sessionId === extent.sessionId ? view.find : undefined;
	const pattern = find && searchPattern(find.words);
	const hitIndex = find?.hit ? extent.indexOf(find.hit.id) : -1;
	return window.slices.flatMap(({index, from, to}) => {
		const lead = extent.leadAt(index);
		const isSelected = isFocused && index === window.selected;
		const nth = find?.hit && index === hitIndex ? matchIndex(hitMatches, find.hit.nth) : undefined;
		const found = pattern && foundInItem(extent.ownLinesAt(index), pattern, extent.width);
		const lines = extent.linesAt(index).slice(from, to);
		const item = extent.items[index];
		const countRow = index === window.selected && item ? lines.findLastIndex(endsInCount) : -1;
		const shows = item && isExpanded(view.expanded, messageIds(item)) ? opensPager : expands;
		return lines.map((line, row): Row => {
			const ownRow = from + row - lead;
			const ranges = found?.inRow.get(ownRow);
			const own = ranges ? markRow(line, ranges, nth) : line;
			const hasKey = row === countRow && lineWidth(line) + lineWidth(shows) <= extent.width;
			const shown = hasKey ? [...own, ...shows] : own;
			const marker = isSelected && ownRow >= 0 && line.length > 0 ? span(safe`▌`, 'accent') : span(safe` `);
			return {line: [marker, ...shown]};
		});
	});
}

/**
 * What stands at the right end of a stream's title: its phase, or the number of hidden messages; and whether there is
 * more above.
 */
export function titleEnd(phase: Line, hidden: number, {isAtStart}: Window): Line {
	const hiddenText = hidden > 0 ? [span(safe`${hidden} hidden`, 'dim')] : [];
	return joined(phase.length > 0 ? phase : hiddenText, isAtStart ? [] : [span(safe`↑`, 'dim')]);
}

export function titleWidth({width}: Rect, {isAtStart}: Window): number {
	return width - 6 - (isAtStart ? 0 : aboveColumns);
}

/** The key that goes to the end of the focused stream, or down in it from its composer; none from the lists. */
function downKey(view: View, {label}: KeyMap): Safe | undefined {
	if (isInLists(view)) return undefined;
	return label(isWriting(view) ? 'messages-down' : 'bottom');
}

type StreamEnd = {
	readonly window: Window;
	readonly stream: Stream | undefined;
	readonly asks: Line;
	/** The key that leads to what is below. */
	readonly down: Safe | undefined;
	readonly width: number;
};

/**
 * The lower border: what is below, with the number of new messages and a key; at the end, what the session `asks`
 * for, or where its messages are read from.
 */
function streamEnd({window, stream, asks, down, width}: StreamEnd): Line {
	const {unseen} = window;
	if (unseen > 0)
		return [
			span(safe`↓ ${unseen} new${down === undefined ? safe`` : safe` · ${down}`}`, 'accent', {bold: true}),
		];
	if (!window.isAtEnd || stream?.hasNewer)
		return [span(safe`↓${down === undefined ? safe`` : safe` ${down}`}`, 'dim')];
	if (asks.length > 0) return asks;
	return stream?.transcript && stream.phase.name !== 'failed' ? transcriptLine(stream.transcript, width) : [];
}

/** What the agent asks, or why it failed, after how a request is answered. */
function asksLine(state: Safe, reason: Safe, answers: Safe | undefined): Line {
	if (answers === undefined) return [span(safe`${state}: ${reason}`, 'warn')];
	return [span(safe`${answers} `, 'strong'), span(reason, 'warn')];
}

/** Where the messages of a session outside the service are read from. */
function transcriptLine({path}: NonNullable<Stream['transcript']>, width: number): Line {
	const words = span(safe`read from `, 'dim');
	return [words, span(cutMiddle(cleanLine(path), Math.max(0, width - lineWidth([words]))), 'dim')];
}

/** Pointer input in a stream: a press selects the message there; a second press expands it. */
function useStreamZone(rect: Rect, extent: StreamExtent): void {
	const parts = useApp();
	const {sessionId} = extent;
	useZone({
		rect,
		order: zoneOrder.pane,
		press({y}, isDouble) {
			const view = parts.view.getState();
			const scroll = view.scrollStates.get(sessionId) ?? following;
			const position = positionInSight(extent, scroll, y - 1);
			prepareComposer(parts, sessionId);
			setView(parts.view, now => withOpened(now, {kind: 'session', id: sessionId}, 'main'));
			if (!position) return;
			const next = atSelected(extent, scroll, position.index);
			setView(parts.view, now => withScrollState(now, sessionId, next));
			const item = extent.items[position.index];
			if (isDouble && item) setView(parts.view, now => withExpanded(now, messageIds(item)));
		},
		wheel: rows => scrollStreamRows(parts, extent, rows),
	});
}
