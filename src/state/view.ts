import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Completion} from './completion.ts';
import {type ComputersReading, firstComputersReading} from './computers-reading.ts';
import type {Cursor} from './cursor.ts';
import type {Dialog} from './dialogs.ts';
import {type EventsReading, firstEventsReading} from './events-reading.ts';
import type {Find, Mark} from './find.ts';
import {firstReading, type OrganizationReading} from './organization-reading.ts';
import type {Reading} from './reading.ts';
import type {SessionSort} from './session-sort.ts';
import type {ViewName} from './views.ts';

/** Which part of the screen has the keys. */
export type Focus = 'lists' | 'main' | 'composer';

/** What the main area shows. */
export type Shown = {readonly kind: 'session' | 'computer'; readonly id: string};

const maxRecent = 20;

/** Everything of the screen that is the user's doing and no data. */
export type View = {
	readonly page: ViewName;
	readonly focus: Focus;
	readonly cursor?: Cursor;
	readonly shown?: Shown;
	/** The last session that was open: shown again when the cursor leaves the computers. */
	readonly lastSession?: string;
	/** Sessions side by side in the main area, left to right: two to four, or none. */
	readonly split: readonly string[];
	/** The session that is written to while another one may be shown. */
	readonly replyTo?: string;
	readonly filter: string;
	readonly isFiltering: boolean;
	/** Which of the ways to go on with the filter is marked. */
	readonly filterChoice: number;
	readonly sort: SessionSort;
	readonly needsOnly: boolean;
	/** Are archived sessions, and those of this machine that have ended, in the lists? */
	readonly showsArchived: boolean;
	readonly dialogs: readonly Dialog[];
	/** Shares of the columns that the left side of a view has, where the user chose it. */
	readonly shares: Readonly<Partial<Record<ViewName, number>>>;
	/** The same of the rows that the panes at the top have, where a view stands one over the other. */
	readonly heights: Readonly<Partial<Record<ViewName, number>>>;
	/** Ids of what was chosen from the palette, the newest first. */
	readonly recent: readonly string[];
	/** How each stream is read, by session id; absent: followed. */
	readonly readings: ReadonlyMap<string, Reading>;
	/** Ids of entries whose folded parts are shown. */
	readonly expanded: ReadonlySet<string>;
	/** What could stand in the place of the word that is typed in the composer. */
	readonly completion?: Completion;
	/** Are messages shown that are not meant to be seen (`isUserVisible`)? */
	readonly showsHidden: boolean;
	readonly find?: Find;
	readonly mark?: Mark;
	/** First visible row of the computer's detail. */
	readonly detailTop: number;
	readonly computers: ComputersReading;
	readonly events: EventsReading;
	readonly organization: OrganizationReading;
};
export type ViewStore = StoreApi<View>;

export function createViewStore(start: Partial<View> = {}): ViewStore {
	return createStore<View>(() => ({
		page: 'work',
		focus: 'lists',
		filter: '',
		isFiltering: false,
		filterChoice: 0,
		sort: 'attention',
		split: [],
		needsOnly: false,
		showsArchived: false,
		dialogs: [],
		recent: [],
		shares: {},
		heights: {},
		readings: new Map(),
		expanded: new Set(),
		showsHidden: false,
		detailTop: 0,
		computers: firstComputersReading,
		events: firstEventsReading,
		organization: firstReading,
		...start,
	}));
}

/** The session that is written to from the lists, whatever is shown. */
export function replyingTo({focus, replyTo}: Pick<View, 'focus' | 'replyTo'>): string | undefined {
	return focus === 'composer' ? replyTo : undefined;
}

/** The divider of a view, where the user dragged it. */
export function withShare(view: View, name: ViewName, share: number): View {
	return {...view, shares: {...view.shares, [name]: share}};
}

/** The divider between above and below, where the user dragged it. */
export function withHeight(view: View, name: ViewName, share: number): View {
	return {...view, heights: {...view.heights, [name]: share}};
}

/** What the palette offers first: the last choices. */
export function withRecent(view: View, id: string): View {
	return {...view, recent: [id, ...view.recent.filter(one => one !== id)].slice(0, maxRecent)};
}

export function withReading(view: View, sessionId: string, reading: Reading): View {
	return {...view, readings: new Map(view.readings).set(sessionId, reading)};
}

export function withExpanded(view: View, id: string): View {
	const expanded = new Set(view.expanded);
	if (!expanded.delete(id)) expanded.add(id);
	return {...view, expanded};
}

export function withEvents(view: View, change: Partial<EventsReading>): View {
	return {...view, events: {...view.events, ...change}};
}

/** Left out, a field stays as it is; a cursor of `undefined` is none. */
export function withComputers(
	view: View,
	change: Partial<Omit<ComputersReading, 'cursor'>> & {cursor?: string | undefined},
): View {
	const {cursor, ...reading} = {...view.computers, ...change};
	return {...view, computers: {...reading, ...(cursor !== undefined && {cursor})}};
}

export function withOrganization(view: View, change: Partial<OrganizationReading>): View {
	return {...view, organization: {...view.organization, ...change}};
}
