import {type View, withComputers, withEvents, withOrganization, withSessions} from './view.ts';

/** The filter of the current view. */
export function filterOf({page, filter, sessions, computers, events, organization}: View): string {
	if (page === 'work') return filter;
	if (page === 'sessions') return sessions.words;
	if (page === 'computers') return computers.words;
	return page === 'events' ? events.words : (organization.words[page] ?? '');
}

export function withFilter(view: View, words: string): View {
	if (view.page === 'work') return {...view, filter: words};
	if (view.page === 'sessions') return withSessions(view, {words});
	if (view.page === 'computers') return withComputers(view, {words});
	if (view.page === 'events') return withEvents(view, {words});
	return withOrganization(view, {words: {...view.organization.words, [view.page]: words}});
}
