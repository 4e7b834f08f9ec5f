/** What stands beside the log of hook events: the one the cursor is on, and what is to be known of the way to it. */
export type EventsSide = 'event' | 'diagnostics';

/** How the log of hook events is read. */
export type EventsReading = {
	/** Which pane has the focus. */
	readonly pane: 'log' | EventsSide;
	/** Number of the entry the cursor is on; absent: the newest, whatever comes. */
	readonly cursor?: number;
	readonly words: string;
	/** Events of this session alone. */
	readonly sessionId?: string;
	/** Which of the two side panes is seen where there is room for one. */
	readonly side: EventsSide;
	/** First visible row of each side pane. */
	readonly tops: Readonly<Record<EventsSide, number>>;
};

export const firstEventsReading: EventsReading = {
	pane: 'log',
	words: '',
	side: 'event',
	tops: {event: 0, diagnostics: 0},
};
