import {useStore} from 'zustand';
import type {Dialog} from '../../state/dialogs.ts';
import type {Lists} from '../../state/lists.ts';
import type {SessionItem} from '../../state/session-items.ts';
import {cleanLine} from '../../text/clean.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Layout} from '../layout.ts';
import {useZone} from '../mouse/use-zone.ts';
import {zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';
import {changeDialog} from './change-dialog.ts';
import {sessionDetailLines} from './session-details.ts';

type Props = {
	readonly dialog: Dialog & {kind: 'details'};
	readonly layout: Layout;
	readonly lists: Lists;
};

/** Everything known about one session. */
export function DetailsDialog({dialog, layout, lists}: Props) {
	const item = lists.all.sessionsById.get(dialog.sessionId);
	return item && <Details dialog={dialog} layout={layout} item={item} />;
}

function Details({dialog, layout, item}: Omit<Props, 'lists'> & {readonly item: SessionItem}) {
	const parts = useApp();
	const {stores, sizes, keys} = parts;
	const computer = useStore(stores.fleet, ({computers}) => computers.get(item.computerId ?? ''));
	const stream = useStore(stores.streams, ({open}) => open.get(item.id));
	const connection = useStore(stores.connection);
	const times = [item.since, item.known?.fetchedAt, computer?.fetchedAt, stream?.readAt, connection.okAt];
	const now = useNow(at => {
		const next = times.flatMap(since => (since === undefined ? [] : [ageChangesAt(since, at)]));
		return next.length === 0 ? undefined : Math.min(...next);
	});
	const width = Math.min(84, layout.columns - 4);
	const lines = sessionDetailLines(item, {computer, stream, connection, keys}, now, width - 4);
	const rect = dialogRect(layout, width, lines.length + 2);
	const height = rect.height - 4;
	const top = Math.max(0, Math.min(dialog.top, lines.length - height));
	sizes.dialog = {rows: lines.length, height};
	useZone({
		rect,
		order: zoneOrder.dialog,
		wheel(rows) {
			const maxTop = Math.max(0, lines.length - height);
			changeDialog(parts, 'details', now => ({...now, top: Math.max(0, Math.min(maxTop, now.top + rows))}));
		},
	});
	const below = lines.length - top - height;
	return (
		<Pane
			rect={rect}
			title={[span(cleanLine(item.name, 60), 'heading')]}
			right={[span(safe`${keys.label('cancel')} closes`, 'dim')]}
			{...(below > 0 && {bottom: [span(safe`${below} more ↓`, 'dim')]})}
			isFocused
			body={[{line: []}, ...lines.slice(top, top + height).map(line => ({line: [span(safe`  `), ...line]}))]}
		/>
	);
}
