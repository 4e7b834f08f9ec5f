import type {View} from '../../state/view/view.ts';
import type {EventsSide} from '../../state/view/view-states.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {Pane} from '../kit/pane.tsx';
import {moreBelow} from '../kit/strings.ts';
import type {Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {focusEvents, scrollSide} from './scroll-events.ts';

type Props = {
	readonly side: EventsSide;
	readonly rect: Rect;
	readonly view: View;
	readonly title: Safe;
	readonly lines: readonly Line[];
};

/** A side pane of the Events view, whose lines scroll. */
export function EventsSidePane({side, rect, view, title, lines}: Props) {
	const parts = useApp();
	const height = rect.height - 2;
	useZone({
		rect,
		order: zoneOrder.pane,
		press: () => focusEvents(parts, side),
		wheel: rows => scrollSide(parts, listsNow(parts), side, top => top + rows),
	});
	const isFocused = view.events.pane === side;
	const first = Math.max(0, Math.min(view.events.tops[side], lines.length - height));
	const below = lines.length - first - height;
	return (
		<Pane
			rect={rect}
			title={[span(title, isFocused ? 'heading' : 'strong')]}
			bottom={moreBelow(below)}
			isFocused={isFocused}
			body={lines.slice(first, first + height).map(line => ({line: [span(safe`  `), ...line]}))}
		/>
	);
}
