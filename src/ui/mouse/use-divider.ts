import {useEffect, useRef} from 'react';
import {tell} from '../../actions/tell.ts';
import {withShare} from '../../state/view.ts';
import type {ViewName} from '../../state/views.ts';
import {type Layout, leftWidth, type Rect} from '../layout.ts';
import {setView} from '../set-view.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {useZone} from './use-zone.ts';
import {zoneOrder} from './zones.ts';

/** The columns where the panes of the left meet those of the right can be dragged. `left`: a pane of the left. */
export function useDivider(
	name: ViewName,
	{columns, rows}: Pick<Layout, 'columns' | 'rows'>,
	left: Rect | undefined,
): void {
	const {view, sizes} = useApp();
	sizes.divider = left && {name, left: left.x + left.width, columns};
	useEffect(
		() => () => {
			if (sizes.divider?.name === name) sizes.divider = undefined;
		},
		[sizes, name],
	);
	/** Which of the two border columns is held. */
	const held = useRef(0);
	useZone(
		left && {
			rect: {x: left.x + left.width - 1, y: 1, width: 2, height: rows - 2},
			order: zoneOrder.divider,
			press({x}) {
				held.current = x;
			},
			drag({x}) {
				const width = leftWidth(columns, (x + 1 - held.current) / columns);
				if (width !== undefined) setView(view, now => withShare(now, name, width / columns));
			},
		},
	);
}

/** Columns that a key moves the divider by. */
const keyStep = 2;

/** Moves the divider of the view by a key: what the pointer does must not need one. */
export function moveDivider({view, sizes, actions}: AppParts, by: 1 | -1): void {
	const {divider} = sizes;
	if (!divider) {
		tell(actions, 'info', 'Nothing stands side by side here');
		return;
	}
	const {name, left, columns} = divider;
	const width = leftWidth(columns, (left + by * keyStep) / columns) ?? left;
	setView(view, now => withShare(now, name, width / columns));
}
