import type {ScreenPage} from '../screen-page.ts';
import {leaveEvents} from './event-bindings.ts';
import {beforeEventsDivider, eventsNow} from './events-layout.ts';
import {EventsView} from './events-view.tsx';
import {nextEventsPane, scrollEvents} from './scroll-events.ts';

export const eventsPage: ScreenPage = {
	Component: EventsView,
	contexts: () => ['events'],
	scroll: scrollEvents,
	back: ({view}) => leaveEvents(view),
	nextPane: (parts, _, by) => nextEventsPane(parts, by),
	beforeDivider: (parts, view, _, layout) => beforeEventsDivider(eventsNow(parts, view, layout)),
};
