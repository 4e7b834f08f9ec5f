import {createStore, type StoreApi} from 'zustand/vanilla';
import {firstOrganizationState, type OrganizationViewState} from '../organization/organization-view-state.ts';
import type {Density} from '../sessions/session-density.ts';
import type {Grouping} from '../sessions/session-groups.ts';
import type {SessionSort} from '../sessions/session-sort.ts';
import type {NewLine} from '../stream.ts';
import type {Completion} from './completion.ts';
import type {Cursor} from './cursor.ts';
import {type Dialog, type DraftPlace, pushDialog} from './dialogs.ts';
import type {Find} from './find.ts';
import {
	type ComputersViewState,
	type EventsViewState,
	firstComputersState,
	firstEventsState,
	firstSessionsState,
	type ScrollState,
	type SessionsViewState,
	type TableName,
	type ViewName,
} from './view-states.ts';

export type Focus = 'lists' | 'main' | 'composer';

export type Shown = {readonly kind: 'session' | 'computer'; readonly id: string};

const maxRecent = 20;

/** All user-controlled state of the screen, as opposed to data. */
export type View = {
	readonly page: ViewName;
	readonly focus: Focus;
	readonly cursor?: Cursor;
	readonly shown?: Shown;
	/** The item that was opened from another view, to which Escape leads back. */
	readonly openedFrom?: {readonly page: ViewName; readonly id: string};
	/** The last open session, shown again when the cursor leaves the computers. */
	readonly lastSession?: string;
	/** Sessions side by side in the main area, left to right: two to four, or empty. */
	readonly split: readonly string[];
	/** The session that the composer sends to, even if another one is shown. */
	readonly replyTo?: string;
	/** The filter of each view, as typed. */
	readonly filters: Readonly<Partial<Record<ViewName, string>>>;
	readonly isFiltering: boolean;
	/** The cursors when the user began to type a filter. */
	readonly beforeFilter?: Pick<View, 'cursor' | 'tableCursors'>;
	/** Index of the selected filter completion. */
	readonly filterChoice: number;
	readonly sort: SessionSort;
	readonly grouping: Grouping;
	/** Keys of the groups (`SessionGroup`) that are collapsed. */
	readonly collapsed: ReadonlySet<string>;
	readonly density: Density;
	readonly needsOnly: boolean;
	/** Whether the lists include archived sessions and those of this machine that have ended. */
	readonly showsArchived: boolean;
	readonly dialogs: readonly Dialog[];
	/** Where the draft of a new session is to run. */
	readonly draftPlace?: DraftPlace;
	/** Fraction of the columns given to a view's left side, where the user set it. */
	readonly shares: Readonly<Partial<Record<ViewName, number>>>;
	/** Fraction of the rows given to the top panes of views with stacked panes, where the user set it. */
	readonly heights: Readonly<Partial<Record<ViewName, number>>>;
	/** Ids of recent palette choices, newest first. */
	readonly recent: readonly string[];
	/** Scroll state of each stream by session id; absent: following. */
	readonly scrollStates: ReadonlyMap<string, ScrollState>;
	/** Where the unread messages of each open session started when it came in front of the user. */
	readonly newLines: ReadonlyMap<string, NewLine>;
	readonly expanded: Expanded;
	readonly completion?: Completion;
	/** Whether to show messages that are not user-visible (`isUserVisible`). */
	readonly showsHidden: boolean;
	readonly find?: Find;
	/** Id of the row at the cursor of each view that is a table. */
	readonly tableCursors: Readonly<Partial<Record<ViewName, string>>>;
	/** The computer whose steps were scrolled last, and their first visible row. */
	readonly scrolledComputer?: {readonly id: string; readonly top: number};
	/** Names of the columns that the user has hidden. */
	readonly hiddenColumns: Readonly<Partial<Record<TableName, readonly string[]>>>;
	readonly sessions: SessionsViewState;
	readonly computers: ComputersViewState;
	readonly events: EventsViewState;
	readonly organization: OrganizationViewState;
};
export type ViewStore = StoreApi<View>;

export function createViewStore(start: Partial<View> = {}): ViewStore {
	return createStore<View>(() => ({
		page: 'work',
		focus: 'lists',
		filters: {},
		tableCursors: {},
		isFiltering: false,
		filterChoice: 0,
		sort: 'attention',
		grouping: 'state',
		collapsed: new Set(),
		density: 'automatic',
		split: [],
		needsOnly: false,
		showsArchived: false,
		dialogs: [],
		recent: [],
		shares: {},
		heights: {},
		scrollStates: new Map(),
		newLines: new Map(),
		expanded: {all: false, others: new Set()},
		showsHidden: false,
		hiddenColumns: {},
		sessions: firstSessionsState,
		computers: firstComputersState,
		events: firstEventsState,
		organization: firstOrganizationState,
		...start,
	}));
}

/** Applies a view transition, replacing the state: omitted fields are removed. */
export function setView(store: ViewStore, next: (view: View) => View): void {
	store.setState(next, true);
}

export function askToConfirm(
	store: ViewStore,
	question: Omit<Extract<Dialog, {readonly kind: 'confirm'}>, 'kind'>,
): void {
	setView(store, view => pushDialog(view, {kind: 'confirm', ...question}));
}

/** The session that the composer sends to when opened from the lists, whatever is shown. */
export function replyingTo({focus, replyTo}: View): string | undefined {
	return focus === 'composer' ? replyTo : undefined;
}

/** Whether the user is in the lists of the Work view, also under a reply over them. */
export function isInLists(view: View): boolean {
	return view.focus === 'lists' || replyingTo(view) !== undefined;
}

export type ListsView = Pick<
	View,
	'focus' | 'cursor' | 'isFiltering' | 'needsOnly' | 'showsArchived' | 'density'
> & {
	readonly filter: string;
};

export function listsViewOf(view: View): ListsView {
	const {focus, cursor, isFiltering, needsOnly, showsArchived, density} = view;
	const filter = filterOf(view, 'work');
	return {focus, filter, isFiltering, needsOnly, showsArchived, density, cursor};
}

/** Sets a view's divider: the share of its columns, or the one of its rows. */
export function withShare(view: View, of: 'shares' | 'heights', name: ViewName, share: number): View {
	return {...view, [of]: {...view[of], [name]: share}};
}

/** Adds a choice to the recent ones, which the palette lists first. */
export function withRecent(view: View, id: string): View {
	return {...view, recent: [id, ...view.recent.filter(one => one !== id)].slice(0, maxRecent)};
}

export function withScrollState(view: View, sessionId: string, scrollState: ScrollState): View {
	return {...view, scrollStates: new Map(view.scrollStates).set(sessionId, scrollState)};
}

export function withNewLine(view: View, sessionId: string, newLine: NewLine): View {
	return {...view, newLines: new Map(view.newLines).set(sessionId, newLine)};
}

/** Whether messages are shown expanded: all of them or none, and which are `others`, by id. */
export type Expanded = {readonly all: boolean; readonly others: ReadonlySet<string>};

export function isExpanded({all, others}: Expanded, ids: readonly string[]): boolean {
	return all !== (others.size > 0 && ids.some(id => others.has(id)));
}

export function withExpanded(view: View, ids: readonly string[]): View {
	const others = new Set(view.expanded.others);
	const [first] = ids;
	const wasOther = ids.filter(id => others.delete(id)).length > 0;
	if (!wasOther && first !== undefined) others.add(first);
	return {...view, expanded: {...view.expanded, others}};
}

/** Expands all messages, or collapses all. */
export function withAllExpanded(view: View): View {
	return {...view, expanded: {all: !view.expanded.all, others: new Set()}};
}

export function withEvents(view: View, change: Partial<EventsViewState>): View {
	return {...view, events: {...view.events, ...change}};
}

/** What is open in the main area of the Work view; undefined in another view. */
export function mainItem({page, shown}: Pick<View, 'page' | 'shown'>): Shown | undefined {
	return page === 'work' ? shown : undefined;
}

/** The message that is written in the Sessions view, to one or several sessions. */
export function tableMessage({page, sessions}: View): SessionsViewState['writing'] {
	return page === 'sessions' ? sessions.writing : undefined;
}

/** Whether the user is writing a message: then keys type text. */
export function isWriting(view: View): boolean {
	return tableMessage(view) !== undefined || (view.page === 'work' && view.focus === 'composer');
}

/** Whether a dialog, a filter, a search or the composer accepts text. */
export function takesText(view: View): boolean {
	return view.dialogs.length > 0 || view.isFiltering || isFinding(view) || isWriting(view);
}

/** Whether keys type words to find, which stay open while another pane has the keys. */
export function isFinding(view: View): boolean {
	const {focus, find} = view;
	return focus === 'main' && find?.isTyping === true && find.sessionId === mainItem(view)?.id;
}

/** Whether the user is typing a message to a session, or words to find in it. */
export function isTypingIn(view: View, sessionId: string): boolean {
	const {shown, find} = view;
	if (isWriting(view)) return (tableMessage(view)?.composerId ?? replyingTo(view) ?? shown?.id) === sessionId;
	return find?.isTyping === true && find.sessionId === sessionId && shown?.id === sessionId;
}

/** Shows a view that the user has chosen: Escape no longer leads back from the open item. */
export function withPage({openedFrom: _, ...view}: View, page: ViewName): View {
	return {...view, page};
}

export function withSessions(view: View, change: Partial<SessionsViewState>): View {
	return {...view, sessions: {...view.sessions, ...change}};
}

export function withComputers(view: View, change: Partial<ComputersViewState>): View {
	return {...view, computers: {...view.computers, ...change}};
}

/** Moves the cursor of a table to the row with that id, if any. */
export function withTableCursor(view: View, name: ViewName, id: string | undefined): View {
	return {...view, tableCursors: {...view.tableCursors, [name]: id}};
}

/** Hides a column of a table, or shows it again. */
export function withColumnToggled(view: View, table: TableName, column: string): View {
	const hidden = view.hiddenColumns[table] ?? [];
	const next = hidden.includes(column) ? hidden.filter(name => name !== column) : [...hidden, column];
	return {...view, hiddenColumns: {...view.hiddenColumns, [table]: next}};
}

export function withOrganization(view: View, change: Partial<OrganizationViewState>): View {
	return {...view, organization: {...view.organization, ...change}};
}

/** The filter of a view, by default the current one. */
export function filterOf(view: View, name = view.page): string {
	return view.filters[name] ?? '';
}

export function withFilter(view: View, words: string, name = view.page): View {
	return {...view, filters: {...view.filters, [name]: words}};
}

/** The keys type the filter of the current view. */
export function withFiltering(view: View): View {
	const {cursor, tableCursors} = view;
	const beforeFilter = {...(cursor && {cursor}), tableCursors};
	return {...view, isFiltering: true, filterChoice: 0, beforeFilter};
}

/** Clears the filter of the current view or, without one, returns to the Work view: the last steps back. */
export function withoutFilter(view: View): View {
	return filterOf(view) === '' ? {...view, page: 'work'} : withFilter(view, '');
}
