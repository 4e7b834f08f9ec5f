import {setView, type ViewStore, withShare} from '../../state/view/view.ts';
import type {ViewName} from '../../state/view/view-states.ts';
import {bodyOf, type Layout, leftWidth, type Rect, topHeight} from '../layout.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {useZone, zoneAt, zoneOrder} from './zones.ts';

/** The divider's position: the end of the left panes, or of the top ones when they are as wide as the screen. */
type Divider = {
	readonly name: ViewName;
	readonly isAcross: boolean;
	readonly size: number;
	readonly of: number;
};

type Screen = Pick<Layout, 'columns' | 'rows' | 'banner'>;

/**
 * Lets the user drag the border between panes: left and right, or top and bottom when `first` is as wide as the
 * screen. `first`: the rectangle of the left or top part; without it there is no divider.
 */
export function useDivider(name: ViewName, layout: Screen, first: Rect | undefined): void {
	const parts = useApp();
	const divider = first && dividerOf(name, layout, first);
	const body = bodyOf(layout);
	useZone(
		first &&
			divider && {
				rect: divider.isAcross
					? {x: 0, y: first.y + first.height - 1, width: layout.columns, height: 1}
					: {...body, x: first.x + first.width - 1, width: 1},
				order: zoneOrder.divider,
				press: ({x, y}) => pressUnder(parts, first, {x, y: divider.isAcross ? y : y + body.y}, divider),
				drag: ({x, y}) => moveTo(parts.view, divider, (divider.isAcross ? y - first.y : x - first.x) + 1),
			},
	);
}

function dividerOf(name: ViewName, layout: Screen, first: Rect): Divider {
	return first.width === layout.columns
		? {name, isAcross: true, size: first.height, of: bodyOf(layout).height}
		: {name, isAcross: false, size: first.width, of: layout.columns};
}

/** A border is also part of its pane, so a press there selects the pane. `x` and, if across, `y` are in the divider. */
function pressUnder({zones}: AppParts, first: Rect, {x, y}: {x: number; y: number}, divider: Divider): void {
	const at = divider.isAcross
		? {x, y: first.y + first.height - 1 + y}
		: {x: first.x + first.width - 1 + x, y};
	const panes = [...zones.values()].filter(({order}) => order < zoneOrder.divider);
	const zone = zoneAt(panes, at, false);
	zone?.press?.({x: at.x - zone.rect.x, y: at.y - zone.rect.y}, false);
}

function moveTo(view: ViewStore, {name, isAcross, of}: Divider, wantedSize: number): void {
	const size = isAcross ? topHeight(of, wantedSize / of) : leftWidth(of, wantedSize / of);
	if (size === undefined) return;
	setView(view, now => withShare(now, isAcross ? 'heights' : 'shares', name, size / of));
}

/** Columns and rows that a key moves the divider by. */
const keyStep = {columns: 2, rows: 1} as const;

/** Moves a view's divider by a key, so that no pointer is needed. `first` is as in `useDivider`. */
export function moveDivider(view: ViewStore, name: ViewName, layout: Screen, first: Rect, by: 1 | -1): void {
	const divider = dividerOf(name, layout, first);
	moveTo(view, divider, divider.size + by * (divider.isAcross ? keyStep.rows : keyStep.columns));
}
