import {useStore} from 'zustand';
import type {Lists} from '../../state/lists/lists.ts';
import type {View} from '../../state/view/view.ts';
import type {EventsSide} from '../../state/view/view-states.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {Pane} from '../kit/pane.tsx';
import {moreBelow} from '../kit/strings.ts';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {connectionChangesAt} from '../panes/header-line.ts';
import {useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {diagnosticsLines} from './diagnostics-lines.ts';
import {focusEvents, scrollSide} from './scroll-events.ts';

type Props = {
	readonly side: EventsSide;
	readonly rect: Rect;
	readonly view: View;
	readonly title: Safe;
	readonly lines: readonly Line[];
};

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

/** The diagnostics: the state of the service, the hooks and the disk. */
export function DiagnosticsPane({
	rect,
	lists,
	view,
}: {
	readonly rect: Rect;
	readonly lists: Lists;
	readonly view: View;
}) {
	const parts = useApp();
	const {stores} = parts;
	const connection = useStore(stores.connection);
	useStore(stores.fleet, fleet => fleet.problems);
	useStore(stores.outbox, ({bySession}) => bySession);
	useStore(stores.notices);
	useStore(stores.events, log => log.entries);
	useStore(parts.hooks.hint);
	const never = Number.POSITIVE_INFINITY;
	const {okAt = never} = connection;
	const now = useNow(at => Math.min(connectionChangesAt(connection, at) ?? never, ageChangesAt(okAt, at)));
	return (
		<EventsSidePane
			side="diagnostics"
			rect={rect}
			view={view}
			title={safe`Diagnostics`}
			lines={diagnosticsLines(parts, lists, rect, now)}
		/>
	);
}
