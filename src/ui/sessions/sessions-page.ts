import {completeFilter} from '../../domain/list-filter/complete-filter.ts';
import {fieldsOf} from '../../state/rows/column.ts';
import {sessionColumns} from '../../state/sessions/session-columns.ts';
import {sessionsFilter} from '../../state/sessions/session-table.ts';
import {filterOf, isWriting} from '../../state/view/view.ts';
import {writingContexts} from '../composer/composer-bindings.ts';
import {stopWriting} from '../composer/send-composer.ts';
import type {ScreenPage} from '../screen-page.ts';
import {leaveSessions} from './session-table-bindings.ts';
import {scrollSessions} from './sessions-now.ts';
import {SessionsView} from './sessions-view.tsx';

export const sessionsPage: ScreenPage = {
	Component: SessionsView,
	contexts: view => (isWriting(view) ? writingContexts(view) : ['session-table']),
	scroll: scrollSessions,
	back: ({view}) => leaveSessions(view),
	nextPane: ({view}) => stopWriting(view),
	filter: {
		choices({listBuilder: {filterables}}, view, {all}) {
			const rows = all.sessions.map(item => ({row: filterables.session(item), isPast: item.isPast}));
			return completeFilter(filterOf(view), rows, view.showsArchived, fieldsOf(sessionColumns));
		},
		problems: (view, {all}) => (view.isFiltering ? sessionsFilter(all, filterOf(view)).problems : []),
	},
};
