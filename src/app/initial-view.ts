import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/file/storage-error.ts';
import {densities} from '../state/sessions/session-density.ts';
import {groupings} from '../state/sessions/session-groups.ts';
import {sessionSorts} from '../state/sessions/session-sort.ts';
import type {DraftPlace} from '../state/view/dialogs.ts';
import {withCursor, withOpened} from '../state/view/shown-item.ts';
import {type Focus, type Shown, type View, type ViewStore, withTableCursor} from '../state/view/view.ts';
import {tableNames, type ViewName, views} from '../state/view/view-states.ts';
import type {AwayOptions} from '../ui/away.ts';
import type {AppParts} from '../ui/use-app.ts';

export type StartRequest = {
	readonly sessionId?: string | undefined;
	readonly computerId?: string | undefined;
	readonly view?: ViewName | undefined;
	/** The account that the ids come from; absent if the user gave them. */
	readonly accountId?: string;
	/** The focus in the session's view; `main` by default. */
	readonly focus?: Focus;
	/** Filters, marks and the like of all views. */
	readonly views?: KeptViews;
};

type KeptViews = Pick<
	View,
	| 'filters'
	| 'needsOnly'
	| 'showsArchived'
	| 'tableCursors'
	| 'sessions'
	| 'computers'
	| 'events'
	| 'organization'
>;

export function requestOf(view: View, accountId: string): StartRequest {
	const {page, focus, shown, filters, needsOnly, showsArchived, tableCursors} = view;
	const {sessions, computers, events, organization} = view;
	const {writing: _, ...table} = sessions;
	return {
		...(focus !== 'lists' && shown?.kind === 'session' && {sessionId: shown.id, focus}),
		view: page,
		accountId,
		views: {
			...{filters, needsOnly, showsArchived, tableCursors},
			...{sessions: table, computers, events, organization},
		},
	};
}

/** Database settings that store the last screen, recent palette choices and divider positions. */
const lastShown = 'screen.shown';
const lastChosen = 'screen.chosen';
const lastShares = 'screen.shares';
const lastHeights = 'screen.heights';
/** Database setting with the time of the last key in any program, Unix ms. */
const lastKey = 'screen.keyAt';

/** Restores the last view, if its computer or session is still known. */
export function restoreView({view, stores}: AppParts, {settings}: Database): void {
	view.setState({
		recent: readChoices(settings.get(lastChosen)),
		shares: readShares(settings.get(lastShares)),
		heights: readShares(settings.get(lastHeights)),
	});
	const shown = settings.get(lastShown) as Shown | null | undefined;
	const {computers, sessions} = stores.fleet.getState();
	if (shown?.kind === 'computer' && computers.has(shown.id)) showComputer(view, shown.id);
	if (shown?.kind === 'session' && sessions.has(shown.id)) showSession(view, shown.id, 'lists');
}

export function saveView(view: ViewStore, {settings}: Database): void {
	// A full disk is already reported, and must not keep the program from exiting.
	unlessStorageFails(() => {
		const {shown, recent, shares, heights} = view.getState();
		settings.put(lastShown, shown ?? null);
		settings.put(lastChosen, recent);
		settings.put(lastShares, shares);
		settings.put(lastHeights, heights);
	});
}

/** The time of the last key, as programs over the same data save it. */
export function lastKeyIn({settings}: Database): AwayOptions['lastKey'] {
	return {
		load() {
			const at = unlessStorageFails(() => settings.get(lastKey));
			return typeof at === 'number' ? at : undefined;
		},
		save: at => void unlessStorageFails(() => settings.put(lastKey, at)),
	};
}

/** View settings that are saved at every change, and how each is stored and restored. */
const savedSettings = {
	sort: {name: 'lists.sort', read: oneOf(sessionSorts)},
	grouping: {name: 'lists.grouping', read: oneOf(groupings)},
	density: {name: 'lists.density', read: oneOf(densities)},
	collapsed: {
		name: 'lists.collapsed',
		read: (stored: unknown) => (Array.isArray(stored) ? new Set(readChoices(stored)) : undefined),
	},
	hiddenColumns: {name: 'tables.hidden', read: readHiddenColumns},
	draftPlace: {name: 'newSession.place', read: readPlace},
} as const;

/** Maximum number of collapsed groups to save: tags, folders and computers come and go. */
const maxCollapsed = 200;

/**
 * Restores how session lists are sorted, grouped and drawn, which columns of tables are hidden, and where the draft of
 * a new session is to run; saves each change until the returned function is called.
 */
export function persistLists(view: ViewStore, settings: Database['settings']): () => void {
	for (const [key, {name, read}] of Object.entries(savedSettings)) {
		const value = read(settings.get(name));
		if (value !== undefined) view.setState({[key]: value});
	}
	return view.subscribe((now, before) => {
		// A full disk is reported elsewhere; the change applies for this run only.
		unlessStorageFails(() => {
			for (const [key, {name}] of Object.entries(savedSettings)) {
				const value = now[key as keyof typeof savedSettings];
				if (value === before[key as keyof typeof savedSettings]) continue;
				settings.put(name, value instanceof Set ? [...value].slice(-maxCollapsed) : value);
			}
		});
	});
}

function oneOf<Value>(values: readonly Value[]): (stored: unknown) => Value | undefined {
	return stored => values.find(value => value === stored);
}

/** Values of other types, as from a damaged file, are ignored. */
function readChoices(stored: unknown): string[] {
	return Array.isArray(stored) ? stored.filter(id => typeof id === 'string') : [];
}

function readHiddenColumns(stored: unknown): View['hiddenColumns'] | undefined {
	if (typeof stored !== 'object' || stored === null) return undefined;
	return Object.fromEntries(
		tableNames.map(name => [name, readChoices((stored as Record<string, unknown>)[name])]),
	);
}

function readPlace(stored: unknown): DraftPlace | undefined {
	if (typeof stored !== 'object' || stored === null) return undefined;
	const {computerId, agent, folder, settings} = stored as Record<string, unknown>;
	if (typeof agent !== 'string' || typeof folder !== 'string') return undefined;
	return {
		computerId: typeof computerId === 'string' ? computerId : undefined,
		agent,
		folder,
		settings: isStrings(settings) ? settings : undefined,
	};
}

function isStrings(stored: unknown): stored is Record<string, string> {
	return (
		typeof stored === 'object' &&
		stored !== null &&
		Object.values(stored).every(value => typeof value === 'string')
	);
}

function readShares(stored: unknown): View['shares'] {
	if (typeof stored !== 'object' || stored === null) return {};
	const known = views.flatMap(({name}) => {
		const share = (stored as Record<string, unknown>)[name];
		return typeof share === 'number' && share > 0 && share < 1 ? [[name, share]] : [];
	});
	return Object.fromEntries(known);
}

/** Opens the session, computer or view of the command line. Ids needn't have been added first. */
export function openRequested(
	{view, actions, stores}: AppParts,
	{sessionId, computerId, view: page, focus = 'main', views: kept}: StartRequest,
): void {
	if (kept) view.setState(kept);
	if (computerId !== undefined) {
		actions.engine.computers.add(computerId, 'added');
		showComputer(view, computerId);
	}
	if (sessionId !== undefined) {
		// One that is known may run outside the service, which wouldn't have it.
		if (!stores.fleet.getState().sessions.has(sessionId))
			actions.engine.registry.addSession(sessionId, 'added');
		showSession(view, sessionId, focus);
	}
	if (page !== undefined) view.setState({page});
}

function showComputer(view: ViewStore, id: string): void {
	const shown = withCursor(view.getState(), {section: 'computers', id});
	view.setState(withTableCursor(shown, 'computers', id), true);
}

function showSession(view: ViewStore, id: string, focus: Focus): void {
	const next = {
		...withOpened({...view.getState(), page: 'work'}, {kind: 'session', id}, focus),
		cursor: {section: 'sessions', id},
	} as const;
	view.setState(next, true);
}
