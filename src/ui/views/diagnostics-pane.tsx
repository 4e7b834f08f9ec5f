import {useStore} from 'zustand';
import type {Lists} from '../../state/lists.ts';
import {shortId} from '../../state/session-items.ts';
import type {View} from '../../state/view.ts';
import {safe} from '../../text/cells/safe.ts';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {headerChangesAt} from '../panes/header-line.ts';
import {useApp} from '../use-app.ts';
import {diagnosticsLines} from './diagnostics-lines.ts';
import {EventsSidePane} from './events-side-pane.tsx';

type Props = {readonly rect: Rect; readonly lists: Lists; readonly view: View};

/** The diagnostics: the state of the service, the hooks and the disk. */
export function DiagnosticsPane({rect, lists, view}: Props) {
	const {stores, keys} = useApp();
	const connection = useStore(stores.connection);
	const found = useStore(stores.fleet, fleet => fleet.problems);
	const outbox = useStore(stores.outbox, ({bySession}) => bySession);
	const events = useStore(stores.events, log => log.entries);
	const now = useNow(
		at =>
			headerChangesAt(connection, at) ??
			(connection.okAt === undefined ? undefined : ageChangesAt(connection.okAt, at)),
	);
	const problems = [...found].map(([id, problem]) => [nameOf(lists, id), problem] as const);
	const data = {
		connection,
		problems,
		outbox: [...outbox.values()].flat(),
		events,
		acknowledge: keys.label('acknowledge-incidents'),
		now,
	};
	return (
		<EventsSidePane
			side="diagnostics"
			rect={rect}
			view={view}
			title={safe`Diagnostics`}
			lines={diagnosticsLines(data, rect.width - 5)}
		/>
	);
}

function nameOf({all}: Lists, id: string): string {
	const items: readonly {readonly id: string; readonly name: string}[] = [...all.sessions, ...all.computers];
	return items.find(item => item.id === id)?.name ?? shortId(id);
}
