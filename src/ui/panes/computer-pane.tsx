import {useEffect} from 'react';
import {useStore} from 'zustand';
import type {ComputerItem} from '../../state/computers/computer-items.ts';
import {computerLook, hasRunningStep, progressOf} from '../../state/computers/computer-look.ts';
import {sessionsOn} from '../../state/sessions/session-counts.ts';
import {setView, type View} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {firstFitting, type Line, lineWidth, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {age} from '../../text/values/times.ts';
import {Pane} from '../kit/pane.tsx';
import {scrolledTop} from '../kit/scroll.ts';
import {moreBelow} from '../kit/strings.ts';
import {ageChangesAt, secondAfter} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {type ListParts, listsNow} from '../use-lists.ts';
import {computerDetailLines} from './computer-detail.ts';
import {installToShow, lastLines} from './install-output.ts';

/** Rows of the install output. */
const outputRows = 8;

/** Follows a computer's install output while it is on screen. */
function useInstallOutput(sessionId: string | undefined): void {
	const {stores, actions} = useApp();
	useEffect(
		() => (sessionId === undefined ? undefined : actions.engine.sessions.open(sessionId)),
		[actions.engine, sessionId],
	);
	useStore(stores.streams, ({open}) => open.get(sessionId ?? '')?.entries);
}

/** Everything about a computer at `now` (Unix ms), for a pane at `rect`. */
function computerLines(
	parts: ListParts & AppParts,
	item: ComputerItem,
	rect: Rect,
	now: number,
): readonly Line[] {
	const {stores, keys} = parts;
	const known = stores.fleet.getState().problems.get(item.id);
	// The line at the top says why nothing can be read: what failed before is over.
	const isOld =
		stores.connection.getState().state === 'unauthorized' && !known?.isMissing && !known?.isStarting;
	const problem = isOld ? undefined : known;
	const install = installToShow(item);
	const output = stores.streams.getState().open.get(install?.installSessionId ?? '')?.entries ?? [];
	return computerDetailLines(
		{
			item,
			progress: progressOf(parts, item, now),
			now,
			output: lastLines(output, outputRows, install?.startedAt),
			keys,
			...sessionsOn(listsNow(parts).all.sessions, item.id),
			problem,
		},
		rect.width - 6,
		rect.height - 2,
	);
}

/** Scrolls a computer's steps, in a pane at `rect`, to the row that `next` returns, clamped to its lines. */
export function scrollComputer(
	parts: ListParts & AppParts,
	item: ComputerItem,
	rect: Rect,
	next: Parameters<typeof scrolledTop>[3],
): void {
	const lines = computerLines(parts, item, rect, parts.ticker.now());
	setView(parts.view, view => {
		const top = scrolledTop(topOf(view, item), lines.length, rect.height - 2, next);
		return {...view, scrolledComputer: {id: item.id, top}};
	});
}

function topOf({scrolledComputer}: View, {id}: ComputerItem): number {
	return scrolledComputer?.id === id ? scrolledComputer.top : 0;
}

/** Minimum columns of the name in the title. */
const nameMin = 8;

type Props = {
	readonly item: ComputerItem;
	readonly rect: Rect;
	readonly isFocused: boolean;
	readonly view: View;
	readonly onPress: () => void;
};

/** One computer in the main area, with its steps as they run. */
export function ComputerPane({item, rect, isFocused, view, onPress}: Props) {
	const parts = useApp();
	useStore(parts.stores.fleet, fleet => fleet.problems.get(item.id));
	useStore(parts.stores.connection, ({state}) => state);
	useInstallOutput(installToShow(item)?.installSessionId);
	const {fetchedAt} = item.known;
	const now = useNow(at => {
		if (hasRunningStep(item)) return secondAfter(at);
		return fetchedAt === undefined ? undefined : ageChangesAt(fetchedAt, at);
	});
	const look = computerLook(item);
	const lines = computerLines(parts, item, rect, now);
	const height = rect.height - 2;
	useZone({
		rect,
		order: zoneOrder.pane,
		press: onPress,
		wheel: rows => scrollComputer(parts, item, rect, top => top + rows),
	});
	const first = Math.max(0, Math.min(topOf(view, item), lines.length - height));
	const below = lines.length - first - height;
	const name = cleanLine(item.name, 80);
	const state: Line = [span(safe` · `, 'dim'), span(look.word, look.tone)];
	const checked: Line =
		fetchedAt === undefined ? [] : [span(safe`, checked ${age(now - fetchedAt)} ago`, 'dim')];
	const room = rect.width - 6 - textWidth(name);
	// Age and state give way to the name: the lines below have them too.
	const rest = firstFitting([[...state, ...checked], state], room);
	const title = cutEnd(name, Math.max(nameMin, rect.width - 6 - lineWidth(rest)));
	return (
		<Pane
			rect={rect}
			title={[span(title, isFocused ? 'heading' : 'strong'), ...rest]}
			bottom={moreBelow(below)}
			isFocused={isFocused}
			body={lines.slice(first, first + height).map(line => ({line: [span(safe`  `), ...line]}))}
		/>
	);
}
