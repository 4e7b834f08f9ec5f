import {useStore} from 'zustand';
import type {Lists} from '../../state/lists/lists.ts';
import type {View} from '../../state/view/view.ts';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {connectionChangesAt} from '../panes/header-line.ts';
import {useApp} from '../use-app.ts';
import {EventsSidePane} from './events-side-pane.tsx';
import {currentDiagnostics} from './scroll-events.ts';
import {strings} from './strings.ts';

type Props = {readonly rect: Rect; readonly lists: Lists; readonly view: View};

/** The diagnostics: the state of the service, the hooks and the disk. */
export function DiagnosticsPane({rect, lists, view}: Props) {
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
			title={strings.diagnostics.title}
			lines={currentDiagnostics(parts, lists, rect, now)}
		/>
	);
}
