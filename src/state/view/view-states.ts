import type {Subject} from '../../domain/sessions/attention.ts';
import type {TableOrder} from '../rows/table-rows.ts';

export type ViewInfo = {
	readonly name: string;
	readonly key: string;
	readonly title: string;
	/** The command that prints what it shows. */
	readonly command: string;
	/** More words that the palette finds it by. */
	readonly findBy?: string;
	/** What its rows are, if keys act on them. */
	readonly rows?: Subject['kind'];
};

/** All views, in key order. */
export const views = [
	{name: 'work', key: '1', title: 'Work', command: 'status'},
	{name: 'sessions', key: '2', title: 'Sessions', command: 'sessions list', rows: 'session'},
	{name: 'computers', key: '3', title: 'Computers', command: 'computers list', rows: 'computer'},
	{name: 'usage', key: '4', title: 'Usage', command: 'usage tokens', findBy: 'credits cost'},
	{name: 'readiness', key: '5', title: 'Readiness', command: 'readiness', findBy: 'repositories'},
	{name: 'controls', key: '6', title: 'Controls', command: 'controls', findBy: 'settings history'},
	{name: 'users', key: '7', title: 'Users', command: 'users', findBy: 'people members'},
	{
		name: 'events',
		key: '8',
		title: 'Events and diagnostics',
		command: 'events',
		findBy: 'hook log disk storage',
	},
] as const satisfies readonly ViewInfo[];

export type ViewName = (typeof views)[number]['name'];

export function viewInfo(name: ViewName): ViewInfo {
	return views.find(view => view.name === name) ?? views[0];
}

/** The tables whose columns can be hidden. */
export const tableNames = ['sessions', 'computers', 'people', 'users', 'readiness'] as const;
export type TableName = (typeof tableNames)[number];

export type ComputersViewState = TableOrder & {
	/** The pane with the focus; if only one fits, the visible one. */
	readonly pane: 'table' | 'detail';
};

export const firstComputersState: ComputersViewState = {
	order: 'state',
	isReversed: false,
	pane: 'table',
};

export type SessionsViewState = TableOrder & {
	/** Ids of the marked sessions, which the next action is for, whether the filter shows them or not. */
	readonly marked: ReadonlySet<string>;
	/** The message being written, while its composer is open. */
	readonly writing?: {
		/** The id of its composer and stored draft. */
		readonly composerId: string;
		/** Ids of the sessions it goes to: at least one. */
		readonly recipients: readonly string[];
		/** Ids of marked sessions that can't take a message. */
		readonly leftOut: readonly string[];
	};
	/** Outbox ids of the messages sent from here whose delivery is shown, by session id. */
	readonly deliveries: ReadonlyMap<string, string>;
};

export const firstSessionsState: SessionsViewState = {
	order: 'state',
	isReversed: false,
	marked: new Set(),
	deliveries: new Map(),
};

/** The side panes of the hook event log: the event at the cursor, and diagnostics of the hook delivery path. */
export type EventsSide = 'event' | 'diagnostics';

export type EventsViewState = {
	readonly pane: 'log' | EventsSide;
	/** Number of the entry at the cursor; if absent, always the newest. */
	readonly cursor?: number;
	/** Only show events of this session. */
	readonly sessionId?: string;
	/** The side pane shown if only one fits. */
	readonly side: EventsSide;
	/** First visible row of each side pane. */
	readonly tops: Readonly<Record<EventsSide, number>>;
};

export const firstEventsState: EventsViewState = {
	pane: 'log',
	side: 'event',
	tops: {event: 0, diagnostics: 0},
};

/** An anchored row of the stream: `line` rows into the entry `id`. */
export type Anchor = {readonly id: string; readonly line: number};

/**
 * Scroll state of a stream. When following, the newest row stays in view. Otherwise the top row of the window
 * stays put as messages arrive; `lastSeen` is the newest entry at the time the reader scrolled away, used to
 * count new ones.
 */
export type ScrollState =
	| {readonly isFollowing: true; readonly selected?: string}
	| {
			readonly isFollowing: false;
			readonly top: Anchor;
			readonly selected: string;
			readonly lastSeen: string;
			/** Where the reader was before a search went here; absent once they have scrolled on. */
			readonly beforeFind?: ScrollState;
	  };

export const following: ScrollState = {isFollowing: true};

/** The next value of a list (`by` -1: the previous one), wrapping around. */
export function nextOf<Value>(values: readonly Value[], value: Value, by: 1 | -1 = 1): Value {
	return values[(values.indexOf(value) + by + values.length) % values.length] ?? value;
}
