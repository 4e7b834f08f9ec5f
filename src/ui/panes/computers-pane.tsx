import {placeOf} from '../../state/cursor.ts';
import type {ComputerItem, Lists} from '../../state/lists.ts';
import type {View} from '../../state/view.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {ListPane} from '../kit/list-pane.tsx';
import {progressOf} from '../kit/progress-of.ts';
import {secondAfter} from '../kit/ticker.ts';
import type {Rect} from '../layout.ts';
import {pickRow} from '../mouse/pick-row.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {computerRow} from './computer-row.ts';

/** The list of computers, with their provisioning progress. */
export function ComputersPane({
	lists,
	view,
	rect,
}: {
	readonly lists: Lists;
	readonly view: View;
	readonly rect: Rect;
}) {
	const parts = useApp();
	const place = placeOf(lists, view.cursor);
	const isFocused = view.focus === 'lists' && view.cursor?.section === 'computers';
	return (
		<ListPane
			rect={rect}
			title={[span(safe`Computers`, isFocused ? 'heading' : 'strong')]}
			{...(lists.computers.length > 0 && {right: [span(safe`${lists.computers.length}`, 'dim')]})}
			isFocused={isFocused}
			items={lists.computers}
			cursor={place?.section === 'computers' ? place.index : -1}
			cursorId={place?.section === 'computers' ? lists.computers[place.index]?.id : undefined}
			onPick={(item, isDouble) => pickRow(parts, lists, 'computers', {id: item?.id, isDouble})}
			renderItem={(item, width, now) => computerRow(item, progressOf(parts, item, now), width)}
			changesAt={(item, now) => (isMoving(item) ? secondAfter(now) : undefined)}
			empty={emptyComputers(view, parts)}
		/>
	);
}

/** Whether a step is running, so its duration grows. */
export function isMoving({known}: ComputerItem): boolean {
	return (known.computer?.provisioningSteps ?? []).some(
		step => step.startedAt !== undefined && step.completedAt === undefined && !step.error,
	);
}

function emptyComputers(view: View, {isConnected, keys}: Pick<AppParts, 'isConnected' | 'keys'>): Line[] {
	if (view.needsOnly) return [[span(safe`No failures.`, 'dim')]];
	if (view.filter !== '') return [[span(safe`No computer matches.`, 'dim')]];
	if (!isConnected) return [[span(safe`No service is set up.`, 'dim')]];
	return [
		[span(safe`No computers yet.`, 'dim')],
		[
			span(keys.label('new-computer'), 'strong'),
			span(safe` creates, `, 'dim'),
			span(keys.label('add'), 'strong'),
			span(safe` adds by id`, 'dim'),
		],
	];
}
