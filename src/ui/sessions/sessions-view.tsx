import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import {completeFilter} from '../../domain/list-filter/complete-filter.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {fieldsOf} from '../../state/rows/column.ts';
import {sessionColumns} from '../../state/sessions/session-columns.ts';
import {sessionsFilter} from '../../state/sessions/session-table.ts';
import {
	filterOf,
	isWriting,
	setView,
	type View,
	withoutFilter,
	withSessions,
	withTableCursor,
} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {joinSafe, type Safe, safe} from '../../text/cells/safe.ts';
import {writingContexts} from '../composer/composer-bindings.ts';
import {ComposerPane} from '../composer/composer-pane.tsx';
import {Tiling} from '../kit/tiling.ts';
import type {PageProps, ScreenPage} from '../screen-page.ts';
import {useApp} from '../use-app.ts';
import {SessionTablePane} from './session-table-pane.tsx';
import {scrollSessions, sessionsNow} from './sessions-now.ts';

/** The Sessions view: a table of all sessions, and the composer of a message to several below it. */
function SessionsView({layout, lists, view}: PageProps) {
	const parts = useApp();
	// The composer takes as many rows as its text needs.
	useStore(parts.composers);
	const lastCursor = useRef(0);
	const {rows, cursor, table, composer} = sessionsNow(parts, view, lists, layout, lastCursor.current);
	const {writing} = view.sessions;
	const {sessions: id} = view.tableCursors;
	const current = rows[cursor]?.item.id;
	useEffect(() => {
		const {sessions} = parts.stores.fleet.getState();
		// A session created or restored a moment ago appears in a later frame.
		if (id !== undefined && sessions.has(id) && !lists.all.sessionsById.has(id)) return;
		lastCursor.current = cursor;
		if (current !== id) setView(parts.view, now => withTableCursor(now, 'sessions', current));
	}, [parts, lists, cursor, current, id]);
	const hasDialog = view.dialogs.length > 0;
	return (
		<Tiling
			value={[
				{rect: table, isFocused: writing === undefined},
				...(composer ? [{rect: composer, isFocused: !hasDialog, isTitleBelow: true}] : []),
			]}
		>
			<SessionTablePane
				rect={table}
				rows={rows}
				cursor={cursor}
				view={view}
				lists={lists}
				isFocused={writing === undefined}
			/>
			{writing && composer && (
				<ComposerPane
					key={writing.composerId}
					sessionId={writing.composerId}
					recipients={writing.recipients}
					rect={composer}
					isFocused={!hasDialog}
					title={composerTitle(writing, lists, new Set(rows.map(({item}) => item.id)))}
				/>
			)}
		</Tiling>
	);
}

/** `Message to 5 sessions, 2 hidden, not to claude shop (outside the service)` */
function composerTitle(
	{recipients, leftOut}: NonNullable<View['sessions']['writing']>,
	{all}: Lists,
	shown: ReadonlySet<string>,
): Safe {
	const nameOf = (id: string) => cleanLine(all.sessionsById.get(id)?.name ?? id, 40);
	const [first = ''] = recipients;
	const hidden = recipients.filter(id => !shown.has(id)).length;
	const title =
		recipients.length === 1
			? safe`Message to ${nameOf(first)}`
			: safe`Message to ${recipients.length} sessions${hidden === 0 ? safe`` : safe`, ${hidden} hidden`}`;
	return leftOut.length === 0
		? title
		: safe`${title}, not to ${namesOf(leftOut.map(nameOf))} (in another terminal)`;
}

const maxNames = 3;

function namesOf(names: readonly Safe[]): Safe {
	const listed = joinSafe(names.slice(0, maxNames), safe`, `);
	return names.length > maxNames ? safe`${listed} and ${names.length - maxNames} more` : listed;
}

export const sessionsPage: ScreenPage = {
	Component: SessionsView,
	contexts: view => (isWriting(view) ? writingContexts(view) : ['session-table']),
	scroll: scrollSessions,
	back: ({view}) => setView(view, withoutLast),
	nextPane: ({view}) => setView(view, now => withSessions(now, {writing: undefined})),
	filter: {
		choices({listBuilder: {filterables}}, view, {all}) {
			const rows = all.sessions.map(item => ({row: filterables.session(item), isPast: item.isPast}));
			return completeFilter(filterOf(view), rows, view.showsArchived, fieldsOf(sessionColumns));
		},
		problems: (view, {all}) => (view.isFiltering ? sessionsFilter(all, filterOf(view)).problems : []),
	},
};

/** Goes back one step: takes the marks off, dismisses the deliveries, clears the filter, returns to Work. */
function withoutLast(view: View): View {
	const {marked, deliveries} = view.sessions;
	if (marked.size > 0) return withSessions(view, {marked: new Set()});
	return deliveries.size > 0 ? withSessions(view, {deliveries: new Map()}) : withoutFilter(view);
}
