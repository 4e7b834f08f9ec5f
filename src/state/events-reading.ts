/**
 * The side panes of the hook event log: the event at the cursor, and diagnostics of the hook delivery path.
 */
export type EventsSide = 'event' | 'diagnostics';

/** User-controlled state of the hook event log. */
export type EventsReading = {
	/** The pane with the focus. */
	readonly pane: 'log' | EventsSide;
	/** Number of the entry at the cursor; if absent, always the newest. */
	readonly cursor?: number;
	readonly words: string;
	/** Only show events of this session. */
	readonly sessionId?: string;
	/** The side pane shown if only one fits. */
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
