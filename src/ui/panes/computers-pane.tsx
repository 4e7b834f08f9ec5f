import {memo} from 'react';
import {useStore} from 'zustand';
import type {Progress} from '../../domain/computers/provisioning.ts';
import type {ComputerItem} from '../../state/computers/computer-items.ts';
import {
	computerLook,
	hasRunningStep,
	isProvisioning,
	progressOf,
} from '../../state/computers/computer-look.ts';
import {awaitsComputer, isBlocked} from '../../state/connection.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {positionOf} from '../../state/view/cursor.ts';
import type {ListsView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {barLine} from '../../text/charts/bar.ts';
import {age} from '../../text/values/times.ts';
import {filteredTitle, ListPane} from '../kit/list-pane.tsx';
import {keyed, shownCount} from '../kit/strings.ts';
import {secondAfter} from '../kit/ticker.ts';
import type {Rect} from '../layout.ts';
import {pickRow} from '../mouse/use-rows-zone.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {strings} from './strings.ts';

/** Columns of `3/5` and the elapsed time, right of the bar. */
const countsWidth = 10;

/**
 * `● gpu-1      ━━━━━━── 4/5  38s` during provisioning, `✓ build-box        active` afterwards; exactly
 * `width` columns.
 */
function computerRow(item: ComputerItem, progress: Progress, width: number): Line {
	const look = computerLook(item);
	const hasProgress = isProvisioning(item) && progress.total > 0;
	const own = cleanLine(item.name);
	const end = hasProgress
		? movingEnd(progress, width, width - 3 - textWidth(own))
		: [span(look.word, look.tone === 'good' ? 'dim' : look.tone)];
	const name = pad(own, Math.max(4, width - lineWidth(end) - 3));
	return [span(look.glyph, look.tone), span(safe` `), span(name), span(safe` `), ...end];
}

/** `room`: columns beside the whole name, which is worth more than the bar. */
function movingEnd({done, total, current}: Progress, width: number, room: number): Line {
	const running = current?.elapsed;
	const bar = Math.max(4, Math.min(8, Math.floor(width / 4) - 2));
	const steps = pad(safe`${done}/${total}`, countsWidth / 2, 'end');
	const time = pad(running === undefined ? safe`` : age(running), countsWidth / 2, 'end');
	const counts = [span(steps), span(time, current?.isLong ? 'warn' : 'dim')];
	return bar + countsWidth > room ? counts : [...barLine(done / total, bar, 'accent'), ...counts];
}

type Props = {readonly lists: Lists; readonly view: ListsView; readonly rect: Rect};

export const ComputersPane = memo(({lists, view, rect}: Props) => {
	const parts = useApp();
	const cannotRead = useStore(parts.stores.connection, isBlocked);
	const isAwaited = useStore(parts.stores.connection, () => awaitsComputer(parts));
	const position = positionOf(lists, view.cursor);
	const isFocused = view.focus === 'lists' && view.cursor?.section === 'computers';
	const count = lists.computers.length;
	const all = count + (view.filter === '' ? 0 : lists.hidden.computers);
	const counted = shownCount(count, all);
	const title = span(safe`Computers`, isFocused ? 'heading' : 'strong');
	return (
		<ListPane
			rect={rect}
			title={filteredTitle(title, view.filter, counted, rect.width)}
			right={all > 0 ? [[span(counted, 'dim')]] : []}
			isFocused={isFocused}
			items={lists.computers}
			cursor={position?.section === 'computers' ? position.index : -1}
			cursorId={position?.section === 'computers' ? lists.computers[position.index]?.id : undefined}
			onPick={(item, isDouble) => pickRow(parts, lists, 'computers', {item, isDouble})}
			renderItem={(item, width, now) => [computerRow(item, progressOf(parts, item, now), width)]}
			changesAt={(item, now) => (hasRunningStep(item) ? secondAfter(now) : undefined)}
			empty={emptyComputers(view, parts, {cannotRead, isAwaited, width: rect.width - 3})}
		/>
	);
});

function emptyComputers(
	view: ListsView,
	parts: AppParts,
	{
		cannotRead,
		isAwaited,
		width,
	}: {
		readonly cannotRead: boolean;
		readonly isAwaited: boolean;
		readonly width: number;
	},
): Line[] {
	const {keys, profile} = parts;
	const {settingUp, noneKnown} = strings.computers;
	if (view.needsOnly) return [[span(safe`No computer needs you.`, 'dim')]];
	if (view.filter !== '') return [[span(safe`No matches.`, 'dim')]];
	if (!profile.isConnected) return [[span(safe`No service is set up.`, 'dim')]];
	if (cannotRead) return [[span(noneKnown, 'dim')]];
	if (isAwaited) return [[span(settingUp, 'dim')]];
	if (profile.host === undefined)
		return [[span(safe`No computers yet.`, 'dim')], keyed`${keys.label('new-computer')} creates one.`];
	return [
		...wrapText(noneAdded(parts), width).map((row): Line => [span(row, 'dim')]),
		keyed`${keys.label('new-computer')} creates one, ${keys.label('add')} adds one by id.`,
	];
}

/** Why there is no computer of a hosted service, which can't list those that known sessions run on. */
export function noneAdded({stores}: AppParts): Safe {
	const sessions = [...stores.fleet.getState().sessions.values()];
	const ids = new Set(sessions.flatMap(({computerId, session}) => computerId ?? session?.computerId ?? []));
	const [id] = ids;
	if (id === undefined) return safe`None created or added here yet.`;
	const others = ids.size === 1 ? safe`` : safe` and ${ids.size - 1} more`;
	return safe`Not added yet, but sessions run there: ${cleanLine(id)}${others}.`;
}
