import {createStore, type StoreApi} from 'zustand/vanilla';
import type {ThemeName} from '../domain/display.ts';
import type {ProfileEntry} from '../domain/profile.ts';
import type {PageData} from '../domain/sheets/sheet.ts';
import type {DayRange} from '../domain/usage/range.ts';
import type {Completion} from './completion.ts';
import {type ComputersReading, firstComputersReading} from './computers-reading.ts';
import type {Cursor} from './cursor.ts';
import type {Find, Mark, SearchHit} from './find.ts';
import {firstReading, type OrganizationReading} from './organization-reading.ts';
import type {Reading} from './reading.ts';
import type {SessionSort} from './session-sort.ts';
import {besideOf, splitAfterOpening, splitWithout} from './split.ts';
import type {ViewName} from './views.ts';

/** Which part of the screen has the keys. */
export type Focus = 'lists' | 'main' | 'composer';

/** What the main area shows. */
export type Shown = {readonly kind: 'session' | 'computer'; readonly id: string};

/** Form of one intent, and what it starts with. */
export type FormRequest =
	/** `isForSession`: a session is to be opened on it then. */
	| {readonly name: 'new-computer'; readonly isForSession?: true}
	| {readonly name: 'edit-computer'; readonly computerId: string}
	| {readonly name: 'new-session'; readonly computerId?: string}
	| {readonly name: 'edit-session' | 'rename-session'; readonly sessionId: string}
	| {readonly name: 'add'; readonly what: 'computer' | 'session'}
	/** Something of the organization as a file: what a page shows. `folder` is where names start from. */
	| {readonly name: 'export'; readonly data: PageData; readonly folder: string}
	/** Two days of usage; `lastDay` is the last there is. */
	| {readonly name: 'days'; readonly range: DayRange; readonly lastDay: string}
	/** To another service, as a profile. */
	| {readonly name: 'connect'};

/** A form for the service that is open. */
export type ServiceRequest = Exclude<FormRequest, {readonly name: 'connect'}>;

/** What lies over the panes; the last one has the keys. */
export type Dialog =
	| {readonly kind: 'form'; readonly form: FormRequest}
	| {
			/** What was sent before, searched; `texts` newest first. */
			readonly kind: 'history';
			readonly sessionId: string;
			readonly texts: readonly SentText[];
			readonly query: string;
			readonly selected: number;
	  }
	| {readonly kind: 'attachments'; readonly sessionId: string; readonly selected: number}
	| {readonly kind: 'help'; readonly query: string; readonly top: number}
	| {
			/** All sessions, searched; `hits` newest first, as far as they were read: those of the words before, until there are others. */
			readonly kind: 'search';
			readonly query: string;
			readonly hits: readonly SearchHit[];
			/** How many messages hold the words, and how many of the newest can be listed. */
			readonly count: number;
			readonly listed: number;
			readonly isLooking: boolean;
			/** How many were counted, while that takes its time. */
			readonly soFar?: number;
			/** What is kept could not be read to its end. */
			readonly isUnread?: boolean;
			readonly index: number;
	  }
	/** Parts of a message, one of which is to be copied. */
	| {
			readonly kind: 'blocks';
			readonly blocks: readonly {readonly label: string; readonly text: string}[];
			readonly index: number;
	  }
	/** Everything that needs the user; `id` is the session the cursor is on. */
	| {readonly kind: 'inbox'; readonly id?: string}
	/** For how long one time of asking is put off. */
	| {
			readonly kind: 'snooze';
			readonly sessionId: string;
			readonly episode: string;
			readonly index: number;
	  }
	| {readonly kind: 'details'; readonly sessionId: string; readonly top: number}
	/** Everything that can be done or gone to, by its name. */
	| {readonly kind: 'palette'; readonly query: string; readonly index: number}
	/** Services to switch to. */
	| {readonly kind: 'profiles'; readonly entries: readonly ProfileEntry[]; readonly index: number}
	/** Themes, the chosen one on trial; Esc brings back `before`. */
	| {readonly kind: 'themes'; readonly index: number; readonly before: ThemeName}
	| {
			readonly kind: 'confirm';
			readonly title: string;
			/** What will happen, in full sentences. */
			readonly text: string;
			readonly intent: Intent;
	  };

/** A message that was sent before: to this session, or to another. */
export type SentText = {readonly text: string; readonly isHere: boolean};

/** What a confirmed question does. */
export type Intent =
	| {readonly name: 'forget-session' | 'forget-computer' | 'archive-session'; readonly id: string}
	| {readonly name: 'quit'}
	| {readonly name: 'open-profile'; readonly profile: string}
	| {readonly name: 'replace-file'};

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

const recentMost = 20;

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
		events: {pane: 'log', words: '', side: 'event', tops: {event: 0, diagnostics: 0}},
		organization: firstReading,
		...start,
	}));
}

/** The session that is written to from the lists, whatever is shown. */
export function replyingTo({focus, replyTo}: Pick<View, 'focus' | 'replyTo'>): string | undefined {
	return focus === 'composer' ? replyTo : undefined;
}

/** Puts the cursor on a row. A computer is shown at once; a session only when it is opened. */
export function withCursor(view: View, cursor: Cursor | undefined): View {
	if (!cursor) return view;
	if (cursor.section === 'computers' && cursor.id !== undefined)
		return {...view, cursor, ...show(view, {kind: 'computer', id: cursor.id})};
	if (view.shown?.kind !== 'computer') return {...view, cursor};
	const {shown: _, ...rest} = view;
	return view.lastSession === undefined
		? {...rest, cursor}
		: {...rest, cursor, shown: {kind: 'session', id: view.lastSession}};
}

/** Opens a session or a computer in the main area. */
export function opened({replyTo: _, ...view}: View, shown: Shown, focus: Focus): View {
	return {
		...view,
		...show(view, shown),
		page: 'work',
		focus,
		...(shown.kind === 'session' && {lastSession: shown.id, split: splitAfterOpening(view, shown.id)}),
	};
}

function show(view: View, shown: Shown): Partial<View> {
	const isSame = view.shown?.kind === shown.kind && view.shown.id === shown.id;
	return isSame ? {} : {shown, detailTop: 0};
}

/** What is left on screen after something was forgotten: in a split, the streams beside it. */
export function withoutShown(view: View, id: string): View {
	const {shown, lastSession, ...rest} = view;
	const split = splitWithout(view.split, id);
	const beside =
		lastSession === id ? (besideOf(view.split, id, -1) ?? besideOf(view.split, id, 1)) : undefined;
	const last = lastSession === id ? beside : lastSession;
	const next =
		shown?.id !== id ? shown : beside === undefined ? undefined : {kind: 'session' as const, id: beside};
	return {
		...rest,
		split,
		...(next && {shown: next}),
		...(last !== undefined && {lastSession: last}),
		focus: shown?.id === id && next === undefined ? 'lists' : view.focus,
	};
}

export function pushDialog(view: View, dialog: Dialog): View {
	return {...view, dialogs: [...view.dialogs, dialog]};
}

export function popDialog(view: View): View {
	return {...view, dialogs: view.dialogs.slice(0, -1)};
}

/** The same with the dialog that has the keys changed. */
export function withTop(view: View, dialog: Dialog): View {
	return {...view, dialogs: [...view.dialogs.slice(0, -1), dialog]};
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
	return {...view, recent: [id, ...view.recent.filter(one => one !== id)].slice(0, recentMost)};
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

/** The filter of the view on screen. */
export function filterOf({page, filter, computers, events, organization}: View): string {
	if (page === 'work') return filter;
	if (page === 'computers') return computers.words;
	return page === 'events' ? events.words : (organization.words[page] ?? '');
}

export function withFilter(view: View, words: string): View {
	if (view.page === 'work') return {...view, filter: words};
	if (view.page === 'computers') return withComputers(view, {words});
	if (view.page === 'events') return withEvents(view, {words});
	return withOrganization(view, {words: {...view.organization.words, [view.page]: words}});
}

export function withOrganization(view: View, change: Partial<OrganizationReading>): View {
	return {...view, organization: {...view.organization, ...change}};
}
