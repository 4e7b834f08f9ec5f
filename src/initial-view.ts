import type {Database} from './db/database.ts';
import {isStorageError, unlessStorageFails} from './db/storage-error.ts';
import {sessionSorts} from './state/session-sort.ts';
import {opened, withCursor} from './state/shown-item.ts';
import {type Focus, type Shown, type View, type ViewStore, withComputers} from './state/view.ts';
import {type ViewName, views} from './state/views.ts';
import type {AwayOptions} from './ui/away.ts';
import type {AppParts} from './ui/use-app.ts';

/** What the command line can ask for. */
export type StartRequest = {
	readonly sessionId?: string | undefined;
	readonly computerId?: string | undefined;
	readonly view?: ViewName | undefined;
};

/** Database settings that store the last screen, recent palette choices, divider positions and sort order. */
const lastShown = 'screen.shown';
const lastChosen = 'screen.chosen';
const lastShares = 'screen.shares';
const lastHeights = 'screen.heights';
const lastSort = 'lists.sort';
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

/** Saves the view for the next start. */
export function saveView({view}: AppParts, {settings}: Database): void {
	try {
		const {shown, recent, shares, heights} = view.getState();
		settings.put(lastShown, shown ?? null);
		settings.put(lastChosen, recent);
		settings.put(lastShares, shares);
		settings.put(lastHeights, heights);
	} catch (error) {
		// A full disk is already reported, and must not keep the program from exiting.
		if (!isStorageError(error)) throw error;
	}
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

/** Restores the session sort order and saves every change to it. Returns a function that stops saving. */
export function persistSort(view: ViewStore, settings: Database['settings']): () => void {
	const sort = sessionSorts.find(one => one === settings.get(lastSort));
	if (sort !== undefined) view.setState({sort});
	return view.subscribe((now, before) => {
		if (now.sort === before.sort) return;
		try {
			settings.put(lastSort, now.sort);
		} catch (error) {
			// A full disk is reported elsewhere; the order applies for this run only.
			if (!isStorageError(error)) throw error;
		}
	});
}

/** Values of other types, from another release or a damaged file, are ignored. */
function readChoices(stored: unknown): string[] {
	return Array.isArray(stored) ? stored.filter(id => typeof id === 'string') : [];
}

function readShares(stored: unknown): View['shares'] {
	if (typeof stored !== 'object' || stored === null) return {};
	const known = views.flatMap(({name}) => {
		const share = (stored as Record<string, unknown>)[name];
		return typeof share === 'number' && share > 0 && share < 1 ? [[name, share]] : [];
	});
	return Object.fromEntries(known);
}

/** Opens what the command line asked for. Ids needn't have been added first. */
export function openRequested(
	{view, actions}: AppParts,
	{sessionId, computerId, view: page}: StartRequest,
): void {
	if (computerId !== undefined) {
		actions.engine.addComputer(computerId, 'added');
		showComputer(view, computerId);
	}
	if (sessionId !== undefined) {
		actions.engine.addSession(sessionId, 'added');
		showSession(view, sessionId, 'main');
	}
	if (page !== undefined) view.setState({page});
}

function showComputer(view: ViewStore, id: string): void {
	const shown = withCursor(view.getState(), {section: 'computers', id});
	view.setState(withComputers(shown, {cursor: id}), true);
}

function showSession(view: ViewStore, id: string, focus: Focus): void {
	const next = {
		...opened(view.getState(), {kind: 'session', id}, focus),
		cursor: {section: 'sessions', id},
	} as const;
	view.setState(next, true);
}
